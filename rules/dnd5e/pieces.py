"""What the ruleset is made of. Each ability, action, feature and condition is one small piece, found by its name.

To add one: a class with the `@piece` decorator in the folder of its type. Nothing else has to know of it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, TypeVar

from ledger.events import Declared
from projections.combatant import Combatant
from rules.chain import Modifier
from rules.dnd5e.economy import pay, require
from rules.table import Table

if TYPE_CHECKING:
    from rules.dnd5e.attack import Attack


class Piece:
    """Anything with a name. Its ref is `dnd5e:type:name`."""

    type: ClassVar[str]
    name: ClassVar[str]

    @property
    def ref(self) -> str:
        return f"dnd5e:{self.type}:{self.name}"


class Activity(Piece):
    """Something that is declared: it costs something and does something."""

    cost: ClassVar[dict[str, int]] = {}

    def check(self, table: Table, actor: Combatant, declared: Declared) -> None:
        """Refuse what cannot be done now. The cost has been checked already."""

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        raise NotImplementedError(f"{self.ref} does nothing")

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        require(actor, self.cost)
        self.check(table, actor, declared)
        pay(table, actor, self.cost, self.name)
        self.perform(table, actor, declared)


class Ability(Activity):
    """Everybody has it: it spends the economy and grants capacity, actions or conditions."""

    type = "ability"


class Action(Activity):
    """The doing: it spends capacity."""

    type = "action"


class Contributor(Piece):
    """Something that adds to chains while its owner has it. It says what and why; the chains do not know it."""

    def on_attack(self, attack: Attack, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the attack chain of any attack in the fight."""
        return ()

    def on_damage(self, attack: Attack, owner: Combatant) -> Iterable[Modifier]:
        """Contributions to the damage chain of any attack that hit."""
        return ()


class Condition(Contributor):
    """Something that holds for a combatant for a while."""

    type = "condition"


class Feature(Contributor):
    """Something a class, a race or a creature has."""

    type = "feature"


class Reaction(Piece):
    """Something that can be done in a window of somebody else's attack."""

    moment: ClassVar[str]

    def obstacle(self, attack: Attack, reactor: Combatant) -> str | None:
        """Why it is not offered, in words; None when it is. The reaction itself is known to be unspent."""
        raise NotImplementedError(f"{self.ref} does not say when it may be used")

    def is_useful(self, attack: Attack, reactor: Combatant) -> bool:
        """Whether it could change the outcome."""
        return True


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
    for folder in ("abilities", "actions", "features", "conditions"):
        package = importlib.import_module(f"rules.dnd5e.{folder}")
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{module.name}")


T = TypeVar("T", bound=Piece)


def pieces_of(kind: type[T]) -> dict[str, T]:
    """All pieces of a sort, by name."""
    return {instance.name: instance for instance in PIECES.values() if isinstance(instance, kind)}
