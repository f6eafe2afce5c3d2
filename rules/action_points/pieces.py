"""What the ruleset is made of. Each action, reaction and condition is one small piece, found by its name.

To add one: a class with the `@piece` decorator in the folder of its type. Nothing else has to know of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from ledger.events import Data, Declared
from projections import combatant as state
from projections.battle import Battle
from projections.combatant import Combatant
from rules.action_points.economy import EITHER_PAYMENT
from rules.engine.chain import Modifier
from rules.engine.options import Options, Part, Said, Signature
from rules.engine.pieces import Piece, Pieces
from rules.engine.refusal import Refusal
from rules.engine.table import Table

if TYPE_CHECKING:
    from rules.action_points.assault import Assault, Stand
    from rules.action_points.checks import Attempt


PIECES = Pieces("rules.action_points", "actions", "reactions", "conditions")
piece = PIECES.add
OptionsModel = type[Options]
"""Named, because in a piece `type` is the type of its ref."""


class ActionPointsPiece(Piece):
    ruleset = "action_points"

    @property
    def about(self) -> str:
        """What it does, in a sentence: the first line of its docstring."""
        return (type(self).__doc__ or "").split("\n")[0]


class Activity(ActionPointsPiece):
    """Something that can be declared."""

    type = "action"
    cost: ClassVar[str]
    listed: ClassVar[bool] = True
    """Whether menus show it."""
    options: ClassVar[OptionsModel] = Options
    takes: ClassVar[frozenset[Part]] = frozenset()

    @cached_property
    def signature(self) -> Signature:
        return Signature(self.options, self.takes, self.about)

    def check_said(self, said: Said) -> None:
        """Refuse what this declaration would record without effect, where that depends on its other values."""

    def require(self, battle: Battle, actor: Combatant) -> None:
        """Refuse what the actor cannot do now, whatever else the declaration says. The menu asks this, too."""

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        """Refuse what is not legal, and record what follows."""
        self.require(table.battle, actor)


class Reaction(ActionPointsPiece):
    """A way to answer an attack."""

    type = "reaction"
    cost: ClassVar[str] = EITHER_PAYMENT
    preference: ClassVar[int]
    """Where it stands among the answers to an attack: those with less are offered first."""
    options: ClassVar[OptionsModel] = Options

    @cached_property
    def signature(self) -> Signature:
        return Signature(self.options, about=self.about)

    def require(self, reactor: Combatant, assault: Assault | None) -> None:
        """Refuse what the reactor cannot answer with. Without an attack: what it could answer none with now."""

    def answer(self, table: Table, assault: Assault, options: Data) -> Stand:
        raise NotImplementedError(f"{self.ref} does nothing")


class Condition(ActionPointsPiece):
    """Something that holds for a combatant for a while. It says what it does; nothing else knows it."""

    type = "condition"

    def forbids_acting(self, owner: Combatant) -> Refusal | None:
        return None

    def on_skill(self, attempt: Attempt, held: state.Condition) -> Iterable[Modifier]:
        """Contributions to every use of a skill by its owner."""
        return ()

    def at_round_end(self, table: Table, owner: Combatant, held: state.Condition) -> None:
        """What it does to its owner at the end of each round."""


def held_by(owner: Combatant) -> list[tuple[Condition, state.Condition]]:
    """The conditions that hold for somebody, each with its piece. One that a ruling made up does nothing."""
    found = [(PIECES.get(held.ref), held) for held in owner.conditions.values()]
    return [(known, held) for known, held in found if isinstance(known, Condition)]
