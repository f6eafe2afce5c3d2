-- An index of the events that label an encounter and the corrections that may take them back, for the list of encounters.
CREATE INDEX ledger_events_labels_idx ON combatlog.ledger_events (originator_id, originator_version)
    WHERE split_part(topic, '.', 1) IN ('encounter_labelled', 'undone', 'redone', 'amended');
