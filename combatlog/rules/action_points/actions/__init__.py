"""Actions that can be declared."""
