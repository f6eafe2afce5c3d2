"""Spells that are more than an archetype with options."""
