"""Actions that a combatant can declare."""
