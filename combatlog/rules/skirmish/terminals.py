"""Terminals: whoever controls one draws a Command card more at the end of each round."""

from __future__ import annotations

from combatlog.rules.skirmish.board import read_space
from combatlog.rules.skirmish.conditions.held import entries
from combatlog.rules.skirmish.conditions.terminal_control import ALL_TERMINALS, MISCOUNTED
from combatlog.rules.skirmish.footprint import spaces_of
from combatlog.rules.skirmish.sheet import figures_in_play, players
from combatlog.rules.skirmish.targeting import touches
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant


def terminals_of(battle: Battle) -> list[Position]:
    return [read_space(text) for text in battle.encounter.options.get("terminals") or ()]


def controlled_by(battle: Battle, player: Combatant) -> list[Position]:
    """The terminals with a figure of this player on or next to them, and none of the other; all, if a card says so."""
    claims = [one.side for one in players(battle) if one.has(ALL_TERMINALS)]
    if claims:
        return terminals_of(battle) if claims == [player.side] else []
    return [terminal for terminal in terminals_of(battle) if sides_at(battle, terminal) == {player.side}]


def sides_at(battle: Battle, terminal: Position) -> set[str]:
    """The sides whose figures count on a terminal or next to it."""
    there = [figure.side for figure in figures_in_play(battle) if is_at(battle, figure, terminal)]
    for player in players(battle):
        missed = [entry["terminal"] for entry in entries(player, MISCOUNTED)].count(list(terminal))
        for _ in range(min(missed, there.count(player.side))):
            there.remove(player.side)
    return set(there)


def terminals_near(battle: Battle, figure: Combatant) -> list[Position]:
    """The terminals that a figure is on or next to."""
    return [terminal for terminal in terminals_of(battle) if is_at(battle, figure, terminal)]


def is_at(battle: Battle, figure: Combatant, terminal: Position) -> bool:
    return terminal in spaces_of(figure) or touches(battle, terminal, figure)
