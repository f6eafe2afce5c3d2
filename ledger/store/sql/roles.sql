-- Roles for a ledger: a writer that can append and read, and an auditor that can read. Neither can change or delete anything.
-- Run it as the owner of the ledger's tables; it can be run again. Then grant the roles to users:
--     GRANT combatlog_writer TO some_user;   GRANT combatlog_auditor TO another_user;
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'combatlog_writer') THEN
        CREATE ROLE combatlog_writer NOLOGIN;
        GRANT combatlog_writer TO CURRENT_USER;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'combatlog_auditor') THEN
        CREATE ROLE combatlog_auditor NOLOGIN;
        GRANT combatlog_auditor TO CURRENT_USER;
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN
        NULL; -- another command was faster
END $$;

GRANT USAGE ON SCHEMA combatlog TO combatlog_writer, combatlog_auditor;
-- On Citus, distributed tables and tables on every node need separate statements.
GRANT SELECT ON combatlog.ledger_events, combatlog.snapshots TO combatlog_writer, combatlog_auditor;
GRANT SELECT ON combatlog.schema_version TO combatlog_writer, combatlog_auditor;
GRANT INSERT, DELETE ON combatlog.snapshots TO combatlog_writer;
GRANT EXECUTE ON FUNCTION combatlog.append_events(uuid, bigint, text[], bytea[], bytea[]) TO combatlog_writer;
GRANT EXECUTE ON FUNCTION combatlog.append_with_seed(uuid, bigint, text[], bytea[], bytea[], bytea) TO combatlog_writer;
GRANT EXECUTE ON FUNCTION combatlog.lock_encounter(uuid) TO combatlog_writer;
GRANT EXECUTE ON FUNCTION
    combatlog.settled(), combatlog.settled_nodes(), combatlog.writers(),
    combatlog.lock_projecting(integer), combatlog.lock_rebuilding(), combatlog.distribute_read_models(text)
    TO combatlog_writer, combatlog_auditor;
GRANT SELECT, INSERT ON combatlog.dice_seeds TO combatlog_writer;
GRANT SELECT, INSERT ON combatlog.seats, combatlog.revoked_seats TO combatlog_writer;
GRANT SELECT, INSERT, UPDATE, DELETE ON combatlog.webhooks TO combatlog_writer;
GRANT EXECUTE ON FUNCTION combatlog.catch_up_sequence() TO combatlog_writer;
