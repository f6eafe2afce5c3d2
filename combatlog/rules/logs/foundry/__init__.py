"""Foundry VTT with the system dnd5e: its chat messages, and the combats that are still in the world."""

from combatlog.rules.logs.foundry.reader import Foundry

__all__ = ["Foundry"]
