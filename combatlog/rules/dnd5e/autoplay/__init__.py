"""The automatic player: which options a combatant has, how each would turn out, and what that is worth."""
