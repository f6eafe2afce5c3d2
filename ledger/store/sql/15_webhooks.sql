-- URLs that are notified of what happens in a fight. Each delivery updates how far a webhook has been notified.
CREATE TABLE combatlog.webhooks (
    webhook uuid PRIMARY KEY,
    encounter uuid NOT NULL,
    url text NOT NULL CHECK (length(url) <= 2000),
    role text NOT NULL CHECK (role IN ('gm', 'player', 'spectator', 'auditor')),
    combatants text[] NOT NULL,
    secret text NOT NULL,
    by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    delivered bigint NOT NULL CHECK (delivered >= 0),
    considered bigint NOT NULL CHECK (considered >= 0),
    failures integer NOT NULL DEFAULT 0,
    problem text,
    due_at timestamptz NOT NULL DEFAULT now(),
    claim uuid
);
COMMENT ON TABLE combatlog.webhooks IS 'Addresses that are told what happens in a fight, and how far each has been told.';
COMMENT ON COLUMN combatlog.webhooks.role IS 'the seat whose view is delivered';
COMMENT ON COLUMN combatlog.webhooks.combatants IS 'the ids of those whom that seat plays';
COMMENT ON COLUMN combatlog.webhooks.secret IS 'what deliveries are signed with';
COMMENT ON COLUMN combatlog.webhooks.by IS 'who registered it';
COMMENT ON COLUMN combatlog.webhooks.delivered IS 'the last event that was delivered, as the seat counts';
COMMENT ON COLUMN combatlog.webhooks.considered IS 'the event of the ledger up to which there is nothing left to deliver';
COMMENT ON COLUMN combatlog.webhooks.failures IS 'how many attempts in a row have failed';
COMMENT ON COLUMN combatlog.webhooks.problem IS 'why the last attempt failed; null: it did not';
COMMENT ON COLUMN combatlog.webhooks.due_at IS 'not to be tried before; while it is claimed, when the claim ends';
COMMENT ON COLUMN combatlog.webhooks.claim IS 'whoever is delivering now';
CREATE INDEX webhooks_of_encounter ON combatlog.webhooks (encounter);
REVOKE ALL ON combatlog.webhooks FROM PUBLIC;
