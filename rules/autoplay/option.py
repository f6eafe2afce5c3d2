"""The action interface: what a combatant could declare, what at, what it would cost and whom it would touch.

An option only answers. It never changes the battle that it was made from and never records anything.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ledger.events import Data, Position
from rules.autoplay.tags import Tags
from rules.engine.commands import Declaration
from rules.engine.refusal import Refusal


@dataclass(frozen=True)
class Aim:
    """What an option is aimed at: combatants, a place, or neither."""

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
    """What sort of action it is: strike, move, area, healing, ..."""
    actor: str
    weapon: str | None = None

    @property
    def id(self) -> str:
        """Tells it from every other option of its actor."""
        return f"{self.actor}:{self.name}:{self.weapon}" if self.weapon else f"{self.actor}:{self.name}"

    @property
    @abstractmethod
    def tags(self) -> Tags:
        """What it is, and what it costs as `resource.*`."""

    @property
    @abstractmethod
    def cost(self) -> dict[str, int]:
        """What it takes, by resource."""

    @abstractmethod
    def aims(self) -> Sequence[Aim]:
        """What is worth aiming it at. Whether that is legal is for `check` to say."""

    @abstractmethod
    def check(self, aim: Aim) -> None:
        """Refuse what its declaration would be refused with."""

    @abstractmethod
    def affected_positions(self, aim: Aim) -> list[Position]:
        """The squares that it would touch."""

    @abstractmethod
    def average_damage(self) -> float:
        """What it deals on a hit, on average and whoever is hit."""

    @abstractmethod
    def standing_at(self, place: Position) -> Option:
        """The same option if its actor stood there."""

    def look_closer(self, aim: Aim) -> bool:
        """Foresee exactly what was only hoped for so far; whether there was anything to find out.

        What is hoped for is never less than what is found.
        """
        return False

    def cost_at(self, aim: Aim) -> dict[str, int]:
        """What it takes at an aim, where that makes a difference."""
        return self.cost

    def is_open(self) -> bool:
        """Whether it can be done at all now, whatever it is aimed at."""
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
        """The squares that it can be aimed at from a place, in the order of their rows."""
        there = self.standing_at(origin)
        found = {place for aim in there.valid_aims() for place in there.target_positions(aim)}
        return sorted(found, key=lambda place: (place[1], place[0]))

    def target_positions(self, aim: Aim) -> list[Position]:
        """The squares that are aimed at, as against those that are touched."""
        return [aim.place] if aim.place is not None else self.affected_positions(aim)

    def declaration(self, aim: Aim) -> Declaration:
        """What a person would say to do it."""
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
    """The weapon attack that deals the most on average; the first by id where several do."""
    attacks = sorted((option for option in options if "attack.weapon" in option.tags), key=lambda option: option.id)
    return max(attacks, key=lambda option: option.average_damage(), default=None)
