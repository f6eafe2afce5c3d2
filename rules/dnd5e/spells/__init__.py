"""Spells: they cost an action, a bonus action or a reaction, and mostly a slot."""
