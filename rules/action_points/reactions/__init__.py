"""Reactions: the ways to answer an attack."""
