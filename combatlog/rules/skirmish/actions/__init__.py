"""Actions that a player can declare for a figure."""
