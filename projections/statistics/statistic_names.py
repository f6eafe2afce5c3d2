"""The names of statistics, of their groupings, and of figures.

They have a module of their own, so that importing the names loads nothing else.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from ledger.errors import Problem, suggest

Name = TypeVar("Name", bound=StrEnum)


class Statistic(StrEnum):
    HITS = "hits"
    DAMAGE = "damage"
    TAKEN = "taken"
    HEALING = "healing"
    DEATHS = "deaths"
    ROLLS = "rolls"
    REACTIONS = "reactions"
    ECONOMY = "economy"
    TURNS = "turns"
    CONDITIONS = "conditions"
    CORRECTIONS = "corrections"
    LUCK = "luck"
    COMPARE = "compare"


class By(StrEnum):
    ACTOR = "actor"
    ACTION = "action"
    ROUND = "round"
    SIDE = "side"
    WEAPON = "weapon"
    SOURCE = "source"


class Figure(StrEnum):
    DAMAGE = "damage"
    HITS = "hits"
    LUCK = "luck"
    REACTIONS = "reactions"
    DICE = "dice"
    TIMELINE = "timeline"
    HIT_POINTS = "hit-points"
    HEAT_MAP = "heat-map"


def named(kind: type[Name], name: str) -> Name:
    """One of these names, as typed by a user."""
    try:
        return kind(name)
    except ValueError as error:
        known = [known.value for known in kind]
        raise Problem(
            "stats/unknown-name",
            f"{name!r} is not among {', '.join(known)}.",
            name=name,
            available=known,
            suggestions=suggest(name, known),
        ) from error
