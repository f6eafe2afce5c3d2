"""Stat blocks and spells as other tools publish them, one reader for each format. Knows no ruleset."""
