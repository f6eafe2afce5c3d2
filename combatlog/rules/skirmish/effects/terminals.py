"""Cards about terminals."""

from __future__ import annotations

from combatlog.rules.skirmish.board import space_ref
from combatlog.rules.skirmish.card_piles import draw
from combatlog.rules.skirmish.conditions.held import UNTIL_ROUND_ENDS, add_entry
from combatlog.rules.skirmish.conditions.terminal_control import ALL_TERMINALS, MISCOUNTED
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.player_choice import choose
from combatlog.rules.skirmish.registry import Amount, Flag, effect
from combatlog.rules.skirmish.terminals import sides_at, terminals_near, terminals_of
from combatlog.rules.skirmish.vitality import shed
from combatlog.rules.skirmish.vocabulary import DECK, Need, Timing


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
        shed(play.table, play.opponent, ALL_TERMINALS, play.reason)
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
