-- Indexes for listing encounters page by page and finding them by the beginning of their names.
CREATE INDEX ledger_events_begun_idx ON combatlog.ledger_events (notification_id)
    WHERE split_part(topic, '.', 1) IN ('encounter_opened', 'forked');

-- NULL for rows that cannot be read: an existing row must not prevent the creation of the index. A name has at most a
-- hundred characters; longer ones are cut, because they have to fit into the index.
CREATE FUNCTION combatlog.encounter_name(state bytea) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN left(convert_from(state, 'UTF8')::json ->> 'name', 200);
EXCEPTION
    WHEN OTHERS THEN
        RETURN NULL;
END $$;
COMMENT ON FUNCTION combatlog.encounter_name(bytea) IS 'The name in the first event of an encounter.';

CREATE INDEX ledger_events_name_idx
    ON combatlog.ledger_events (lower(combatlog.encounter_name(state) COLLATE "C"))
    WHERE split_part(topic, '.', 1) IN ('encounter_opened', 'forked');
