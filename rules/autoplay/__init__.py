"""Choosing: what can be done, where, at what cost, and which is best. Knows no ruleset."""
