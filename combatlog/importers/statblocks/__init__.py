"""Stat blocks and spells of other tools, one reader for each format. They know no ruleset."""
