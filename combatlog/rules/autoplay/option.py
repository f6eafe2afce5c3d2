"""The interface of an option: a possible declaration of a combatant, with its targets, its cost and its effects.

An option only answers questions. It never changes the battle that it was made from and records nothing. Its tags form a
hierarchy: `resource.spellslot.1` is a `resource.spellslot`, which is a `resource`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.refusal import Refusal
from ledger.events import Data, Position


class Tags:
    """A set of tags that knows their hierarchy. Iterates in alphabetical order."""

    def __init__(self, tags: Iterable[str] = ()) -> None:
        self._tags = frozenset(tags)
        self._all = frozenset(kind for tag in self._tags for kind in lineage(tag))

    def __contains__(self, tag: object) -> bool:
        """Whether one of the tags is this tag or a kind of it."""
        return tag in self._all

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._tags))

    def __or__(self, other: Iterable[str]) -> Tags:
        return Tags([*self, *other])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tags) and self._tags == other._tags

    def __hash__(self) -> int:
        return hash(self._tags)

    def __repr__(self) -> str:
        return f"Tags({', '.join(self)})"

    def below(self, tag: str) -> list[str]:
        """The tags that are this tag or a kind of it."""
        return [own for own in self if tag in lineage(own)]


def lineage(tag: str) -> list[str]:
    """The tag and its parents in the hierarchy, the nearest first."""
    parts = tag.split(".")
    return [".".join(parts[:length]) for length in range(len(parts), 0, -1)]


@dataclass(frozen=True)
class OptionAim:
    """The aim of an option: combatants, a square, or neither."""

    targets: tuple[str, ...] = ()
    place: Position | None = None
    options: Data = field(default_factory=dict, compare=False)

    @property
    def words(self) -> str:
        where = f"to {self.place[0]},{self.place[1]}" if self.place is not None else ""
        how = ", ".join(f"{key} {value}" for key, value in self.options.items())
        return " ".join(part for part in (", ".join(self.targets), where, how) if part)


class Option(ABC):
    """A possible declaration of a combatant."""

    name: str
    archetype: str
    """The kind of action: strike, move, area, healing, ..."""
    actor: str
    weapon: str | None = None
    concerns: ClassVar[tuple[str, ...] | None] = None
    """For options with hundreds of aims, the metrics that can be relevant to them; None for all metrics."""

    @property
    def id(self) -> str:
        """Unique among the options of its actor."""
        return f"{self.actor}:{self.name}:{self.weapon}" if self.weapon else f"{self.actor}:{self.name}"

    @property
    @abstractmethod
    def tags(self) -> Tags:
        """Its kinds, and its costs as `resource.*`."""

    @property
    @abstractmethod
    def cost(self) -> dict[str, int]:
        """The cost by resource."""

    @abstractmethod
    def aims(self) -> Sequence[OptionAim]:
        """The aims worth considering. `check` refuses the illegal ones."""

    @abstractmethod
    def check(self, aim: OptionAim) -> None:
        """Refuse an aim just as its declaration would be refused."""

    @abstractmethod
    def affected_positions(self, aim: OptionAim) -> list[Position]:
        """The squares that the option would affect."""

    @abstractmethod
    def average_damage(self) -> float:
        """The average damage of a hit, on any target."""

    @abstractmethod
    def standing_at(self, place: Position) -> Option:
        """The same option, with its actor at another square."""

    def bound(self, aim: OptionAim) -> float | None:
        """An upper bound of its score, if that is cheap to compute; None if it has to be scored."""
        return None

    def look_closer(self, aim: OptionAim) -> bool:
        """Replace an optimistic estimate by an exact value. Returns whether there was an estimate to replace.

        An estimate is never lower than the exact value.
        """
        return False

    def cost_at(self, aim: OptionAim) -> dict[str, int]:
        """The cost at an aim, if it depends on the aim."""
        return self.cost

    def is_open(self) -> bool:
        """Whether the option can be used now at any aim."""
        return True

    def permits(self, aim: OptionAim) -> bool:
        try:
            self.check(aim)
        except Refusal:
            return False
        return True

    def valid_aims(self) -> list[OptionAim]:
        return [aim for aim in self.aims() if self.permits(aim)] if self.is_open() else []

    def valid_positions(self, origin: Position) -> list[Position]:
        """The squares that the option can be aimed at from a square, row by row."""
        there = self.standing_at(origin)
        found = {place for aim in there.valid_aims() for place in there.target_positions(aim)}
        return sorted(found, key=lambda place: (place[1], place[0]))

    def target_positions(self, aim: OptionAim) -> list[Position]:
        """The squares that are aimed at, as opposed to those affected."""
        return [aim.place] if aim.place is not None else self.affected_positions(aim)

    def declaration(self, aim: OptionAim) -> Declaration:
        """The declaration that a player would make."""
        return Declaration(
            actor=self.actor,
            action=self.name,
            targets=aim.targets,
            destination=aim.place,
            weapon=self.weapon,
            options=dict(aim.options),
        )

    def words(self, aim: OptionAim) -> str:
        means = f"with {self.weapon}" if self.weapon else ""
        return " ".join(part for part in (self.name.replace("_", " "), aim.words, means) if part)


def best_weapon_attack(options: Iterable[Option]) -> Option | None:
    """The weapon attack with the highest average damage; ties go to the first by id."""
    attacks = sorted((option for option in options if "attack.weapon" in option.tags), key=lambda option: option.id)
    return max(attacks, key=lambda option: option.average_damage(), default=None)
