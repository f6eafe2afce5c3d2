from __future__ import annotations

from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish import turns
from combatlog.rules.skirmish.activation_order import may_activate
from combatlog.rules.skirmish.activity import Activity
from combatlog.rules.skirmish.pieces import piece
from combatlog.rules.skirmish.sheet import is_in_play, is_player
from combatlog.rules.skirmish.vocabulary import ACTIVATIONS
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant


@piece
class Activate(Activity):
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
                f"It is {battle.clock.turn}'s activation, which has to end first.",
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
    instead = f"activate {choices(names)}" if names else "no figure is"
    facts = {"who": actor.id, "available": names}
    if ready and ready[0].side != actor.side:
        return Refusal("turn/other-player", f"It is the other player's turn; {instead}.", **facts)
    if actor.economy.left(ACTIVATIONS) < 1:
        return Refusal("turn/exhausted", f"{actor.name} is not ready in this round; {instead}.", **facts)
    return Refusal("turn/group", f"Figures of another deployment card come first; {instead}.", **facts)


@piece
class EndRound(Activity):
    """End a round in which the last ready figures have left the map."""

    name = "end_round"
    in_activation = False

    def check(self, battle: Battle, actor: Combatant) -> None:
        if not turns.is_round_over(battle):
            raise Refusal(
                "round/goes-on",
                "The round is not over; it ends by itself after its last activation.",
                available=[figure.id for figure in may_activate(battle)],
            )

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        turns.end_round(table)
