"""Squares, the space that combatants occupy, and paths between squares."""
