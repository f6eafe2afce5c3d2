"""Archetypes: what spells, features and actions can be made of, with options, by name."""
