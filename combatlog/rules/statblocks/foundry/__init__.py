"""Foundry VTT: actors of its dnd5e system, as it exports them."""
