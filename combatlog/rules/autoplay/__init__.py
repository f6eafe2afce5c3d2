"""Automatic play: what a combatant can do, at what cost, and which choice is best. Knows no ruleset."""
