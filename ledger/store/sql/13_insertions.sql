-- An insertion may change which labels stand, like an undo.
DROP INDEX combatlog.ledger_events_labels_idx;
CREATE INDEX ledger_events_labels_idx ON combatlog.ledger_events (originator_id, originator_version)
    WHERE split_part(topic, '.', 1) IN ('encounter_labelled', 'undone', 'redone', 'amended', 'inserted');
