"""Logs of other tools: one reader for each format, which write their fights as events of the ruleset `recorded`."""
