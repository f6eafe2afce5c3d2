-- Queries written by people run as a separate database user that can read only the read models. Its name and password
-- are stored here, where only the ledger's owner can read them, who has more rights than that user anyway.
CREATE TABLE combatlog.query_login (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    role text NOT NULL,
    password text NOT NULL
);
COMMENT ON TABLE combatlog.query_login IS 'The database user that people''s own queries run as; it is created on first use.';
COMMENT ON COLUMN combatlog.query_login.only_one IS 'always true, so there is at most one row';
COMMENT ON COLUMN combatlog.query_login.role IS 'the name of the user';
COMMENT ON COLUMN combatlog.query_login.password IS 'its password, which was drawn at random';
REVOKE ALL ON combatlog.query_login FROM PUBLIC;
