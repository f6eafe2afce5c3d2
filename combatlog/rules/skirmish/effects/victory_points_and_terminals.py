"""Victory points other than for defeats, cards about terminals, and cards that change or use the map."""

from __future__ import annotations

from combatlog.rules.engine.grid.squares import DIFFICULT, FLOOR
from combatlog.rules.skirmish.board import board_of, space_ref
from combatlog.rules.skirmish.cards import draw
from combatlog.rules.skirmish.conditions.attack_and_defense_bonuses import HARSH_ENVIRONMENT
from combatlog.rules.skirmish.conditions.players_and_terminals import (
    ALL_TERMINALS,
    BOUNTY,
    MISCOUNTED,
    sides_at,
    terminals_near,
    terminals_of,
)
from combatlog.rules.skirmish.pieces import UNTIL_ROUND_ENDS, Amount, Flag, add_entry, effect
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.sheet import choose, figure_sheet, group_of
from combatlog.rules.skirmish.targeting import hostiles_adjacent_to, hostiles_of, never_useful, one_of
from combatlog.rules.skirmish.vitality import end_condition
from combatlog.rules.skirmish.vocabulary import (
    DECK,
    VICTORY_POINTS,
    WORTH,
    AttackColour,
    Need,
    Symbol,
    Timing,
    pool_notation,
    symbols,
)
from ledger.events import Position


def gain_points(play: Play, amount: int) -> None:
    play.table.gain(play.player, VICTORY_POINTS, amount, play.reason, play.source)


@effect("vpGainSelf", Amount, needs=Need.PLAYER, timing=Timing.START_OF_ROUND)
def gain_vp(play: Play, amount: int) -> None:
    """the player gains victory points"""
    gain_points(play, amount)


@effect("vpGainOpponent", Amount, needs=Need.PLAYER, timing=Timing.START_OF_ROUND, changes=never_useful)
def give_vp(play: Play, amount: int) -> None:
    """the opponent gains victory points"""
    play.table.gain(play.opponent, VICTORY_POINTS, amount, play.reason, play.source)


@effect("celebrationVp", Amount, needs=Need.DEFEAT, timing=Timing.HOSTILE_DEFEATED)
def celebrate(play: Play, amount: int) -> None:
    """the player gains victory points when a hostile figure is defeated"""
    gain_points(play, amount)


@effect("increaseArmyCostBy", Amount, needs=Need.FIGURE, timing=Timing.HOSTILE_DEFEATED, changes=never_useful)
def cost_more(play: Play, amount: int) -> None:
    """the figure is worth more victory points when it is defeated"""
    _change_worth(play, amount)


@effect(
    "nextDefeatedFriendlyVpReduction",
    Amount,
    needs=Need.DEFEAT,
    timing=Timing.FRIEND_DEFEATED,
    changes=lambda play, _: play.other is not None and figure_sheet(play.other).cost > 0,
)
def cost_less(play: Play, amount: int) -> None:
    """the defeated figure is worth fewer victory points, but at least 0"""
    assert play.other is not None
    play.table.apply_condition(play.other, WORTH, source=play.source, owner=play.player.id, data={"by": -amount})


def _change_worth(play: Play, amount: int) -> None:
    held = play.figure.conditions.get(WORTH)
    by = (held.data.get("by", 0) if held else 0) + amount
    play.table.apply_condition(play.figure, WORTH, source=play.source, owner=play.player.id, data={"by": by})


def _is_alone(play: Situation) -> bool:
    return not hostiles_adjacent_to(play.battle, play.figure)


@effect(
    "rebelGraffitiVp",
    Amount,
    needs=Need.FIGURE,
    timing=Timing.END_OF_ACTIVATION,
    changes=lambda play, _: _is_alone(play),
)
def graffiti(play: Play, amount: int) -> None:
    """the player gains victory points if no hostile figure is adjacent"""
    if _is_alone(play):
        gain_points(play, amount)


@effect(
    "pickpocketVpByAccuracy",
    Flag,
    needs=Need.FIGURE,
    timing=Timing.DURING_ACTIVATION,
    changes=lambda play, _: not _is_alone(play),
)
def pickpocket(play: Play, _: bool) -> None:
    """if a hostile figure is adjacent, a green die is rolled, and the player takes its accuracy in victory points from
    the opponent"""
    if _is_alone(play):
        return
    rolled = play.table.roll("pickpocket", play.figure.id, pool_notation([AttackColour.GREEN]))
    shown = symbols(rolled.faces[0]).get(Symbol.ACCURACY, 0)
    lost = min(shown, play.opponent.economy.left(VICTORY_POINTS))
    if lost:
        play.table.gain(play.opponent, VICTORY_POINTS, -lost, play.reason, play.source)
    gain_points(play, shown)


@effect("setsBounty", Flag, needs=Need.FIGURE, timing=Timing.SPECIAL_ACTION)
def set_bounty(play: Play, _: bool) -> None:
    """the player gains 4 victory points when the last figure of a hostile group of its choice is defeated"""
    figure = one_of(play, "bounty", hostiles_of(play.battle, play.figure))
    if figure is not None:
        for member in group_of(play.battle, figure):
            entry = {"source": play.source, "player": play.player.id, "vp": BOUNTY_POINTS}
            add_entry(play.table, member, BOUNTY, entry)


BOUNTY_POINTS = 4


def _is_near(play: Situation) -> bool:
    return bool(terminals_near(play.battle, play.figure))


@effect(
    "drawCCIfAdjacentTerminal",
    Amount,
    needs=Need.FIGURE,
    timing=Timing.SPECIAL_ACTION,
    changes=lambda play, _: _is_near(play) and bool(play.player.pile(DECK)),
)
def draw_at_terminal(play: Play, amount: int) -> None:
    """the player draws this many Command cards if the figure is on a terminal or next to one"""
    if _is_near(play):
        draw(play.table, play.player, amount, play.reason)


@effect(
    "setsTerminalControl",
    Flag,
    needs=Need.FIGURE,
    timing=Timing.DURING_ACTIVATION,
    changes=lambda play, _: _is_near(play),
)
def take_terminals(play: Play, _: bool) -> None:
    """the player controls all terminals until the round ends, if the figure is on one or next to one"""
    if _is_near(play):
        end_condition(play.table, play.opponent, ALL_TERMINALS, play.reason)
        play.table.apply_condition(
            play.player, ALL_TERMINALS, source=play.source, owner=play.player.id, until=UNTIL_ROUND_ENDS
        )


def _counts_somewhere(play: Situation, _: bool) -> bool:
    return any(play.opponent.side in sides_at(play.battle, terminal) for terminal in terminals_of(play.battle))


@effect(
    "roundSmugglersTricksPlayerNum",
    Flag,
    needs=Need.PLAYER,
    timing=Timing.SPECIAL_ACTION,
    changes=_counts_somewhere,
)
def trick(play: Play, _: bool) -> None:
    """the player chooses a terminal: one of the opponent's figures does not count there until the round ends"""
    by_ref = {space_ref(terminal): terminal for terminal in terminals_of(play.battle)}
    if not by_ref:
        play.ask_people(f"{play.ability.label} (there is no terminal)")
        return
    held = [name for name, one in by_ref.items() if play.opponent.side in sides_at(play.battle, one)]
    name = choose(play.table, "terminal", play.player, play.player.id, list(by_ref), default=[*held, *by_ref][0])
    entry = {"source": play.source, "terminal": list(by_ref[name])}
    add_entry(play.table, play.opponent, MISCOUNTED, entry, UNTIL_ROUND_ENDS)


def _around(play: Situation) -> list[Position]:
    """The space that was aimed at, and those adjacent to it."""
    board, target = board_of(play.battle), play.attack.space
    grid = board.grid
    everywhere = [(x, y) for y in range(grid.height) for x in range(grid.width)]
    return [space for space in everywhere if space == target or board.touch(target, space)]


@effect(
    "placeRubbleOnTargetAndAdjacent",
    Flag,
    needs=Need.RESOLVED_ATTACK,
    timing=Timing.AFTER_ATTACK,
    changes=never_useful,
    possible=lambda play, _: play.attack.hit,
)
def place_rubble(play: Play, _: bool) -> None:
    """after an attack that did not miss, the target's space and those next to it become difficult terrain"""
    for space in _around(play):
        if board_of(play.battle).grid.terrain(space) == FLOOR:
            play.table.change_terrain(space, DIFFICULT, play.source, play.player.id)


@effect("setsHarshEnvironment", Flag, needs=Need.PLAYER, timing=Timing.START_OF_ROUND, changes=never_useful)
def be_harsh(play: Play, _: bool) -> None:
    """until the round ends, figures on exterior spaces have 1 less Evade when they defend, all others 1 more Block; if
    the encounter does not say which spaces are exterior, people decide"""
    if play.battle.encounter.options.get("exterior") is None:
        play.ask_people(f"{play.ability.label} (the encounter does not say which spaces are exterior)")
        return
    for player in (play.player, play.opponent):
        play.table.apply_condition(
            player, HARSH_ENVIRONMENT, source=play.source, owner=play.player.id, until=UNTIL_ROUND_ENDS
        )
