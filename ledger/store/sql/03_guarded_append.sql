-- Appending needs a lock on the table, which requires the right to change the table. So the function runs with its
-- owner's rights, and its callers need only the right to read the table.
ALTER FUNCTION combatlog.append_events(uuid[], bigint[], text[], bytea[], bytea[])
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
REVOKE ALL ON FUNCTION combatlog.append_events(uuid[], bigint[], text[], bytea[], bytea[]) FROM PUBLIC;
