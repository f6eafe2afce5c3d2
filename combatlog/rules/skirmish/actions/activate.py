"""The base of every action (checks, a cost, what it does), activating a figure, and shaking off a condition.

The checks take the battle, not the table, so that the menu can use them too.
"""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from pydantic import Field

from combatlog.rules.engine.options_and_validation import DeclaredParts, Options, Part, Signature
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.resolution.turns import require_turn
from combatlog.rules.skirmish import turns
from combatlog.rules.skirmish.conditions.activations import STUN_AFTER_ACTION
from combatlog.rules.skirmish.pieces import PIECES, SkirmishCondition, SkirmishPiece, piece
from combatlog.rules.skirmish.sheet import figures_in_play, is_in_play, is_player
from combatlog.rules.skirmish.turns import may_activate
from combatlog.rules.skirmish.vitality import condition_called, end_condition, give_condition, suffer_strain
from combatlog.rules.skirmish.vocabulary import ACTIONS, ACTIVATIONS, ATTACKS, BLEEDING, MOVEMENT, STUNNED, name_in
from ledger.events import Declared
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.story.phrases import counted

Cost = dict[str, int]

OptionsModel = type[Options]
"""An alias, because inside a piece `type` means the type part of its ref."""

IN_WORDS = {ACTIONS: "action", ATTACKS: "attack", MOVEMENT: "movement point"}


class SkirmishActivity(SkirmishPiece):
    type = "action"
    cost: ClassVar[Cost] = {}
    in_activation: ClassVar[bool] = True
    options: ClassVar[OptionsModel] = Options
    takes: ClassVar[frozenset[Part]] = frozenset()

    @cached_property
    def signature(self) -> Signature:
        return Signature(self.options, self.takes, (type(self).__doc__ or "").split("\n")[0])

    def check_said(self, battle: Battle, actor: Combatant, said: DeclaredParts) -> None:
        """Refuse options that would have no effect in this declaration because of its other parts."""

    def check(self, battle: Battle, actor: Combatant) -> None:
        """Refuse an action that is impossible now, whatever its target. Activation and cost are already checked."""

    def aim(self, battle: Battle, actor: Combatant, declared: Declared) -> None:
        """Refuse an impossible target, place or option."""

    def cost_of(self, battle: Battle, actor: Combatant, declared: Declared) -> Cost:
        return self.cost

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        raise NotImplementedError(f"{self.ref} does nothing")

    def note(self, battle: Battle, actor: Combatant) -> str:
        """What the menu says about the action."""
        return ""

    def check_all(self, battle: Battle, actor: Combatant) -> None:
        """Make every check that does not depend on the target."""
        if self.in_activation:
            check_active(battle, actor)
        require(actor, self.cost)
        self.check(battle, actor)

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.check_all(table.battle, actor)
        self.aim(table.battle, actor, declared)
        cost = self.cost_of(table.battle, actor, declared)
        require(actor, cost)
        for resource, amount in cost.items():
            table.spend(actor, resource, amount, self.name)
        is_last = ACTIONS in cost and actor.has(STUN_AFTER_ACTION)
        self.perform(table, actor, declared)
        if ACTIONS in cost and actor.has(BLEEDING):
            suffer_strain(table, actor, 1, BLEEDING)
        if is_last:
            _stun(table, actor)


def _stun(table: Table, actor: Combatant) -> None:
    source = actor.conditions[STUN_AFTER_ACTION].source
    end_condition(table, actor, STUN_AFTER_ACTION, "it has acted once more")
    give_condition(table, actor, STUNNED, source, actor.id)


def check_active(battle: Battle, actor: Combatant) -> None:
    require_turn(battle, actor.id, called="activation")
    if not is_in_play(actor):
        raise Refusal("turn/cannot-act", f"{actor.name} is defeated and cannot act; end its activation.", who=actor.id)


def check_side_active(battle: Battle, actor: Combatant) -> None:
    """Refuse if the other side is active, unless a card gave this figure movement points to spend now."""
    turn = battle.clock.turn
    is_given = actor.economy.left(MOVEMENT) > 0
    if turn is None or not is_in_play(actor) or (battle.combatants[turn].side != actor.side and not is_given):
        check_active(battle, actor)


def require(actor: Combatant, cost: Cost) -> None:
    for resource, amount in cost.items():
        left = actor.economy.left(resource)
        if left < amount:
            words = IN_WORDS.get(resource, resource)
            raise Refusal(
                f"economy/no-{resource}-left",
                f"That takes {counted(amount, words)}, and {actor.name} has {left or 'none'} left; "
                "do something cheaper, or end its activation.",
                who=actor.id,
                resource=resource,
                needed=amount,
                available=left,
            )


def why_held(battle: Battle, actor: Combatant) -> str | None:
    """The condition that keeps a figure in its space; None if it can leave."""
    if actor.has(STUNNED):
        return STUNNED
    held = [(PIECES.get(name), owner) for owner in figures_in_play(battle) for name in owner.conditions]
    return next(
        (
            piece.ref
            for piece, owner in held
            if isinstance(piece, SkirmishCondition) and piece.holds(battle, owner, actor)
        ),
        None,
    )


def check_can_leave(battle: Battle, actor: Combatant) -> None:
    check_not_stunned(actor, "leave its space")
    held = why_held(battle, actor)
    if held is not None:
        raise Refusal(
            "figure/held",
            f"{actor.name} cannot leave its space until the round ends ({name_in(held).replace('_', ' ')}).",
            who=actor.id,
            condition=held,
        )


def check_not_stunned(actor: Combatant, what: str) -> None:
    if actor.has(STUNNED):
        raise Refusal(
            "figure/stunned",
            f"{actor.name} is stunned and cannot {what}; shaking that off takes an action.",
            who=actor.id,
            condition=STUNNED,
        )


@piece
class Activate(SkirmishActivity):
    """Begin a figure's activation; the figures of one deployment card are activated one after another."""

    name = "activate"
    in_activation = False

    def check(self, battle: Battle, actor: Combatant) -> None:
        if is_player(actor):
            raise Refusal("figure/player", f"{actor.name} is a player; activate one of its figures.", who=actor.id)
        if not battle.clock.started:
            raise Refusal("turn/not-started", "The skirmish has not started yet.", who=actor.id)
        if battle.clock.turn is not None:
            raise Refusal(
                "turn/other",
                f"It is {battle.clock.turn}'s activation; end it first.",
                who=actor.id,
                turn=battle.clock.turn,
            )
        if not is_in_play(actor):
            raise Refusal(
                "turn/cannot-act", f"{actor.name} is not on the map; activate a figure that is.", who=actor.id
            )
        ready = may_activate(battle)
        if actor not in ready:
            raise _not_now(actor, ready)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        turns.begin_activation(table, actor)


def _not_now(actor: Combatant, ready: list[Combatant]) -> Refusal:
    names = [figure.id for figure in ready]
    instead = f"activate {choices(names)}" if names else "no figure is ready"
    facts = {"who": actor.id, "available": names}
    if ready and ready[0].side != actor.side:
        return Refusal("turn/other-player", f"It is the other player's turn; {instead}.", **facts)
    if actor.economy.left(ACTIVATIONS) < 1:
        return Refusal("turn/exhausted", f"{actor.name} is not ready in this round; {instead}.", **facts)
    return Refusal("turn/group", f"The activation of another deployment card comes first; {instead}.", **facts)


@piece
class EndRound(SkirmishActivity):
    """End a round in which the last ready figures have left the map."""

    name = "end_round"
    in_activation = False

    def check(self, battle: Battle, actor: Combatant) -> None:
        if not turns.is_round_over(battle):
            raise Refusal(
                "round/goes-on",
                "The round is not over; it ends automatically after its last activation.",
                available=[figure.id for figure in may_activate(battle)],
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        turns.end_round(table)


class RemoveConditionOptions(Options):
    condition: str | None = Field(
        default=None, description="the condition to remove: stunned or bleeding; needed if the figure is both"
    )


@piece
class RemoveCondition(SkirmishActivity):
    """Spend an action to stop being stunned or bleeding."""

    name = "shake_off"
    cost = {ACTIONS: 1}
    options = RemoveConditionOptions

    def check(self, battle: Battle, actor: Combatant) -> None:
        if not _held(actor):
            raise Refusal("shake-off/nothing", f"{actor.name} is neither stunned nor bleeding.", who=actor.id)

    def aim(self, battle: Battle, actor: Combatant, declared: Declared) -> None:
        _chosen(actor, declared)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        end_condition(table, actor, _chosen(actor, declared), "shaken off")


def _held(actor: Combatant) -> list[str]:
    return [condition for condition in (STUNNED, BLEEDING) if actor.has(condition)]


def _chosen(actor: Combatant, declared: Declared) -> str:
    held = _held(actor)
    wanted = RemoveConditionOptions.read(declared.options).condition
    if wanted is None and len(held) == 1:
        return held[0]
    if wanted is None or condition_called(wanted) not in held:
        names = [name_in(condition) for condition in held]
        found = "both stunned and bleeding" if wanted is None else f"not {wanted!r}"
        raise Refusal(
            "shake-off/which",
            f"{actor.name} is {found}; name the condition to shake off: {choices(names)}.",
            who=actor.id,
            condition=wanted,
            available=names,
        )
    return condition_called(wanted)
