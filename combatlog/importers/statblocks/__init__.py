"""Stat blocks and spells of other tools, with one reader per format. The readers do not depend on a ruleset."""
