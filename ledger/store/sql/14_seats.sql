-- Who may take part over a network, and in which role. Rows are never changed: revoking a seat adds a row to the second table.
CREATE TABLE combatlog.seats (
    seat uuid PRIMARY KEY,
    encounter uuid,
    role text NOT NULL CHECK (role IN ('gm', 'player', 'spectator', 'auditor')),
    combatants text[] NOT NULL,
    name text,
    delay integer NOT NULL CHECK (delay >= 0),
    token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);
COMMENT ON TABLE combatlog.seats IS 'Seats at fights: in which role somebody takes part over a network.';
COMMENT ON COLUMN combatlog.seats.encounter IS 'the encounter that it is for; null: every one';
COMMENT ON COLUMN combatlog.seats.combatants IS 'the ids of those whom a player plays';
COMMENT ON COLUMN combatlog.seats.name IS 'the person who sits there';
COMMENT ON COLUMN combatlog.seats.delay IS 'how many seconds later a spectator sees what happens';
COMMENT ON COLUMN combatlog.seats.token_hash IS 'the SHA-256 of the secret token, which is not kept';

CREATE TABLE combatlog.revoked_seats (
    seat uuid PRIMARY KEY REFERENCES combatlog.seats,
    revoked_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE combatlog.revoked_seats IS 'Seats that were taken away: their tokens are worth nothing.';

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON combatlog.seats
    FOR EACH STATEMENT EXECUTE FUNCTION combatlog.refuse_change();
ALTER TABLE combatlog.seats ENABLE ALWAYS TRIGGER append_only;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON combatlog.revoked_seats
    FOR EACH STATEMENT EXECUTE FUNCTION combatlog.refuse_change();
ALTER TABLE combatlog.revoked_seats ENABLE ALWAYS TRIGGER append_only;
