-- Writers of different encounters no longer wait for each other: nothing locks the table any more.
--
-- Notification ids are drawn before their transaction commits, so a later id can become visible before an earlier one,
-- and a follower that read everything visible would skip an event that commits late. So each writer first announces a
-- lower bound for its ids with an advisory lock, which PostgreSQL releases once the commit is visible, and followers
-- read no further than `settled()`. docs/reliability.md explains why no event is missed.
CREATE FUNCTION combatlog.announce_writer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(
        x'434C000000000000'::bigint
        | coalesce(pg_sequence_last_value('combatlog.ledger_events_notification_id_seq'), 0)
    );
    RETURN NULL;
END $$;
CREATE TRIGGER announced BEFORE INSERT ON combatlog.ledger_events
    FOR EACH STATEMENT EXECUTE FUNCTION combatlog.announce_writer();
ALTER TABLE combatlog.ledger_events ENABLE ALWAYS TRIGGER announced;

-- The order matters. The last drawn id is read first: writers that announce later draw higher ids. Writers that drew
-- before have announced before: either they have not committed and hold a lock, or the caller's next query sees them.
CREATE FUNCTION combatlog.settled() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    drawn CONSTANT bigint := coalesce(pg_sequence_last_value('combatlog.ledger_events_notification_id_seq'), 0);
BEGIN
    RETURN least(drawn, (
        SELECT min((classid::bigint << 32 | objid::bigint) & x'0000FFFFFFFFFFFF'::bigint)
        FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 16 = x'434C'::bigint
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ));
END $$;
COMMENT ON FUNCTION combatlog.settled() IS 'Up to this notification id, no event will be added any more.';
REVOKE ALL ON FUNCTION combatlog.settled() FROM PUBLIC;

-- Among the writers of one encounter, the fastest wins. A writer that has lost takes a turn, during which the others
-- wait while it reads the new events; otherwise it could lose forever. Turns only improve fairness: the others do not
-- wait long for a writer that does not return, and records are correct without turns.
CREATE FUNCTION combatlog.take_turn(encounter uuid) RETURNS boolean
    LANGUAGE plpgsql SET lock_timeout = '1s' SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_lock(x'434C'::integer, uuid_hash(encounter));
    RETURN true;
EXCEPTION
    WHEN lock_not_available THEN
        RETURN false;
END $$;

CREATE FUNCTION combatlog.end_turn(encounter uuid) RETURNS boolean
    LANGUAGE sql SET search_path = pg_catalog, pg_temp
    RETURN pg_advisory_unlock(x'434C'::integer, uuid_hash(encounter));

CREATE FUNCTION combatlog.wait_for_turn(encounter uuid) RETURNS boolean
    LANGUAGE plpgsql SET lock_timeout = '1s' SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(x'434C'::integer, uuid_hash(encounter));
    RETURN true;
EXCEPTION
    WHEN lock_not_available THEN
        RETURN false;
END $$;

-- One command, one round trip, one transaction. The function runs with its owner's rights, so that its callers need
-- only the right to read the table.
DROP FUNCTION combatlog.append_events(uuid[], bigint[], text[], bytea[], bytea[]);
CREATE FUNCTION combatlog.append_events(encounter uuid, first bigint, topics text[], states bytea[], hashes bytea[])
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT pg_try_advisory_xact_lock_shared(x'434C'::integer, uuid_hash(encounter)) THEN
        PERFORM combatlog.wait_for_turn(encounter);
    END IF;
    INSERT INTO combatlog.ledger_events (originator_id, originator_version, topic, state, hash)
    SELECT encounter, first + place - 1, topic, state, hash
    FROM unnest(topics, states, hashes) WITH ORDINALITY AS event (topic, state, hash, place);
END $$;
REVOKE ALL ON FUNCTION combatlog.append_events(uuid, bigint, text[], bytea[], bytea[]) FROM PUBLIC;

COMMENT ON COLUMN combatlog.ledger_events.notification_id IS 'an order of all events, over all encounters';
