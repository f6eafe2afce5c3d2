"""Conditions: the states that combatants can be in, how long they last, and what they contribute to chains."""
