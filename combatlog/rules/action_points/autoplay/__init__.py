"""Automatic play: the options of a combatant and their worth."""
