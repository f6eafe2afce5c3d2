-- A transaction may append to thousands of encounters, as an import does, but the server's lock table is limited. So only
-- the first append takes locks that last until the end; the others take the same announcement again, which needs no space.

-- The setting only suggests a key, and anyone may set it. In any case, the lock is taken here, and its number is not above
-- the last drawn id, which is all that followers rely on.
CREATE OR REPLACE FUNCTION combatlog.announce_writer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    drawn CONSTANT bigint := least(
        coalesce(pg_sequence_last_value('combatlog.ledger_events_notification_id_seq'), 0), x'FFFFFFFFFF'::bigint
    );
    key bigint := nullif(current_setting('combatlog.announced', true), '');
BEGIN
    IF key >> 56 = x'43'::bigint AND key & x'FFFFFFFFFF'::bigint <= drawn AND pg_try_advisory_xact_lock_shared(key) THEN
        RETURN NULL;
    END IF;
    LOOP
        key := x'4300000000000000'::bigint | ((65535 * random())::bigint << 40) | drawn;
        EXIT WHEN pg_try_advisory_xact_lock_shared(key);
    END LOOP;
    PERFORM set_config('combatlog.announced', key::text, true);
    RETURN NULL;
END $$;

-- Every append waits while another writer has a turn. The first append in a transaction also makes writers that want a turn
-- wait for its commit; for a transaction with many appends, that would take too long, so the others hold no such lock.
CREATE OR REPLACE FUNCTION combatlog.append_events(
    encounter uuid, first bigint, topics text[], states bytea[], hashes bytea[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    turns CONSTANT integer := x'434C'::integer;
    key CONSTANT integer := uuid_hash(encounter);
    nobody_has_a_turn boolean;
    last bigint;
    head bytea;
    added bigint;
BEGIN
    IF coalesce(current_setting('combatlog.announced', true), '') = '' THEN
        nobody_has_a_turn := pg_try_advisory_xact_lock_shared(turns, key);
    ELSE
        nobody_has_a_turn := pg_try_advisory_lock_shared(turns, key) AND pg_advisory_unlock_shared(turns, key);
    END IF;
    IF NOT nobody_has_a_turn THEN
        PERFORM combatlog.wait_for_encounter(encounter);
    END IF;
    SELECT originator_version, hash INTO last, head FROM combatlog.ledger_events
    WHERE originator_id = encounter ORDER BY originator_version DESC LIMIT 1;
    IF last IS NULL THEN
        head := combatlog.hash_before_beginning(first, topics[1], states[1]);
    ELSIF last >= first THEN
        RAISE unique_violation USING MESSAGE = 'another writer was faster', CONSTRAINT = 'ledger_events_pkey';
    ELSIF last < first - 1 THEN
        head := NULL;
    END IF;
    INSERT INTO combatlog.ledger_events (originator_id, originator_version, topic, state, hash)
    SELECT encounter, first + place - 1, topic, state, hash
    FROM unnest(topics, states, hashes, array_prepend(head, hashes))
        WITH ORDINALITY AS event (topic, state, hash, before, place)
    WHERE topic ~ '^[a-z][a-z_]*(\.[0-9]+)?$' AND length(topic) <= 100
        AND sha256(before || uuid_send(encounter) || int8send(first + place - 1) || convert_to(topic, 'UTF8')
            || '\x00'::bytea || state) = hash
        AND convert_from(state, 'UTF8')::jsonb @> jsonb_build_object('encounter', encounter, 'seq', first + place - 1);
    GET DIAGNOSTICS added = ROW_COUNT;
    IF 3 * added <> cardinality(topics) + cardinality(states) + cardinality(hashes) THEN
        PERFORM combatlog.refuse_events(encounter, first, head, topics, states, hashes);
        RAISE SQLSTATE 'CL002' USING MESSAGE = 'a rule or a trigger kept events from being recorded';
    END IF;
END $$;
