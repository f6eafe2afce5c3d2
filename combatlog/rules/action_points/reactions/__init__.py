"""Reactions: the ways to defend against an attack."""
