"""Pushing a figure to a space that a player chooses."""

from __future__ import annotations

from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.engine.table import Table
from rules.skirmish.board import AROUND, board_of, space_ref
from rules.skirmish.footprint import place_of, spaces_of
from rules.skirmish.player_choice import ask
from rules.skirmish.sheet import figures_in_play


def push(table: Table, player: Combatant, figure: Combatant, spaces: int) -> None:
    """The player chooses an empty space; the figure goes there step by step. Passing leaves it where it is."""
    ways = _ways(table.battle, figure, spaces)
    by_ref = {space_ref(space): space for space in sorted(ways)}
    chosen = ask(table, "push.space", player, figure.id, list(by_ref))
    if chosen is not None:
        with table.because_of(chosen):
            for step in ways[by_ref[chosen.reaction]]:
                table.move(figure, step, forced=True)


def _ways(battle: Battle, figure: Combatant, spaces: int) -> dict[Position, list[Position]]:
    """The empty spaces within reach, with the steps to each. Nobody is pushed through others."""
    board, start = board_of(battle), place_of(figure)
    taken = {space for other in figures_in_play(battle) for space in spaces_of(other)}
    ways: dict[Position, list[Position]] = {start: []}
    edge = [start]
    for _ in range(spaces):
        fresh: dict[Position, list[Position]] = {}
        for x, y in edge:
            for dx, dy in AROUND:
                step = (x + dx, y + dy)
                if step not in ways and step not in taken and board.can_step((x, y), step):
                    fresh.setdefault(step, [*ways[x, y], step])
        ways |= fresh
        edge = list(fresh)
    return {space: steps for space, steps in ways.items() if steps}
