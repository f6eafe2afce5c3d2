from __future__ import annotations

from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant
from rules.engine.refusal import Refusal, choices
from rules.engine.table import Table
from rules.skirmish import turns
from rules.skirmish.activity import Activity
from rules.skirmish.pieces import piece
from rules.skirmish.sheet import is_in_play, is_player
from rules.skirmish.vocabulary import ACTIVATIONS


@piece
class Activate(Activity):
    """Begin a figure's activation. The figures of one deployment card follow one another."""

    name = "activate"
    in_activation = False

    def check(self, battle: Battle, actor: Combatant) -> None:
        if is_player(actor):
            raise Refusal("figure/player", f"{actor.id} is a player; activate one of its figures.")
        if not battle.clock.started:
            raise Refusal("turn/not-started", "The skirmish has not started; `combatlog start` begins it.")
        if battle.clock.turn is not None:
            raise Refusal("turn/other", f"It is {battle.clock.turn}'s activation; end it first.")
        if not is_in_play(actor):
            raise Refusal("turn/cannot-act", f"{actor.id} is not on the map; activate a figure that is.")
        ready = turns.may_activate(battle)
        if actor not in ready:
            raise _not_now(actor, ready)

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        turns.begin_activation(table, actor)


def _not_now(actor: Combatant, ready: list[Combatant]) -> Refusal:
    names = choices(figure.id for figure in ready)
    if ready and ready[0].side != actor.side:
        return Refusal("turn/other-player", f"It is the other player's turn; activate {names}.")
    if actor.economy.left(ACTIVATIONS) < 1:
        return Refusal("turn/exhausted", f"{actor.id} is not ready this round; activate {names}.")
    return Refusal("turn/group", f"Another deployment card is not done; activate {names}.")


@piece
class EndRound(Activity):
    """End the round where those who were still ready have left the map."""

    name = "end_round"
    in_activation = False

    def check(self, battle: Battle, actor: Combatant) -> None:
        if not turns.is_round_over(battle):
            raise Refusal("round/goes-on", "The round ends by itself with its last activation.")

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        turns.end_round(table)
