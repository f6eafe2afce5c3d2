"""Rounds, initiative, and activations that alternate between the players, one deployment card at a time."""

from __future__ import annotations

from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.skirmish.attachments import Detach, detach_at, ready_attachments
from combatlog.rules.skirmish.cards import answered_by_opponent, draw, open_moment, own_figures, shuffle_in
from combatlog.rules.skirmish.conditions.activations import (
    ACTS_AGAIN,
    ENDING_WITH_ACTIVATION,
    MUST_ACTIVATE,
    NEXT_ACTIVATION,
    SITS_TIGHT,
    USED_SPECIALS,
    figures_bound,
    release,
)
from combatlog.rules.skirmish.conditions.attack_and_defense_bonuses import NEXT_ATTACKS
from combatlog.rules.skirmish.conditions.focused_hidden_harmful import deal_delayed_damage
from combatlog.rules.skirmish.conditions.players_and_terminals import controlled_by, give_back
from combatlog.rules.skirmish.library import library_of, name_of
from combatlog.rules.skirmish.pieces import conditions_of
from combatlog.rules.skirmish.setup import check_armies
from combatlog.rules.skirmish.sheet import (
    both_players,
    figure_sheet,
    figures_in_play,
    is_grouped,
    is_in_play,
    is_player,
    opponent_of,
    player_of,
    player_sheet,
    players,
)
from combatlog.rules.skirmish.vitality import close_if_won, end_condition
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
from ledger.events import InitiativeEntry, InitiativeSet, RoundEnded, RoundStarted, TurnEnded, TurnStarted, UntilMoment
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

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
            raise Refusal("start/no-figures", f"{side} has no figure on the map; add one with a position.", side=side)
    for figure in figures_in_play(battle):
        player_of(battle, figure)


def _deck(battle: Battle, player: Combatant) -> list[str]:
    """The ids of the player's cards. Refuses cards that the library does not have."""
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
    """Apply and end the conditions that waited for the figure's next activation."""
    held = figure.conditions.get(NEXT_ACTIVATION)
    end_condition(table, figure, VANISHED, "its activation starts")
    if held is not None:
        table.remove_condition(figure, NEXT_ACTIVATION, "its activation starts")
        table.gain(figure, MOVEMENT, held.data.get("mp", 0), name_of(table.battle, held.source), held.source)


def _set(table: Table, figure: Combatant, resource: str, amount: int, why: str) -> None:
    """Set a resource, if that changes it."""
    pool = figure.economy[resource]
    if pool.current != amount or pool.spent:
        table.reset(figure, resource, amount, why)


def end_turn(table: Table, figure: Combatant) -> None:
    """End an activation: unspent points are lost, and the rest of the group or the other player is next."""
    if is_in_play(figure):
        open_moment(table, player_of(table.battle, figure), Timing.END_OF_ACTIVATION, [figure])
    detach_at(table, Detach.END_OF_ACTIVATION, figure)
    end_condition(table, figure, WEAKENED, "its activation ends")
    end_condition(table, figure, USED_SPECIALS, "its activation ends")
    for condition in ENDING_WITH_ACTIVATION:
        end_condition(table, figure, condition, "its activation ends")
    for resource in (ACTIONS, ATTACKS):
        if figure.economy.left(resource):
            _set(table, figure, resource, 0, "activation ends")
    for moved in (figure, *figures_in_play(table.battle)):
        end_condition(table, moved, HALTED, "the activation ends")
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
    """Whether no figure is left to activate because the last ready ones left the map."""
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
    """The status phase: both players draw, cards for the end of the round are played, and the initiative passes."""
    for player in players(table.battle):
        _draw_in_status_phase(table, player)
    for player in players(table.battle):
        open_moment(table, player, Timing.END_OF_ROUND, own_figures(table.battle, player))
    deal_delayed_damage(table)
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
    """Draw the cards of every round, and one card for each controlled terminal."""
    draw(table, player, table.battle.encounter.options["draw"], "status phase")
    for x, y in controlled_by(table.battle, player):
        draw(table, player, 1, f"terminal at {x},{y}")


def _expire(table: Table) -> None:
    for combatant in table.battle.present():
        for condition in list(combatant.conditions.values()):
            if condition.until is not None and condition.until.moment is UntilMoment.ROUND_END:
                table.remove_condition(combatant, condition.ref, "the round ends")


ACTIVATE = ref("action", "activate")


def may_activate(battle: Battle) -> list[Combatant]:
    """The figures that can be activated next: the rest of a deployment card in progress, or else all ready ones.

    They belong to the player whose turn it is, unless that player has no ready figures left.
    """
    in_turn = sorted(players(battle), key=lambda player: not player.granted_actions(ACTIVATE))
    player = next((player for player in in_turn if can_begin(battle, player)), None)
    if player is None:
        return []
    ready = ready_figures(battle, player)
    under_way = [figure for figure in ready if is_under_way(battle, figure)]
    return under_way or _bound(player, ready) or ready


def _bound(player: Combatant, ready: list[Combatant]) -> list[Combatant]:
    """The ready figures that cards force the player to activate next."""
    names = [*figures_bound(player, ACTS_AGAIN), *figures_bound(player, MUST_ACTIVATE)]
    return [figure for figure in ready if figure.id in names]


def can_begin(battle: Battle, player: Combatant) -> bool:
    """Whether a player has ready figures and may activate them. If both players sit tight, neither waits."""
    ready = ready_figures(battle, player)
    if not player.has(SITS_TIGHT) or any(is_under_way(battle, figure) for figure in ready):
        return bool(ready)
    opponent = opponent_of(battle, player)
    if opponent.has(SITS_TIGHT):
        return bool(ready)
    return len(_cards(ready)) > len(_cards(ready_figures(battle, opponent)))


def _cards(figures: list[Combatant]) -> list[str]:
    """The deployment cards of these figures."""
    sheets = [(figure_sheet(figure).group, figure.id) for figure in figures]
    return list(dict.fromkeys(f"group {group}" if group is not None else name for group, name in sheets))


def next_player(battle: Battle, figure: Combatant, player: Combatant) -> Combatant | None:
    """Whose turn it is after an activation by a player; None if the round is over."""
    own = ready_figures(battle, player)
    if is_in_progress(battle, figure, own) or any(other.id in figures_bound(player, ACTS_AGAIN) for other in own):
        return player
    in_turn = (opponent_of(battle, player), player)
    return next((one for one in in_turn if can_begin(battle, one)), None)


def is_in_progress(battle: Battle, figure: Combatant, ready: list[Combatant]) -> bool:
    """Whether other figures of the figure's deployment card still have to be activated."""
    return any(is_grouped(figure, other) for other in ready) and is_under_way(battle, figure)


def is_under_way(battle: Battle, figure: Combatant) -> bool:
    group = [other for other in battle.combatants.values() if not is_player(other) and is_grouped(figure, other)]
    return any(other.economy[ACTIVATIONS].spent > 0 for other in group)


def ready_figures(battle: Battle, player: Combatant) -> list[Combatant]:
    return [
        figure
        for figure in figures_in_play(battle)
        if figure.side == player.side and figure.economy.left(ACTIVATIONS) > 0
    ]


CLAIMED = ref("condition", "initiative_claimed")


def roll_initiative(table: Table) -> None:
    """Roll a die for the initiative: on a 1, the player who joined first goes first, on a 2 the other one."""
    first, second = both_players(table.battle)
    rolled = table.roll("initiative", first.id, "1d2")
    give_initiative(table, first if rolled.total == 1 else second)


def give_initiative(table: Table, player: Combatant) -> None:
    other = opponent_of(table.battle, player)
    order = (InitiativeEntry(combatant=player.id, value=1), InitiativeEntry(combatant=other.id, value=0))
    table.record(InitiativeSet, order=order)


def keep_initiative(table: Table, player: Combatant, source: str) -> None:
    """Let a player keep the initiative at the end of the round."""
    table.apply_condition(player, CLAIMED, source=source, owner=player.id)


def pass_initiative(table: Table) -> None:
    """Pass the initiative to the other player, unless a player has claimed it."""
    first, second = both_players(table.battle)
    claimed = [player for player in (first, second) if player.has(CLAIMED)]
    for player in claimed:
        table.remove_condition(player, CLAIMED, "the round ends")
    if not claimed:
        give_initiative(table, second)
