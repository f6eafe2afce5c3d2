"""Casting spells, concentration, and the spells that are more than an archetype with options."""
