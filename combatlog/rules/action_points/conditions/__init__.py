"""Conditions: states that a combatant is in for a while, and what they do."""
