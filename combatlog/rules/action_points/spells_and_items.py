"""Spells and items: data, made of a few kinds of effects."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, model_validator

from combatlog.rules.action_points.equipment import Harmful, StrictModel
from combatlog.rules.action_points.tables import SECONDS_PER_ROUND
from combatlog.rules.action_points.vitality import queue_healing
from combatlog.rules.content.shipped import shipped_file
from combatlog.rules.engine.table import Table
from ledger.events import Until, UntilMoment
from projections.combatant import Combatant

PACKAGE = "combatlog.rules.action_points"
MOST = 99
"""The most points, levels or rounds that an effect can have."""
FARTHEST = 500
"""The longest range, in metres."""


class Heal(StrictModel):
    """Adds points to a pending healing pool."""

    does: Literal["heal"]
    pool: Literal["fat", "vit"]
    points: int = Field(ge=1, le=MOST)

    def apply(self, table: Table, source: str, user: Combatant, target: Combatant) -> None:
        queue_healing(table, target, self.pool, self.points, source.rsplit(":", 1)[1], source)


class Affect(StrictModel):
    """Applies a condition for some rounds, including the current one. A round takes 3 seconds."""

    does: Literal["affect"]
    condition: str
    level: int = Field(default=1, ge=1, le=MOST)
    rounds: int | None = Field(default=None, ge=1, le=MOST)
    seconds: int | None = Field(default=None, ge=1, le=MOST * SECONDS_PER_ROUND)

    @model_validator(mode="after")
    def _one_duration(self) -> Affect:
        if (self.rounds is None) == (self.seconds is None):
            raise ValueError("give either rounds or seconds")
        return self

    @property
    def lasts(self) -> int:
        """In rounds; those that have begun count in full."""
        return self.rounds or -(-(self.seconds or 0) // SECONDS_PER_ROUND)

    def apply(self, table: Table, source: str, user: Combatant, target: Combatant) -> None:
        last = table.battle.clock.round + self.lasts - 1
        until = Until(moment=UntilMoment.ROUND_END, round=last)
        table.apply_condition(
            target, _condition(self.condition), source=source, owner=user.id, until=until, level=self.level
        )


class Cure(StrictModel):
    """Ends a condition, if the target has it."""

    does: Literal["cure"]
    condition: str

    def apply(self, table: Table, source: str, user: Combatant, target: Combatant) -> None:
        if target.has(_condition(self.condition)):
            table.remove_condition(target, _condition(self.condition), source.rsplit(":", 1)[1])


Effect = Annotated[Heal | Affect | Cure, Field(discriminator="does")]


class Opposed(StrictModel):
    """The TV is what the target rolls with this skill."""

    against: str = Field(min_length=1, max_length=40)


class Spell(Harmful):
    """A spell: the skill and the target value to cast it, its range, and what it does."""

    skill: str = Field(min_length=1, max_length=40)
    range: int = Field(ge=0, le=FARTHEST, description="metres")
    attack: bool = Field(
        default=False,
        description="whether it is an attack, with defences and damage",
    )
    tv: Annotated[int, Field(ge=-MOST, le=MOST)] | Opposed | None = Field(
        default=None, description="the target value to cast it: a number, or an opposed roll"
    )
    effects: tuple[Effect, ...] = Field(default=(), max_length=20)


class Item(StrictModel):
    """An item: what using it does. Using it needs no roll."""

    range: int = Field(default=1, ge=0, le=FARTHEST, description="metres to the target")
    effects: tuple[Effect, ...] = Field(max_length=20)


class OwnSpell(Spell):
    """A spell that a sheet describes itself."""

    name: str


class OwnItem(Item):
    """An item that a sheet describes itself, and how many of it there are."""

    count: int = Field(ge=1, le=99)


def conditions_in(content: Spell | Item) -> list[str]:
    """The conditions that its effects apply or end."""
    return [effect.condition for effect in content.effects if isinstance(effect, Affect | Cure)]


def _condition(name: str) -> str:
    return f"action_points:condition:{name}"


SPELLS = MappingProxyType(TypeAdapter(dict[str, Spell]).validate_python(shipped_file(PACKAGE, "spells")))
ITEMS = MappingProxyType(TypeAdapter(dict[str, Item]).validate_python(shipped_file(PACKAGE, "items")))
