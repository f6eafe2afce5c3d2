"""What the ruleset is made of. Each action, reaction and condition is one small piece, found by its name.

To add one: a class with the `@piece` decorator in the folder of its type. Nothing else has to know of it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, TypeVar

from ledger.events import Declared
from projections import combatant as state
from projections.battle import Battle
from projections.combatant import Combatant
from rules.action_points.economy import EITHER_PAYMENT, Effort
from rules.chain import Modifier
from rules.refusal import Refusal
from rules.table import Table

if TYPE_CHECKING:
    from rules.action_points.assault import Assault, Stand
    from rules.action_points.checks import Attempt


class Piece:
    """Anything with a name. Its ref is `action_points:type:name`."""

    type: ClassVar[str]
    name: ClassVar[str]

    @property
    def ref(self) -> str:
        return f"action_points:{self.type}:{self.name}"


class Activity(Piece):
    """Something that can be declared."""

    type = "action"
    cost: ClassVar[str]
    listed: ClassVar[bool] = True
    """Whether menus show it."""

    def require(self, battle: Battle, actor: Combatant) -> None:
        """Refuse what the actor cannot do now, whatever else the declaration says. The menu asks this, too."""

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        """Refuse what is not legal, and record what follows."""
        self.require(table.battle, actor)


class Reaction(Piece):
    """A way to answer an attack."""

    type = "reaction"
    cost: ClassVar[str] = EITHER_PAYMENT
    preference: ClassVar[int]
    """Where it stands among the answers to an attack: those with less are offered first."""

    def require(self, reactor: Combatant, assault: Assault | None) -> None:
        """Refuse what the reactor cannot answer with. Without an attack: what it could answer none with now."""

    def answer(self, table: Table, assault: Assault, effort: Effort) -> Stand:
        raise NotImplementedError(f"{self.ref} does nothing")


class Condition(Piece):
    """Something that holds for a combatant for a while. It says what it does; nothing else knows it."""

    type = "condition"

    def forbids_acting(self, owner: Combatant) -> Refusal | None:
        return None

    def on_skill(self, attempt: Attempt, held: state.Condition) -> Iterable[Modifier]:
        """Contributions to every use of a skill by its owner."""
        return ()

    def at_round_end(self, table: Table, owner: Combatant, held: state.Condition) -> None:
        """What it does to its owner at the end of each round."""


PIECES: dict[str, Piece] = {}
"""Every piece by ref."""

P = TypeVar("P", bound=type[Piece])


def piece(cls: P) -> P:
    """Make a piece known."""
    instance = cls()
    if instance.ref in PIECES:
        raise ValueError(f"{instance.ref} is there twice")
    PIECES[instance.ref] = instance
    return cls


def load_pieces() -> None:
    """Import every module in the folders of pieces."""
    for folder in ("actions", "reactions", "conditions"):
        package = importlib.import_module(f"rules.action_points.{folder}")
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{module.name}")


T = TypeVar("T", bound=Piece)


def pieces_of(kind: type[T]) -> dict[str, T]:
    """All pieces of a sort, by name."""
    return {instance.name: instance for instance in PIECES.values() if isinstance(instance, kind)}


def held_by(owner: Combatant) -> list[tuple[Condition, state.Condition]]:
    """The conditions that hold for somebody, each with its piece. One that a ruling made up does nothing."""
    found = [(PIECES.get(held.ref), held) for held in owner.conditions.values()]
    return [(known, held) for known, held in found if isinstance(known, Condition)]
