"""Conditions: the states that combatants can be in, and what they contribute to chains."""
