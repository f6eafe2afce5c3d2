"""Chat archives of Roll20, saved as a page."""

from combatlog.rules.logs.roll20.reader import Roll20

__all__ = ["Roll20"]
