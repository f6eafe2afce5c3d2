-- The tables of the ledger.
CREATE SCHEMA combatlog;

CREATE TABLE combatlog.schema_version (
    version integer PRIMARY KEY,
    installed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE combatlog.schema_version IS 'The versions of this schema that have been installed; the highest holds.';

CREATE TABLE combatlog.ledger_events (
    originator_id uuid NOT NULL,
    originator_version bigint NOT NULL CHECK (originator_version > 0),
    topic text NOT NULL,
    state bytea NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    notification_id bigserial NOT NULL,
    PRIMARY KEY (originator_id, originator_version)
);
CREATE UNIQUE INDEX ledger_events_notification_id_idx ON combatlog.ledger_events (notification_id);
-- An encounter begins once: opened, or forked from another one. Its id is derived from its name, so names are unique.
CREATE UNIQUE INDEX ledger_events_beginning_idx ON combatlog.ledger_events (originator_id)
    WHERE split_part(topic, '.', 1) IN ('encounter_opened', 'forked');

COMMENT ON TABLE combatlog.ledger_events IS 'Every event of every encounter. Rows are only ever added.';
COMMENT ON COLUMN combatlog.ledger_events.originator_id IS 'the encounter';
COMMENT ON COLUMN combatlog.ledger_events.originator_version IS 'seq: the number of the event in its encounter, from 1';
COMMENT ON COLUMN combatlog.ledger_events.topic IS 'the kind of event, with its schema version from the second on';
COMMENT ON COLUMN combatlog.ledger_events.state IS 'the whole event as JSON in UTF-8';
COMMENT ON COLUMN combatlog.ledger_events.hash IS 'SHA-256 over the predecessor''s hash and this event';
COMMENT ON COLUMN combatlog.ledger_events.notification_id IS 'the order of commits over all encounters';

-- Triggers enforce that the table is append-only, also for the owner and superusers, and on replicas.
CREATE FUNCTION combatlog.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only: % on % is refused', TG_OP, TG_TABLE_NAME
        USING HINT = 'Record a correction instead: combatlog undo, combatlog amend.';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON combatlog.ledger_events
    FOR EACH STATEMENT EXECUTE FUNCTION combatlog.refuse_change();
ALTER TABLE combatlog.ledger_events ENABLE ALWAYS TRIGGER append_only;

-- One command, one round trip, one transaction. The lock makes the order of notification ids the commit order, so that
-- a follower never skips an event that commits late.
CREATE FUNCTION combatlog.append_events(
    ids uuid[], seqs bigint[], topics text[], states bytea[], hashes bytea[]
) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
BEGIN
    LOCK TABLE combatlog.ledger_events IN EXCLUSIVE MODE;
    NOTIFY ledger_events;
    RETURN QUERY
    INSERT INTO combatlog.ledger_events (originator_id, originator_version, topic, state, hash)
    SELECT * FROM unnest(ids, seqs, topics, states, hashes)
    RETURNING notification_id;
END $$;
