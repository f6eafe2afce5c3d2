"""Conditions: temporary states of a figure or a player."""
