-- `take_turn` and `end_turn` sounded like the turns of a fight, but they lock an encounter for one writer.
ALTER FUNCTION combatlog.take_turn(uuid) RENAME TO lock_encounter;
ALTER FUNCTION combatlog.end_turn(uuid) RENAME TO unlock_encounter;
ALTER FUNCTION combatlog.wait_for_turn(uuid) RENAME TO wait_for_encounter;

CREATE OR REPLACE FUNCTION combatlog.append_events(
    encounter uuid, first bigint, topics text[], states bytea[], hashes bytea[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT pg_try_advisory_xact_lock_shared(x'434C'::integer, uuid_hash(encounter)) THEN
        PERFORM combatlog.wait_for_encounter(encounter);
    END IF;
    INSERT INTO combatlog.ledger_events (originator_id, originator_version, topic, state, hash)
    SELECT encounter, first + place - 1, topic, state, hash
    FROM unnest(topics, states, hashes) WITH ORDINALITY AS event (topic, state, hash, place);
END $$;
