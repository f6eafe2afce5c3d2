"""Casting spells, concentration, and spells that need more than an archetype."""
