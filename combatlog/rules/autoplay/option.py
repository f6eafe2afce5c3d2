"""The interface of an option: what a combatant could declare, its targets, its cost, and whom it would affect.

An option only answers questions. It never changes the battle that it was made from, and records nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from combatlog.rules.autoplay.tags import Tags
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Data, Position


@dataclass(frozen=True)
class Aim:
    """What an option is aimed at: combatants, a square, or neither."""

    targets: tuple[str, ...] = ()
    place: Position | None = None
    options: Data = field(default_factory=dict, compare=False)

    @property
    def words(self) -> str:
        where = f"to {self.place[0]},{self.place[1]}" if self.place is not None else ""
        how = ", ".join(f"{key} {value}" for key, value in self.options.items())
        return " ".join(part for part in (", ".join(self.targets), where, how) if part)


class Option(ABC):
    """Something that a combatant could do."""

    name: str
    archetype: str
    """What kind of action it is: strike, move, area, healing, ..."""
    actor: str
    weapon: str | None = None
    concerns: ClassVar[tuple[str, ...] | None] = None
    """The metrics that can count for or against it, for options with hundreds of aims; None: all of them."""

    @property
    def id(self) -> str:
        """Unique among the options of its actor."""
        return f"{self.actor}:{self.name}:{self.weapon}" if self.weapon else f"{self.actor}:{self.name}"

    @property
    @abstractmethod
    def tags(self) -> Tags:
        """What it is, and what it costs as `resource.*`."""

    @property
    @abstractmethod
    def cost(self) -> dict[str, int]:
        """What it costs, by resource."""

    @abstractmethod
    def aims(self) -> Sequence[Aim]:
        """The aims worth considering. `check` tells whether they are legal."""

    @abstractmethod
    def check(self, aim: Aim) -> None:
        """Refuse an aim just as its declaration would be refused."""

    @abstractmethod
    def affected_positions(self, aim: Aim) -> list[Position]:
        """The squares that it would affect."""

    @abstractmethod
    def average_damage(self) -> float:
        """The average damage of a hit, whoever is hit."""

    @abstractmethod
    def standing_at(self, place: Position) -> Option:
        """The same option, with its actor at another square."""

    def bound(self, aim: Aim) -> float | None:
        """A number that its score cannot exceed, if that is cheap to tell; None: it has to be scored."""
        return None

    def look_closer(self, aim: Aim) -> bool:
        """Replace an optimistic estimate by an exact one; returns whether there was anything to find out.

        An estimate is never lower than the exact value.
        """
        return False

    def cost_at(self, aim: Aim) -> dict[str, int]:
        """What it costs at an aim, if that makes a difference."""
        return self.cost

    def is_open(self) -> bool:
        """Whether it can be used now at all, whatever the aim."""
        return True

    def permits(self, aim: Aim) -> bool:
        try:
            self.check(aim)
        except Refusal:
            return False
        return True

    def valid_aims(self) -> list[Aim]:
        return [aim for aim in self.aims() if self.permits(aim)] if self.is_open() else []

    def valid_positions(self, origin: Position) -> list[Position]:
        """The squares that it can be aimed at from a square, row by row."""
        there = self.standing_at(origin)
        found = {place for aim in there.valid_aims() for place in there.target_positions(aim)}
        return sorted(found, key=lambda place: (place[1], place[0]))

    def target_positions(self, aim: Aim) -> list[Position]:
        """The squares that are aimed at, in contrast to those that are affected."""
        return [aim.place] if aim.place is not None else self.affected_positions(aim)

    def declaration(self, aim: Aim) -> Declaration:
        """The declaration that a person would make."""
        return Declaration(
            actor=self.actor,
            action=self.name,
            targets=aim.targets,
            destination=aim.place,
            weapon=self.weapon,
            options=dict(aim.options),
        )

    def words(self, aim: Aim) -> str:
        means = f"with {self.weapon}" if self.weapon else ""
        return " ".join(part for part in (self.name.replace("_", " "), aim.words, means) if part)


def best_weapon_attack(options: Iterable[Option]) -> Option | None:
    """The weapon attack with the highest average damage; the first by id among equals."""
    attacks = sorted((option for option in options if "attack.weapon" in option.tags), key=lambda option: option.id)
    return max(attacks, key=lambda option: option.average_damage(), default=None)
