-- The secret seeds of encounters with committed dice. When an encounter closes, an event makes its seed public.
CREATE TABLE combatlog.dice_seeds (
    encounter uuid PRIMARY KEY,
    seed bytea NOT NULL CHECK (octet_length(seed) = 32)
);
COMMENT ON TABLE combatlog.dice_seeds IS 'What faces of committed dice follow from. Whoever reads it knows them.';
COMMENT ON COLUMN combatlog.dice_seeds.encounter IS 'the encounter that its dice are for';
COMMENT ON COLUMN combatlog.dice_seeds.seed IS 'its SHA-256 is in the first event of the encounter';

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON combatlog.dice_seeds
    FOR EACH STATEMENT EXECUTE FUNCTION combatlog.refuse_change();
ALTER TABLE combatlog.dice_seeds ENABLE ALWAYS TRIGGER append_only;
