"""Spells and items: data, and the effects they are made of."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from ledger.events import Until, UntilMoment
from projections.combatant import Combatant
from rules.action_points.vitality import queue_healing
from rules.content.shipped import shipped_file
from rules.engine.table import Table

PACKAGE = "rules.action_points"
MOST = 99
"""Points, levels and rounds of one effect."""
FARTHEST = 500
"""Metres."""


class StrictModel(BaseModel):
    """Data that cannot be changed, and has no fields but those declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Heal(StrictModel):
    """Points for a pending healing pool."""

    does: Literal["heal"]
    pool: Literal["fat", "vit"]
    points: int = Field(ge=1, le=MOST)

    def apply(self, table: Table, source: str, user: Combatant, target: Combatant) -> None:
        queue_healing(table, target, self.pool, self.points, source.rsplit(":", 1)[1], source)


class Affect(StrictModel):
    """A condition that holds for some rounds, this one included."""

    does: Literal["affect"]
    condition: str
    level: int = Field(default=1, ge=1, le=MOST)
    rounds: int = Field(ge=1, le=MOST)

    def apply(self, table: Table, source: str, user: Combatant, target: Combatant) -> None:
        last = table.battle.clock.round + self.rounds - 1
        until = Until(moment=UntilMoment.ROUND_END, round=last)
        table.apply_condition(
            target, _condition(self.condition), source=source, owner=user.id, until=until, level=self.level
        )


class Cure(StrictModel):
    """The end of a condition, if it holds."""

    does: Literal["cure"]
    condition: str

    def apply(self, table: Table, source: str, user: Combatant, target: Combatant) -> None:
        if target.has(_condition(self.condition)):
            table.remove_condition(target, _condition(self.condition), source.rsplit(":", 1)[1])


Effect = Annotated[Heal | Affect | Cure, Field(discriminator="does")]


class Opposed(StrictModel):
    """The TV is what the target rolls with this skill."""

    against: str = Field(min_length=1, max_length=40)


class Spell(StrictModel):
    """A spell: the skill and the target value of casting it, how far it reaches, and what it does."""

    skill: str = Field(min_length=1, max_length=40)
    range: int = Field(ge=0, le=FARTHEST, description="metres")
    attack: bool = Field(default=False, description="answered like an attack, and does damage by its success value")
    tv: Annotated[int, Field(ge=-MOST, le=MOST)] | Opposed | None = Field(
        default=None, description="what the casting has to reach: a number, or what the target rolls"
    )
    effects: tuple[Effect, ...] = Field(default=(), max_length=20)


class Item(StrictModel):
    """An item: what using it does. It needs no roll."""

    range: int = Field(default=1, ge=0, le=FARTHEST, description="metres to whom it is used on")
    effects: tuple[Effect, ...] = Field(max_length=20)


class OwnSpell(Spell):
    """A spell that a sheet brings along."""

    name: str


class OwnItem(Item):
    """Items that a sheet brings along, and how many of them."""

    count: int = Field(ge=1, le=99)


def conditions_in(content: Spell | Item) -> list[str]:
    """The conditions that its effects name."""
    return [effect.condition for effect in content.effects if isinstance(effect, Affect | Cure)]


def _condition(name: str) -> str:
    return f"action_points:condition:{name}"


SPELLS = MappingProxyType(TypeAdapter(dict[str, Spell]).validate_python(shipped_file(PACKAGE, "spells")))
ITEMS = MappingProxyType(TypeAdapter(dict[str, Item]).validate_python(shipped_file(PACKAGE, "items")))
