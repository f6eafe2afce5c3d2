-- Appending needs a lock on the table, which only somebody who could also change it may take. So the function does
-- it with its owner's rights, and whoever may call it needs none on the table but to read.
ALTER FUNCTION combatlog.append_events(uuid[], bigint[], text[], bytea[], bytea[])
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp;
REVOKE ALL ON FUNCTION combatlog.append_events(uuid[], bigint[], text[], bytea[], bytea[]) FROM PUBLIC;
