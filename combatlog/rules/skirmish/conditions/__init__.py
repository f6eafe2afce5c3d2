"""Conditions: states that a figure or a player is in for a while."""
