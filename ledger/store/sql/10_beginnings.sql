-- Listing encounters page by page, and finding them by how their names begin, without reading all of them.
CREATE INDEX ledger_events_begun_idx ON combatlog.ledger_events (notification_id)
    WHERE split_part(topic, '.', 1) IN ('encounter_opened', 'forked');

-- NULL for what cannot be read: a row that is there already must not be in the way of the index. A name has at most a
-- hundred characters; whatever pretends to be longer has to fit into the index nevertheless.
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
