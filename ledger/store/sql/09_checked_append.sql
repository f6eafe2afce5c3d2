-- Appending refuses rows that are not events: one bad row would break every reader of the encounter. A refusal has the
-- SQLSTATE CL001, the reason as the end of a sentence, and the seq of the event as its detail.

-- The hash before an encounter's first event: zeros for an opening, and for a fork the hash of the last event that it
-- shares, which is stored with the encounter in which it was played. NULL if such an event cannot be the first.
CREATE FUNCTION combatlog.hash_before_beginning(first bigint, topic text, state bytea) RETURNS bytea
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    fork jsonb;
    origin uuid;
    found bytea;
BEGIN
    IF split_part(topic, '.', 1) = 'encounter_opened' AND first = 1 THEN
        RETURN decode(repeat('00', 32), 'hex');
    ELSIF split_part(topic, '.', 1) <> 'forked' THEN
        RETURN NULL;
    END IF;
    fork := convert_from(state, 'UTF8')::jsonb;
    IF fork -> 'at' = to_jsonb(first - 1) THEN
        origin := (fork ->> 'parent')::uuid;
    END IF;
    FOR depth IN 1 .. 64 LOOP
        SELECT hash INTO found FROM combatlog.ledger_events
        WHERE originator_id = origin AND originator_version = first - 1;
        EXIT WHEN found IS NOT NULL OR origin IS NULL;
        origin := (
            SELECT (convert_from(e.state, 'UTF8')::jsonb ->> 'parent')::uuid FROM combatlog.ledger_events e
            WHERE e.originator_id = origin AND split_part(e.topic, '.', 1) = 'forked' AND e.originator_version >= first
        );
    END LOOP;
    RETURN found;
END $$;
REVOKE ALL ON FUNCTION combatlog.hash_before_beginning(bigint, text, bytea) FROM PUBLIC;

-- Reports why events were refused, if the events are the reason. It is called only then, so appending pays nothing for it.
CREATE FUNCTION combatlog.refuse_events(
    encounter uuid, first bigint, head bytea, topics text[], states bytea[], hashes bytea[]
) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    seq bigint := first;
    why text;
BEGIN
    IF head IS NULL AND first = 1 THEN
        why := 'an encounter has to be opened before anything else';
    ELSIF head IS NULL THEN
        why := format('event %s, which it has to follow, is neither in the encounter nor in what it shares', first - 1);
    ELSE
        SELECT first + place - 1, CASE
                WHEN topic IS NULL OR state IS NULL OR hash IS NULL THEN 'a part of it is missing'
                WHEN topic !~ '^[a-z][a-z_]*(\.[0-9]+)?$' OR length(topic) > 100 THEN 'its kind is not the name of a kind'
                WHEN NOT convert_from(state, 'UTF8')::jsonb
                    @> jsonb_build_object('encounter', encounter, 'seq', first + place - 1)
                    THEN 'its content belongs to another place'
                ELSE 'its hash does not match its content and the event before it'
            END
        INTO seq, why
        FROM unnest(topics, states, hashes, array_prepend(head, hashes))
            WITH ORDINALITY AS event (topic, state, hash, before, place)
        WHERE place <= greatest(cardinality(topics), cardinality(states), cardinality(hashes)) AND (
            topic ~ '^[a-z][a-z_]*(\.[0-9]+)?$' AND length(topic) <= 100
            AND sha256(before || uuid_send(encounter) || int8send(first + place - 1) || convert_to(topic, 'UTF8')
                || '\x00'::bytea || state) = hash
            AND convert_from(state, 'UTF8')::jsonb
                @> jsonb_build_object('encounter', encounter, 'seq', first + place - 1)
        ) IS NOT TRUE
        ORDER BY place LIMIT 1;
    END IF;
    IF why IS NOT NULL THEN
        RAISE SQLSTATE 'CL001' USING MESSAGE = why, DETAIL = seq::text;
    END IF;
END $$;
REVOKE ALL ON FUNCTION combatlog.refuse_events(uuid, bigint, bytea, text[], bytea[], bytea[]) FROM PUBLIC;

-- One statement checks and inserts, and the number of rows tells whether all of them passed. The slower of two writers
-- gets a unique violation first: its hashes do not fit either, but only because the other one was faster.
CREATE OR REPLACE FUNCTION combatlog.append_events(
    encounter uuid, first bigint, topics text[], states bytea[], hashes bytea[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    last bigint;
    head bytea;
    added bigint;
BEGIN
    IF NOT pg_try_advisory_xact_lock_shared(x'434C'::integer, uuid_hash(encounter)) THEN
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

-- Notification ids come from a sequence. If rows were restored without it (by pg_restore of the data alone), it would
-- draw ids that are taken. No rows are added while it is moved, and it is only moved forward.
CREATE FUNCTION combatlog.catch_up_sequence() RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    highest bigint;
BEGIN
    SELECT max(notification_id) INTO highest FROM combatlog.ledger_events;
    IF highest <= coalesce(pg_sequence_last_value('combatlog.ledger_events_notification_id_seq'), 0)
        OR highest IS NULL THEN
        RETURN false;
    END IF;
    LOCK TABLE combatlog.ledger_events IN SHARE ROW EXCLUSIVE MODE;
    SELECT max(notification_id) INTO highest FROM combatlog.ledger_events;
    IF highest > coalesce(pg_sequence_last_value('combatlog.ledger_events_notification_id_seq'), 0) THEN
        PERFORM setval('combatlog.ledger_events_notification_id_seq', highest);
    END IF;
    RETURN true;
END $$;
COMMENT ON FUNCTION combatlog.catch_up_sequence() IS 'Moves the sequence of notification ids past those that are taken.';
REVOKE ALL ON FUNCTION combatlog.catch_up_sequence() FROM PUBLIC;
