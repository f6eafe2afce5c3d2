from __future__ import annotations

from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant
from rules.refusal import Refusal, choices
from rules.skirmish import turns
from rules.skirmish.activity import Activity
from rules.skirmish.pieces import piece
from rules.skirmish.sheet import is_in_play, is_player, player_of
from rules.skirmish.words import ACTIVATIONS
from rules.table import Table


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
        names = choices(figure.id for figure in ready)
        if not player_of(battle, actor).granted_actions(turns.ACTIVATE):
            raise Refusal("turn/other-player", f"It is the other player's turn; activate {names}.")
        if actor.economy.left(ACTIVATIONS) < 1:
            raise Refusal("turn/exhausted", f"{actor.id} is not ready this round; activate {names}.")
        if actor not in ready:
            raise Refusal("turn/group", f"Another deployment card is not done; activate {names}.")

    def perform(self, table: Table, actor: Combatant, declared: Declared) -> None:
        turns.begin_activation(table, actor)
