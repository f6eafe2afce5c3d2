"""Logs of other tools. One reader per format writes their fights as events of the ruleset `recorded`."""
