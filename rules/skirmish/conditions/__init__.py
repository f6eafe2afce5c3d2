"""Conditions: what holds for a figure or a player for a while."""
