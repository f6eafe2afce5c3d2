
-- On a Citus cluster, nodes connect to each other as the current user, so a role that is in use must be able to log in. Only
-- the ledger's own roles are changed, not others with similar names. Without Citus, this does nothing.
DO $$
DECLARE
    role name;
BEGIN
    IF to_regproc('combatlog.recorded_hash') IS NULL THEN
        RETURN;
    END IF;
    FOR role IN
        SELECT rolname FROM pg_roles
        WHERE rolname IN ('combatlog_writer', 'combatlog_auditor', 'combatlog_reader') AND NOT rolcanlogin
    LOOP
        EXECUTE format('ALTER ROLE %I LOGIN', role);
    END LOOP;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'combatlog_writer') THEN
        GRANT EXECUTE ON FUNCTION combatlog.recorded_hash(uuid, bigint) TO combatlog_writer;
    END IF;
END $$;
