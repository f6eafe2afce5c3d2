"""The registry of archetypes, and the types of their options: names, distances, dice, conditions and durations.
To add an archetype, write a class with `@archetype` and `@options` in this folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field

from combatlog.rules.content.files import shipped_file
from combatlog.rules.dnd5e.conditions.durations_and_end_of_turn_saves import (
    for_a_minute,
    for_an_hour,
    until_end_of_next_turn,
    until_next_turn,
)
from combatlog.rules.dnd5e.creatures.sheet import PACKAGE
from combatlog.rules.dnd5e.enums import AbilityScore
from combatlog.rules.dnd5e.pieces import PIECES, Dnd5eCondition, pieces_of
from combatlog.rules.engine.pieces import Archetypes, options
from combatlog.rules.engine.refusal import choices
from ledger.events import Data, Until
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

__all__ = ["ARCHETYPES", "archetype", "options"]

ARCHETYPES = Archetypes(
    "combatlog.rules.dnd5e.archetypes", {"spells": "spell", "features": "feature", "actions": "action"}
)
archetype = ARCHETYPES.add


def load_made() -> None:
    """Make the ruleset's own pieces from data. Call it once all conditions are loaded: the data may name them."""
    ARCHETYPES.load()
    for section in ("features", "spells"):
        for name, definition in shipped_file(PACKAGE, section).items():
            PIECES.include(ARCHETYPES.made_from(section, name, definition))


MAX_DICE = 40
MAX_SIDES = 20
"""Limits, because the automatic player computes every possible sum of the dice."""


def _is_name(name: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name, re.ASCII):
        raise ValueError("write lower-case words joined by _, such as ice_bolt")
    return name


PieceName = Annotated[str, Field(max_length=40), AfterValidator(_is_name)]
"""The name of a piece in sheets, declarations and the log."""
Words = Annotated[str, Field(min_length=1, max_length=80)]
Feet = Annotated[int, Field(ge=0, le=1000, multiple_of=5)]
Size = Annotated[int, Field(ge=5, le=200, multiple_of=5)]
Few = Annotated[int, Field(ge=1, le=20)]
Growth = Annotated[int, Field(ge=0, le=2)]


# Dice


@dataclass(frozen=True, slots=True)
class DiceAmount:
    """Dice of one size, plus a number."""

    count: int
    sides: int
    plus: int = 0

    @classmethod
    def of(cls, text: str) -> DiceAmount:
        found = re.fullmatch(r"([0-9]{1,2})d([0-9]{1,3})(?:([+-][0-9]{1,3}))?", text)
        if found is None:
            raise ValueError("write dice like 2d6 or 1d4+1")
        throw = cls(int(found[1]), int(found[2]), int(found[3] or 0))
        if not (1 <= throw.count <= MAX_DICE and 1 <= throw.sides <= MAX_SIDES):
            raise ValueError(f"at most {MAX_DICE} dice with at most {MAX_SIDES} sides can be rolled at once")
        return throw

    def more(self, dice: int) -> DiceAmount:
        return replace(self, count=self.count + dice)

    def times(self, number: int) -> DiceAmount:
        return DiceAmount(self.count * number, self.sides, self.plus * number)

    @property
    def highest(self) -> int:
        return self.count * self.sides + self.plus

    @property
    def notation(self) -> str:
        return f"{self.count}d{self.sides}" + (f"{self.plus:+d}" if self.plus else "")


def _is_throw(text: str) -> str:
    DiceAmount.of(text)
    return text


DiceText = Annotated[str, AfterValidator(_is_throw), Field(json_schema_extra={"format": "dice like 2d6+1"})]


# Conditions

KEPT_BY_THE_RULES = (
    "dead",
    "dying",
    "stable",
    "concentrating",
    "readied",
    "halted",
    "squeezing",
    "airborne",
    "zone",
    "scathed",
    "sustaining",
    "drained",
)
"""Conditions that only the rules start and end; data cannot impose them."""


def _is_condition(name: str) -> str:
    known = [known for known in pieces_of(Dnd5eCondition) if known not in KEPT_BY_THE_RULES]
    if name not in known:
        raise ValueError(f"it names an unknown condition; choose {choices(sorted(known))}")
    return name


ConditionName = Annotated[
    str, AfterValidator(_is_condition), Field(json_schema_extra={"format": "a condition like poisoned"})
]


class ConditionDuration(StrEnum):
    """How long a condition lasts."""

    NEXT_TURN = "next_turn"
    END_OF_NEXT_TURN = "end_of_next_turn"
    MINUTE = "minute"
    HOUR = "hour"
    UNTIL_ENDED = "until_ended"

    def until(self, battle: Battle, whose: Combatant) -> Until | None:
        """The end, counted in turns of its source. None if something else ends it, such as standing up."""
        return _UNTIL[self](battle, whose)


_UNTIL: dict[ConditionDuration, Callable[[Battle, Combatant], Until | None]] = {
    ConditionDuration.NEXT_TURN: lambda battle, whose: until_next_turn(whose),
    ConditionDuration.END_OF_NEXT_TURN: until_end_of_next_turn,
    ConditionDuration.MINUTE: for_a_minute,
    ConditionDuration.HOUR: for_an_hour,
    ConditionDuration.UNTIL_ENDED: lambda battle, whose: None,
}


def condition_ref(name: str) -> str:
    return f"dnd5e:condition:{name}"


def saved_again(ability: AbilityScore, against: int) -> Data:
    """The data of a condition with a save at the end of each turn."""
    return {"save": ability.value, "against": against}


Difficulty = Annotated[int, Field(ge=1, le=30)]
