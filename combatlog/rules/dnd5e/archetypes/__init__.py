"""Archetypes: patterns with options, from which spells, features and actions are made."""
