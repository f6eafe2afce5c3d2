"""Actions: what can be declared."""
