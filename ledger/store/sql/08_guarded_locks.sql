-- Anyone who can connect can take advisory locks, including those that the ledger uses. So an advisory lock counts only
-- if its transaction also has a lock on the ledger's table, of the kind that an INSERT takes before its triggers fire.
-- Users without rights on the schema cannot take that one.
CREATE FUNCTION combatlog.writers() RETURNS TABLE (virtualtransaction text, pid integer, announced bigint)
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT
        virtualtransaction,
        max(pid) AS pid,
        min((classid::bigint << 32 | objid::bigint) & x'FFFFFFFFFF'::bigint)
            FILTER (WHERE locktype = 'advisory') AS announced
    FROM pg_locks
    WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND granted
        AND CASE locktype
            WHEN 'advisory' THEN objsubid = 1 AND classid::bigint >> 24 = x'43'::bigint
            WHEN 'relation' THEN relation = 'combatlog.ledger_events'::regclass AND mode = 'RowExclusiveLock'
        END
    GROUP BY virtualtransaction
    HAVING bool_or(locktype = 'relation') AND bool_or(locktype = 'advisory')
$$;
COMMENT ON FUNCTION combatlog.writers() IS
    'Transactions that are adding events, and the notification id beyond which theirs are.';
REVOKE ALL ON FUNCTION combatlog.writers() FROM PUBLIC;

-- The key of an announcement consists of a marker byte, two random bytes, and the last id in five bytes. If an outsider
-- holds the key, the writer draws another one. No outsider can hold all of them.
CREATE OR REPLACE FUNCTION combatlog.announce_writer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    drawn CONSTANT bigint := least(
        coalesce(pg_sequence_last_value('combatlog.ledger_events_notification_id_seq'), 0), x'FFFFFFFFFF'::bigint
    );
BEGIN
    LOOP
        EXIT WHEN pg_try_advisory_xact_lock_shared(
            x'4300000000000000'::bigint | ((65535 * random())::bigint << 40) | drawn
        );
    END LOOP;
    RETURN NULL;
END $$;

-- Locks are not replicated, so a standby cannot tell what is settled.
CREATE OR REPLACE FUNCTION combatlog.settled() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    drawn CONSTANT bigint := coalesce(pg_sequence_last_value('combatlog.ledger_events_notification_id_seq'), 0);
BEGIN
    IF pg_is_in_recovery() THEN
        RETURN NULL;
    END IF;
    RETURN least(drawn, (SELECT min(announced) FROM combatlog.writers()));
END $$;
COMMENT ON FUNCTION combatlog.settled() IS
    'Up to this notification id, no event will be added any more. NULL on a standby, where nobody can tell.';

-- The lock on an encounter ends with its transaction, because a connection pooler may run the next transaction in
-- another session. Writers do not wait for an outsider's lock.
CREATE FUNCTION combatlog.encounter_locks(encounter uuid) RETURNS TABLE (is_ours boolean, is_exclusive boolean)
    LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
        SELECT bool_or(locktype = 'relation'), bool_or(locktype = 'advisory' AND mode = 'ExclusiveLock')
        FROM pg_locks
        WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND pid IS DISTINCT FROM pg_backend_pid()
            AND CASE locktype
                WHEN 'advisory' THEN objsubid = 2 AND classid::bigint = x'434C'::bigint
                    AND objid = uuid_hash(encounter)::oid
                WHEN 'relation' THEN relation = 'combatlog.ledger_events'::regclass AND mode = 'RowExclusiveLock'
            END
        GROUP BY virtualtransaction
        HAVING bool_or(locktype = 'advisory')
$$;
COMMENT ON FUNCTION combatlog.encounter_locks(uuid) IS
    'The locks that others have on an encounter or are waiting for; ours are those of transactions that may write.';
REVOKE ALL ON FUNCTION combatlog.encounter_locks(uuid) FROM PUBLIC;

DROP FUNCTION combatlog.unlock_encounter(uuid);
CREATE OR REPLACE FUNCTION combatlog.lock_encounter(encounter uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '1s' SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    LOCK TABLE combatlog.ledger_events IN ROW EXCLUSIVE MODE;
    IF pg_try_advisory_xact_lock(x'434C'::integer, uuid_hash(encounter)) THEN
        RETURN true;
    END IF;
    IF EXISTS (SELECT FROM combatlog.encounter_locks(encounter) WHERE NOT is_ours) THEN
        RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(x'434C'::integer, uuid_hash(encounter));
    RETURN true;
EXCEPTION
    WHEN lock_not_available THEN
        RETURN false;
END $$;
REVOKE ALL ON FUNCTION combatlog.lock_encounter(uuid) FROM PUBLIC;

CREATE OR REPLACE FUNCTION combatlog.wait_for_encounter(encounter uuid) RETURNS boolean
    LANGUAGE plpgsql SET lock_timeout = '1s' SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM combatlog.encounter_locks(encounter) WHERE is_ours AND is_exclusive) THEN
        PERFORM pg_advisory_xact_lock_shared(x'434C'::integer, uuid_hash(encounter));
    END IF;
    RETURN true;
EXCEPTION
    WHEN lock_not_available THEN
        RETURN false;
END $$;
REVOKE ALL ON FUNCTION combatlog.wait_for_encounter(uuid) FROM PUBLIC;

-- Updating and rebuilding the read models each lock one of these tables. The tables are empty, and users who do not own
-- them can lock them only with these functions.
CREATE TABLE combatlog.projecting ();
CREATE TABLE combatlog.rebuilding ();
COMMENT ON TABLE combatlog.projecting IS 'Always empty: locked while events are brought into the read models.';
COMMENT ON TABLE combatlog.rebuilding IS 'Always empty: locked while the read models are rebuilt.';
REVOKE ALL ON combatlog.projecting, combatlog.rebuilding FROM PUBLIC;

CREATE FUNCTION combatlog.lock_projecting() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    LOCK TABLE combatlog.projecting IN EXCLUSIVE MODE;
END $$;
REVOKE ALL ON FUNCTION combatlog.lock_projecting() FROM PUBLIC;

CREATE FUNCTION combatlog.lock_rebuilding() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    LOCK TABLE combatlog.rebuilding IN EXCLUSIVE MODE NOWAIT;
END $$;
REVOKE ALL ON FUNCTION combatlog.lock_rebuilding() FROM PUBLIC;
