"""Squares, the space that combatants take up, and paths between squares."""
