-- Snapshots of encounters, so that a long one need not be folded from its beginning for every command. They are a cache:
-- each belongs to an event, by its hash, and to a version of the folding code. Deleting them costs only time.
CREATE TABLE combatlog.snapshots (
    encounter uuid NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    fold text NOT NULL,
    state bytea NOT NULL,
    commands bytea NOT NULL,
    PRIMARY KEY (encounter, seq)
);
COMMENT ON TABLE combatlog.snapshots IS 'A cache of states, the latest two of an encounter. Deleting it costs only time.';
COMMENT ON COLUMN combatlog.snapshots.encounter IS 'the encounter';
COMMENT ON COLUMN combatlog.snapshots.seq IS 'the event after which it is the state';
COMMENT ON COLUMN combatlog.snapshots.hash IS 'the hash of that event; a snapshot with another one is not used';
COMMENT ON COLUMN combatlog.snapshots.fold IS 'the version of the code that folded it; others do not use it';
COMMENT ON COLUMN combatlog.snapshots.state IS 'the state as JSON in UTF-8';
COMMENT ON COLUMN combatlog.snapshots.commands IS 'the ids of all commands up to that event, 16 bytes each';
REVOKE ALL ON combatlog.snapshots FROM PUBLIC;
