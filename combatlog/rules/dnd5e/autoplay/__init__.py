"""The automatic player: the options of a combatant, their expected outcomes, and the worth of those."""
