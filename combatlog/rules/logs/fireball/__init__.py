"""Avrae's recordings, as the FIREBALL data set has them: one JSON document a line."""

from combatlog.rules.logs.fireball.reader import Fireball

__all__ = ["Fireball"]
