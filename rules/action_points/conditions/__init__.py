"""Conditions: what holds for a combatant for a while, and what it does."""
