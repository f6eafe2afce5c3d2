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
"""An alias, because inside a piece `type` is the type in its ref."""


class ActionPointsPiece(Piece):
    ruleset = "action_points"

    @property
    def about(self) -> str:
        """What it does, in a sentence: the first line of its docstring."""
        return (type(self).__doc__ or "").split("\n")[0]


class ActionPointsActivity(ActionPointsPiece):
    """Something that can be declared."""

    type = "action"
    cost: ClassVar[str]
    listed: ClassVar[bool] = True
    """Whether the menu shows it."""
    options: ClassVar[OptionsModel] = Options
    takes: ClassVar[frozenset[Part]] = frozenset()

    @cached_property
    def signature(self) -> Signature:
        return Signature(self.options, self.takes, self.about)

    def check_said(self, said: DeclaredParts) -> None:
        """Refuse what this declaration would record without effect, where that depends on its other values."""

    def require(self, battle: Battle, actor: Combatant) -> None:
        """Refuse what the actor cannot do now, whatever the rest of the declaration says. The menu uses this, too."""

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        """Refuse what is not legal, or record what follows."""
        self.require(table.battle, actor)


class ActionPointsReaction(ActionPointsPiece):
    """A way to answer an attack."""

    type = "reaction"
    cost: ClassVar[str] = EITHER_PAYMENT
    preference: ClassVar[int]
    """Its place among the answers to an attack: the lowest is offered first."""
    options: ClassVar[OptionsModel] = Options

    @cached_property
    def signature(self) -> Signature:
        return Signature(self.options, about=self.about)

    def prices(self, reactor: Combatant) -> Iterator[tuple[Data, PointCost]]:
        """The ways to pay for it, the usual one first: what is said, and what it costs then."""
        yield {}, PointCost()

    def require(self, reactor: Combatant, assault: ActionPointsAttack | None) -> None:
        """Refuse it to a reactor that cannot use it against this attack; without one, against any attack."""

    def promise(self, assault: ActionPointsAttack) -> float:
        """The target value that it can be expected to set. The most promising answer is offered first."""
        return 0

    def answer(self, table: Table, assault: ActionPointsAttack, options: Data) -> DefenceResult:
        raise NotImplementedError(f"{self.ref} does nothing")


class ActionPointsCondition(ActionPointsPiece):
    """A state that a combatant is in for a while. What it does is said here and nowhere else."""

    type = "condition"
    lasts: ClassVar[bool] = False
    """Its owner takes it along to the next fight, unless it is due to end by itself."""

    def forbids_acting(self, owner: Combatant) -> Refusal | None:
        return None

    def on_skill(self, attempt: SkillAttempt, held: state.Condition) -> Iterable[Modifier]:
        """Contributions to every use of a skill by its owner."""
        return ()

    def at_round_end(self, table: Table, owner: Combatant, held: state.Condition) -> None:
        """What it does to its owner at the end of a round."""


def held_by(owner: Combatant) -> list[tuple[ActionPointsCondition, state.Condition]]:
    """A combatant's conditions, each with its piece. A condition that a ruling made up has none, and does nothing."""
    found = [(PIECES.get(held.ref), held) for held in owner.conditions.values()]
    return [(known, held) for known, held in found if isinstance(known, ActionPointsCondition)]
