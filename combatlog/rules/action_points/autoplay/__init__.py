"""Automatic play: what a combatant can do, and what it is worth."""
