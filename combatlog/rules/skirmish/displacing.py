"""Pushing a figure to a space that a player chooses."""

from __future__ import annotations

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.board import space_ref
from combatlog.rules.skirmish.footprint import Pose, pose_of
from combatlog.rules.skirmish.player_choice import ask
from combatlog.rules.skirmish.pushing import is_free, next_to
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant


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
    """The places within reach that are free, with the steps to each. Nobody is pushed through others."""
    ways: dict[Pose, list[Pose]] = {pose_of(figure): []}
    edge = list(ways)
    for _ in range(spaces):
        fresh: dict[Pose, list[Pose]] = {}
        for pose in edge:
            for step in next_to(battle, figure, pose):
                if step not in ways and is_free(battle, figure, step):
                    fresh.setdefault(step, [*ways[pose], step])
        ways |= fresh
        edge = list(fresh)
    return {pose.place: [step.place for step in steps] for pose, steps in ways.items() if steps}
