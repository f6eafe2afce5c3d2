-- Distributes a ledger over the nodes of a Citus cluster. `ledger.store.citus` runs it once, in one transaction, after the schema
-- steps. The data of an encounter is in co-located shards, distributed by encounter; everything else is on every node.
SET LOCAL citus.enable_unsafe_triggers TO on;
SET LOCAL citus.multi_shard_modify_mode TO 'sequential';

-- A unique index has to include the distribution column.
DROP INDEX combatlog.ledger_events_notification_id_idx;
CREATE UNIQUE INDEX ledger_events_notification_id_idx ON combatlog.ledger_events (notification_id, originator_id);

SELECT create_distributed_table('combatlog.ledger_events', 'originator_id', colocate_with => 'none');
SELECT create_distributed_table('combatlog.dice_seeds', 'encounter', colocate_with => 'combatlog.ledger_events');
SELECT create_distributed_table('combatlog.snapshots', 'encounter', colocate_with => 'combatlog.ledger_events');
SELECT create_reference_table('combatlog.schema_version');
SELECT create_reference_table('combatlog.query_login');
SELECT create_reference_table('combatlog.seats');
SELECT create_reference_table('combatlog.revoked_seats');
SELECT create_reference_table('combatlog.webhooks');

-- A default would be drawn on the node that receives the command. A trigger draws ids on the node that has the rows, after the
-- announcement, which is also made there. A shard that is moved keeps its ids.
CREATE FUNCTION combatlog.draw_notification() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.notification_id IS NULL THEN
        NEW.notification_id := nextval('combatlog.ledger_events_notification_id_seq');
    END IF;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION combatlog.draw_notification() FROM PUBLIC;
CREATE TRIGGER drawn BEFORE INSERT ON combatlog.ledger_events
    FOR EACH ROW EXECUTE FUNCTION combatlog.draw_notification();
ALTER TABLE combatlog.ledger_events ALTER COLUMN notification_id DROP DEFAULT;

-- Updating or rebuilding the read models locks a row here, on any node. The progress of the read models is stored next to these
-- rows, so that a session that gets a lock also sees the progress of its last holder: nodes commit the parts of a transaction one
-- after the other.
CREATE TABLE combatlog.cluster_locks (name text PRIMARY KEY);
COMMENT ON TABLE combatlog.cluster_locks IS 'Rows that are locked while events of a node are brought into the read models.';
COMMENT ON COLUMN combatlog.cluster_locks.name IS 'the number of a node, or rebuilding';
REVOKE ALL ON combatlog.cluster_locks FROM PUBLIC;
SELECT create_distributed_table('combatlog.cluster_locks', 'name', colocate_with => 'none', shard_count => 1);
INSERT INTO combatlog.cluster_locks SELECT number::text FROM generate_series(0, 1024) AS number
UNION ALL SELECT 'rebuilding';

CREATE FUNCTION combatlog.lock_row(name text, patience text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM set_config('lock_timeout', patience, true);
    PERFORM FROM combatlog.cluster_locks l WHERE l.name = lock_row.name FOR UPDATE;
    RETURN true;
END $$;
COMMENT ON FUNCTION combatlog.lock_row(text, text) IS 'Locks a row on the node that has it, and waits no longer than told.';
REVOKE ALL ON FUNCTION combatlog.lock_row(text, text) FROM PUBLIC;

-- The timeout is read here: inside the call it would be read on the other node, which has a different one.
CREATE OR REPLACE FUNCTION combatlog.lock_projecting(node integer DEFAULT 0) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    patience CONSTANT text := current_setting('lock_timeout');
BEGIN
    PERFORM FROM combatlog.lock_row(node::text, patience);
END $$;
CREATE OR REPLACE FUNCTION combatlog.lock_rebuilding() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF (SELECT groupid FROM pg_dist_local_group) <> 0 THEN
        RAISE SQLSTATE 'CL003' USING MESSAGE = 'only the coordinator of the cluster can create tables';
    END IF;
    PERFORM FROM combatlog.lock_row('rebuilding', '1ms');
END $$;

-- The node that receives the query comes first, so that followers on different nodes begin with different ones.
CREATE OR REPLACE FUNCTION combatlog.settled_nodes() RETURNS TABLE (node integer, settled bigint)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    here CONSTANT integer := (SELECT groupid FROM pg_dist_local_group);
    answer record;
BEGIN
    FOR answer IN
        SELECT n.groupid, n.nodename, n.nodeport, a.success, a.result
        FROM run_command_on_all_nodes('SELECT combatlog.settled()') a JOIN pg_dist_node n USING (nodeid)
        ORDER BY n.groupid <> here, n.groupid
    LOOP
        IF NOT answer.success THEN
            RAISE connection_failure USING MESSAGE =
                format('node %s:%s does not answer: %s', answer.nodename, answer.nodeport, answer.result);
        END IF;
        node := answer.groupid;
        settled := nullif(answer.result, '')::bigint;
        RETURN NEXT;
    END LOOP;
END $$;

-- Every node continues after its own last id, so there is nothing to catch up with. This call also marks the transaction as one
-- with many appends, because the announcements are made on other nodes: such appends keep no lock on their encounters.
CREATE OR REPLACE FUNCTION combatlog.catch_up_sequence() RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM set_config('combatlog.announced', '0', true);
    RETURN false;
END $$;

-- One more table has a row for each encounter in the read models. An update changes these rows first, and so waits for the
-- previous update where that has not committed its part yet.
CREATE OR REPLACE FUNCTION combatlog.distribute_read_models(schema text) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    found record;
BEGIN
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    EXECUTE format('CREATE TABLE %I.followed_encounters (encounter uuid PRIMARY KEY, batches bigint NOT NULL)', schema);
    FOR found IN
        SELECT c.oid::regclass::text AS name, a.attname IS NOT NULL AS of_encounters
        FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'encounter'
        WHERE c.relnamespace = to_regnamespace(quote_ident(schema)) AND c.relkind = 'r'
            AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = c.oid)
        ORDER BY of_encounters, name
    LOOP
        IF found.name LIKE '%.notification_tracking' THEN
            PERFORM create_distributed_table(found.name, 'application_name', colocate_with => 'combatlog.cluster_locks');
        ELSIF found.of_encounters THEN
            PERFORM create_distributed_table(found.name, 'encounter', colocate_with => 'combatlog.ledger_events');
        ELSE
            PERFORM create_reference_table(found.name);
        END IF;
    END LOOP;
END $$;

-- A writer that has lost a race gets no turn here: locks are local, and the others append on the encounter's node.
CREATE OR REPLACE FUNCTION combatlog.lock_encounter(encounter uuid) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        SELECT false
$$;

-- Reads back an appended event with the rights of the append: Citus requires a single user in a transaction.
CREATE FUNCTION combatlog.recorded_hash(encounter uuid, seq bigint) RETURNS bytea
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        SELECT hash FROM combatlog.ledger_events WHERE originator_id = encounter AND originator_version = seq
$$;
REVOKE ALL ON FUNCTION combatlog.recorded_hash(uuid, bigint) FROM PUBLIC;

-- Appends run on the node that has the encounter.
SELECT create_distributed_function(oid::regprocedure) FROM pg_proc WHERE pronamespace = 'combatlog'::regnamespace;
SELECT create_distributed_function('combatlog.append_events(uuid, bigint, text[], bytea[], bytea[])', 'encounter',
    colocate_with => 'combatlog.ledger_events');
SELECT create_distributed_function('combatlog.append_with_seed(uuid, bigint, text[], bytea[], bytea[], bytea)', 'encounter',
    colocate_with => 'combatlog.ledger_events');
SELECT create_distributed_function('combatlog.lock_row(text, text)', 'name',
    colocate_with => 'combatlog.cluster_locks', force_delegation => true);
