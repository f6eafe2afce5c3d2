"""Avrae's recordings, as the FIREBALL data set has them: one JSON document a line."""

from rules.logs.fireball.reader import Fireball

__all__ = ["Fireball"]
