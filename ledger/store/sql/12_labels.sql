-- Which labels the encounters of a page have, without reading the encounters: what labels them, and what may take it back.
CREATE INDEX ledger_events_labels_idx ON combatlog.ledger_events (originator_id, originator_version)
    WHERE split_part(topic, '.', 1) IN ('encounter_labelled', 'undone', 'redone', 'amended');
