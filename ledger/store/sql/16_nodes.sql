-- Several servers may write one ledger: the nodes of a Citus cluster (docs/citus.md). Each numbers its events in its own range:
-- the upper 16 bits of a notification id are the node's number and the lower 48 count. A single server is node 0.

-- The key of an announcement has room only for the count; locks are local to a node, like its sequence.
CREATE OR REPLACE FUNCTION combatlog.announce_writer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    drawn CONSTANT bigint := least(
        coalesce(pg_sequence_last_value('combatlog.ledger_events_notification_id_seq'), 0) & x'FFFFFFFFFFFF'::bigint,
        x'FFFFFFFFFF'::bigint
    );
    key bigint := nullif(current_setting('combatlog.announced', true), '');
BEGIN
    IF key >> 56 = x'43'::bigint AND key & x'FFFFFFFFFF'::bigint <= drawn AND pg_try_advisory_xact_lock_shared(key) THEN
        RETURN NULL;
    END IF;
    LOOP
        key := x'4300000000000000'::bigint | ((65535 * random())::bigint << 40) | drawn;
        EXIT WHEN pg_try_advisory_xact_lock_shared(key);
    END LOOP;
    PERFORM set_config('combatlog.announced', key::text, true);
    RETURN NULL;
END $$;

-- The rows of a distributed table are in its shards, which are tables of the same schema. So the lock that an INSERT takes
-- counts on any table of the ledger's schema. Outsiders cannot name these tables, and auditors may not take such locks.
CREATE OR REPLACE FUNCTION combatlog.writers() RETURNS TABLE (virtualtransaction text, pid integer, announced bigint)
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
            WHEN 'relation' THEN mode = 'RowExclusiveLock' AND starts_with(relation::regclass::text, 'combatlog.')
        END
    GROUP BY virtualtransaction
    HAVING bool_or(locktype = 'relation') AND bool_or(locktype = 'advisory')
$$;

CREATE OR REPLACE FUNCTION combatlog.settled() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    drawn CONSTANT bigint := coalesce(pg_sequence_last_value('combatlog.ledger_events_notification_id_seq'), 0);
    counted CONSTANT bigint := drawn & x'FFFFFFFFFFFF'::bigint;
BEGIN
    IF pg_is_in_recovery() THEN
        RETURN NULL;
    END IF;
    RETURN drawn - counted + least(counted, (SELECT min(announced) FROM combatlog.writers()));
END $$;
COMMENT ON FUNCTION combatlog.settled() IS
    'Up to this notification id, this node will add no event any more. NULL on a standby, where nobody can tell.';

CREATE FUNCTION combatlog.settled_nodes() RETURNS TABLE (node integer, settled bigint)
    LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
        SELECT 0, combatlog.settled()
$$;
COMMENT ON FUNCTION combatlog.settled_nodes() IS 'What is settled on each node that writes this ledger.';
REVOKE ALL ON FUNCTION combatlog.settled_nodes() FROM PUBLIC;

-- An encounter with committed dice begins with one call, so that a single statement reaches the encounter's node.
CREATE FUNCTION combatlog.append_with_seed(
    encounter uuid, first bigint, topics text[], states bytea[], hashes bytea[], seed bytea
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO combatlog.dice_seeds (encounter, seed) VALUES (append_with_seed.encounter, append_with_seed.seed);
    PERFORM combatlog.append_events(encounter, first, topics, states, hashes);
END $$;
REVOKE ALL ON FUNCTION combatlog.append_with_seed(uuid, bigint, text[], bytea[], bytea[], bytea) FROM PUBLIC;

-- Updating the read models locks the node from which the events come.
DROP FUNCTION combatlog.lock_projecting();
CREATE FUNCTION combatlog.lock_projecting(node integer DEFAULT 0) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    LOCK TABLE combatlog.projecting IN EXCLUSIVE MODE;
END $$;
REVOKE ALL ON FUNCTION combatlog.lock_projecting(integer) FROM PUBLIC;

CREATE FUNCTION combatlog.distribute_read_models(schema text) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN; -- there is one node
END $$;
COMMENT ON FUNCTION combatlog.distribute_read_models(text) IS 'Puts new tables of the read models where their encounters are.';
REVOKE ALL ON FUNCTION combatlog.distribute_read_models(text) FROM PUBLIC;
