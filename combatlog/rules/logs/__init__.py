"""The logs of other tools: reading them, and writing their fights down as events of the ruleset `recorded`."""
