"""The actions that every combatant can take, and what they grant."""
