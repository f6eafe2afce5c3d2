"""The pieces of the ruleset: each action, reaction and condition is one small class, found by its name.

To add one, put a class with the `@piece` decorator into the folder of its type. Nothing else needs to change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from combatlog.rules.action_points.economy_and_vitality import EITHER_PAYMENT, PointCost
from combatlog.rules.engine.options_and_validation import DeclaredParts, Options, Part, Signature
from combatlog.rules.engine.pieces import Piece, Pieces
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Data, Declared
from projections.battle import combatant as state
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

if TYPE_CHECKING:
    from combatlog.rules.action_points.attack import ActionPointsAttack, DefenceResult
    from combatlog.rules.action_points.checks import SkillAttempt


PIECES = Pieces("combatlog.rules.action_points", "actions", "reactions", "conditions")
piece = PIECES.add
OptionsModel = type[Options]
"""An alias, because inside a piece `type` means the type part of its ref."""


class ActionPointsPiece(Piece):
    ruleset = "action_points"

    @property
    def about(self) -> str:
        """A sentence about the piece: the first line of its docstring."""
        return (type(self).__doc__ or "").split("\n")[0]


class ActionPointsActivity(ActionPointsPiece):
    """An action that can be declared."""

    type = "action"
    cost: ClassVar[str]
    listed: ClassVar[bool] = True
    """Whether the menu shows the action."""
    options: ClassVar[OptionsModel] = Options
    takes: ClassVar[frozenset[Part]] = frozenset()

    @cached_property
    def signature(self) -> Signature:
        return Signature(self.options, self.takes, self.about)

    def check_said(self, said: DeclaredParts) -> None:
        """Refuse options that would have no effect in this declaration because of its other parts."""

    def require(self, battle: Battle, actor: Combatant) -> None:
        """Refuse an action that is impossible for the actor now, whatever its details. The menu also uses this."""

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        """Resolve the declaration, or refuse it if it is not legal."""
        self.require(table.battle, actor)


class ActionPointsReaction(ActionPointsPiece):
    """A reaction to an attack."""

    type = "reaction"
    cost: ClassVar[str] = EITHER_PAYMENT
    preference: ClassVar[int]
    """The order of reactions; the lowest is offered first."""
    options: ClassVar[OptionsModel] = Options

    @cached_property
    def signature(self) -> Signature:
        return Signature(self.options, about=self.about)

    def prices(self, reactor: Combatant) -> Iterator[tuple[Data, PointCost]]:
        """The ways to pay for the reaction, the usual one first: the options to declare, and their cost."""
        yield {}, PointCost()

    def require(self, reactor: Combatant, assault: ActionPointsAttack | None) -> None:
        """Refuse the reaction if it cannot be used against this attack or, without one, against any attack."""

    def promise(self, assault: ActionPointsAttack) -> float:
        """The expected target value. The most promising reaction is offered first."""
        return 0

    def answer(self, table: Table, assault: ActionPointsAttack, options: Data) -> DefenceResult:
        raise NotImplementedError(f"{self.ref} does nothing")


class ActionPointsCondition(ActionPointsPiece):
    """A temporary state of a combatant, with all its effects."""

    type = "condition"
    lasts: ClassVar[bool] = False
    """Whether its owner carries it over to the next fight, unless it has an end of its own."""

    def forbids_acting(self, owner: Combatant) -> Refusal | None:
        return None

    def on_skill(self, attempt: SkillAttempt, held: state.Condition) -> Iterable[Modifier]:
        """Modifiers for every use of a skill by its owner."""
        return ()

    def at_round_end(self, table: Table, owner: Combatant, held: state.Condition) -> None:
        """Apply its effects to its owner at the end of a round."""


def held_by(owner: Combatant) -> list[tuple[ActionPointsCondition, state.Condition]]:
    """A combatant's conditions, each with its piece. Conditions without one, invented by rulings, are left out."""
    found = [(PIECES.get(held.ref), held) for held in owner.conditions.values()]
    return [(known, held) for known, held in found if isinstance(known, ActionPointsCondition)]
