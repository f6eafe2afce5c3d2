"""Conditions and actions: each is one small piece in the folder of its type, found by its name.

To add one: a class with the `@piece` decorator. Nothing else has to know of it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, TypeVar

from projections.combatant import Combatant
from rules.skirmish.sheet import player_of
from rules.table import Table

if TYPE_CHECKING:
    from rules.skirmish.attack_state import Attack


class Piece:
    """Anything with a name. Its ref is `skirmish:type:name`."""

    type: ClassVar[str]
    name: ClassVar[str]

    @property
    def ref(self) -> str:
        return f"skirmish:{self.type}:{self.name}"


class Condition(Piece):
    """Something that holds for a figure or a player for a while, and what it contributes to attacks."""

    type = "condition"

    def on_pools(self, attack: Attack, owner: Combatant) -> None:
        """Change the dice pools of an attack that the owner has a part in."""

    def on_results(self, attack: Attack, owner: Combatant) -> None:
        """Contribute to the results of an attack that the owner has a part in."""

    def after_attack(self, table: Table, attack: Attack, owner: Combatant) -> None:
        """Say what becomes of the condition when the attack is resolved."""


PIECES: dict[str, Piece] = {}
"""Every piece by ref."""

P = TypeVar("P", bound=type[Piece])
T = TypeVar("T", bound=Piece)


def piece(cls: P) -> P:
    """Make a piece known."""
    instance = cls()
    if instance.ref in PIECES:
        raise ValueError(f"{instance.ref} is there twice")
    PIECES[instance.ref] = instance
    return cls


def pieces_of(kind: type[T]) -> dict[str, T]:
    """All pieces of a sort, by name."""
    return {instance.name: instance for instance in PIECES.values() if isinstance(instance, kind)}


def load_pieces() -> None:
    """Import every module in the folders of pieces."""
    for folder in ("actions", "conditions"):
        package = importlib.import_module(f"rules.skirmish.{folder}")
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
            importlib.import_module(f"{package.__name__}.{module.name}")


def holders(attack: Attack) -> Iterator[tuple[Condition, Combatant]]:
    """The conditions of everybody who has a part in an attack: the two figures and their players."""
    figures = (attack.attacker, attack.defender)
    for owner in (*figures, *(player_of(attack.battle, figure) for figure in figures)):
        for held in list(owner.conditions):
            found = PIECES.get(held)
            if isinstance(found, Condition):
                yield found, owner
