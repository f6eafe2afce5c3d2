"""Rounds, and activations that alternate between the players."""

from __future__ import annotations

from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.activation_order import (
    ACTIVATE,
    can_begin,
    is_in_progress,
    may_activate,
    next_player,
    ready_figures,
)
from combatlog.rules.skirmish.army import check_armies
from combatlog.rules.skirmish.attachments import Detach, detach_at, ready_attachments
from combatlog.rules.skirmish.card_piles import draw, shuffle_in
from combatlog.rules.skirmish.conditions.activation_order import release
from combatlog.rules.skirmish.conditions.borrowed import give_back
from combatlog.rules.skirmish.conditions.debts import pay_debts
from combatlog.rules.skirmish.conditions.next_activation import NEXT_ACTIVATION
from combatlog.rules.skirmish.conditions.next_attacks import NEXT_ATTACKS
from combatlog.rules.skirmish.conditions.this_activation import ENDING_WITH_ACTIVATION
from combatlog.rules.skirmish.conditions.used_specials import USED_SPECIALS
from combatlog.rules.skirmish.initiative import pass_initiative, roll_initiative
from combatlog.rules.skirmish.library import library_of, name_of
from combatlog.rules.skirmish.moments import answered_by_opponent, open_moment, own_figures
from combatlog.rules.skirmish.pieces import conditions_of
from combatlog.rules.skirmish.sheet import figures_in_play, is_in_play, player_of, player_sheet, players
from combatlog.rules.skirmish.terminals import controlled_by
from combatlog.rules.skirmish.vitality import close_if_won, shed
from combatlog.rules.skirmish.vocabulary import (
    ACTIONS,
    ACTIVATIONS,
    ATTACKS,
    HALTED,
    MOVEMENT,
    VANISHED,
    WEAKENED,
    Timing,
    ref,
)
from ledger.events import RoundEnded, RoundStarted, TurnEnded, TurnStarted, UntilMoment
from projections.battle import Battle
from projections.combatant import Combatant

ALTERNATION = ref("rule", "alternation")


# Start


def start(table: Table) -> None:
    _check_ready(table.battle)
    check_armies(table.battle)
    decks = {player.id: _deck(table.battle, player) for player in players(table.battle)}
    roll_initiative(table)
    for player in players(table.battle):
        shuffle_in(table, player, decks[player.id])
        draw(table, player, table.battle.encounter.options["hand"], "starting hand")
    _begin_round(table, 1)


def _check_ready(battle: Battle) -> None:
    sides = [player.side for player in players(battle)]
    if len(sides) != 2 or sides[0] == sides[1]:
        raise Refusal(
            "start/players",
            "A skirmish needs two players on different sides.",
            needed=2,
            found=[player.id for player in players(battle)],
        )
    for side in sides:
        if not any(figure.side == side for figure in figures_in_play(battle)):
            raise Refusal("start/no-figures", f"{side} has no figure on the map; one has to join there.", side=side)
    for figure in figures_in_play(battle):
        player_of(battle, figure)


def _deck(battle: Battle, player: Combatant) -> list[str]:
    """The ids of the player's cards, or a refusal if the library does not have one of them."""
    return [library_of(battle).card(name).id for name in player_sheet(player).deck]


# Activations


def begin_activation(table: Table, figure: Combatant) -> None:
    for player in players(table.battle):
        for grant in player.granted_actions(ACTIVATE):
            table.ungrant(grant, f"{figure.id} is activated")
    release(table, player_of(table.battle, figure), figure)
    table.spend(figure, ACTIVATIONS, 1, "activated")
    started = table.record(TurnStarted, combatant=figure.id)
    with table.because_of(started):
        for resource, amount in ((ACTIONS, 2), (ATTACKS, 1), (MOVEMENT, 0)):
            _set(table, figure, resource, amount, "activation starts")
        _wake(table, figure)
        player = player_of(table.battle, figure)
        for piece in conditions_of(player):
            piece.on_activation(table, player, figure)
        answered_by_opponent(table, Timing.HOSTILE_ACTIVATES, figure)


def _wake(table: Table, figure: Combatant) -> None:
    """What waited for the figure's next activation."""
    held = figure.conditions.get(NEXT_ACTIVATION)
    shed(table, figure, VANISHED, "its activation starts")
    if held is not None:
        table.remove_condition(figure, NEXT_ACTIVATION, "its activation starts")
        table.gain(figure, MOVEMENT, held.data["mp"], name_of(table.battle, held.source), held.source)


def _set(table: Table, figure: Combatant, resource: str, amount: int, why: str) -> None:
    """Set a resource, if that changes anything."""
    pool = figure.economy[resource]
    if pool.current != amount or pool.spent:
        table.reset(figure, resource, amount, why)


def end_turn(table: Table, figure: Combatant) -> None:
    """Unspent points are lost, and the next activation is due: in the same group, or for the other player."""
    if is_in_play(figure):
        open_moment(table, player_of(table.battle, figure), Timing.END_OF_ACTIVATION, [figure])
    detach_at(table, Detach.END_OF_ACTIVATION, figure)
    shed(table, figure, WEAKENED, "its activation ends")
    shed(table, figure, USED_SPECIALS, "its activation ends")
    for condition in ENDING_WITH_ACTIVATION:
        shed(table, figure, condition, "its activation ends")
    for resource in (ACTIONS, ATTACKS):
        if figure.economy.left(resource):
            _set(table, figure, resource, 0, "activation ends")
    for moved in (figure, *figures_in_play(table.battle)):
        shed(table, moved, HALTED, "the activation ends")
        if moved.economy.left(MOVEMENT):
            _set(table, moved, MOVEMENT, 0, "activation ends")
    table.record(TurnEnded, combatant=figure.id)
    if not close_if_won(table):
        _hand_over(table, figure)


def _hand_over(table: Table, figure: Combatant) -> None:
    player = player_of(table.battle, figure)
    following = next_player(table.battle, figure, player)
    if player.has(NEXT_ATTACKS) and not is_in_progress(table.battle, figure, ready_figures(table.battle, player)):
        table.remove_condition(player, NEXT_ATTACKS, "the activation ends")
    if following is None:
        end_round(table)
    else:
        _let_activate(table, following)


def _let_activate(table: Table, player: Combatant) -> None:
    table.grant(player, ACTIVATE, source=ALTERNATION)


# Rounds


def is_round_over(battle: Battle) -> bool:
    """Whether nobody is left to activate because the last ready figures left the map."""
    return battle.clock.started and battle.clock.turn is None and not may_activate(battle)


def _begin_round(table: Table, number: int) -> None:
    table.record(RoundStarted, number=number)
    for figure in figures_in_play(table.battle):
        _set(table, figure, ACTIVATIONS, 1, "round starts")
    for player in players(table.battle):
        open_moment(table, player, Timing.START_OF_ROUND, own_figures(table.battle, player))
    if not close_if_won(table):
        in_turn = players(table.battle)
        _let_activate(table, next((player for player in in_turn if can_begin(table.battle, player)), in_turn[0]))


def end_round(table: Table) -> None:
    """The status phase: everybody draws, cards for the end of the round are played, and the initiative passes."""
    for player in players(table.battle):
        _draw_in_status_phase(table, player)
    for player in players(table.battle):
        open_moment(table, player, Timing.END_OF_ROUND, own_figures(table.battle, player))
    pay_debts(table)
    give_back(table)
    ready_attachments(table)
    if close_if_won(table):
        return
    number = table.battle.clock.round
    for player in players(table.battle):
        for grant in player.granted_actions(ACTIVATE):
            table.ungrant(grant, "the round ends")
    table.record(RoundEnded, number=number)
    _expire(table)
    pass_initiative(table)
    _begin_round(table, number + 1)


def _draw_in_status_phase(table: Table, player: Combatant) -> None:
    """What every round brings, and one card for each terminal under control."""
    draw(table, player, table.battle.encounter.options["draw"], "status phase")
    for x, y in controlled_by(table.battle, player):
        draw(table, player, 1, f"terminal at {x},{y}")


def _expire(table: Table) -> None:
    for combatant in table.battle.present():
        for condition in list(combatant.conditions.values()):
            if condition.until is not None and condition.until.moment is UntilMoment.ROUND_END:
                table.remove_condition(combatant, condition.ref, "the round ends")
