"""Archetypes: the patterns, each with options, that spells, features and actions can be made from."""
