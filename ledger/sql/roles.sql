-- Roles for a ledger: a writer that can append and read, and a reader. Neither can change or delete anything.
-- Run it as the owner of the ledger's tables; it can be run again. Then let people in:
--     GRANT combatlog_writer TO some_user;   GRANT combatlog_reader TO another_user;
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'combatlog_writer') THEN
        CREATE ROLE combatlog_writer NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'combatlog_reader') THEN
        CREATE ROLE combatlog_reader NOLOGIN;
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN
        NULL; -- another command was faster
END $$;

GRANT USAGE ON SCHEMA combatlog TO combatlog_writer, combatlog_reader;
GRANT SELECT ON combatlog.ledger_events, combatlog.schema_version TO combatlog_writer, combatlog_reader;
GRANT EXECUTE ON FUNCTION combatlog.append_events(uuid[], bigint[], text[], bytea[], bytea[]) TO combatlog_writer;
GRANT SELECT, INSERT ON combatlog.dice_seeds TO combatlog_writer;
