"""A massive figure ends its movement on others: they are pushed aside, each as few spaces as possible."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.engine.grid import distance
from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.board import AROUND, STRAIGHT, board_of, space_ref
from combatlog.rules.skirmish.footprint import Pose, is_large, occupant_of, occupants_of, pose_of, spaces_at, spaces_of
from combatlog.rules.skirmish.large_ways import fits
from combatlog.rules.skirmish.movement import board_for
from combatlog.rules.skirmish.player_choice import choose
from combatlog.rules.skirmish.sheet import figure_sheet, player_of
from combatlog.rules.skirmish.vocabulary import HALTED, ref
from projections.battle import Battle
from projections.combatant import Combatant

MASSIVE = ref("rule", "massive")
Path = list[Pose]


def push_aside(table: Table, massive: Combatant) -> None:
    """Push those under a massive figure, its friends first. It does not move again in this activation."""
    under = occupants_of(table.battle, spaces_of(massive), massive)
    for figure in sorted(under, key=lambda one: one.side != massive.side):
        _push(table, figure)
    if under:
        table.apply_condition(massive, HALTED, source=MASSIVE, owner=massive.id)


def _push(table: Table, figure: Combatant) -> None:
    """The figure's own player chooses between places that are equally near."""
    paths = {space_ref(path[-1].place): path for path in _shortest(table.battle, figure)}
    if not paths:
        return
    player = player_of(table.battle, figure)
    chosen = choose(table, "massive.push", player, figure.id, list(paths), default=next(iter(paths)))
    for pose in paths[chosen]:
        table.move(figure, pose.place, forced=True)


def _shortest(battle: Battle, figure: Combatant) -> list[Path]:
    """The shortest ways to places where the figure can end its movement; if there is no way, the nearest places."""
    reached: list[Path] = [[pose_of(figure)]]
    known = {pose_of(figure)}
    while reached:
        further: list[Path] = []
        for path in reached:
            for pose in next_to(battle, figure, path[-1]):
                if pose not in known:
                    known.add(pose)
                    further.append([*path, pose])
        if found := [path[1:] for path in further if is_free(battle, figure, path[-1])]:
            return found
        reached = further
    return [[pose] for pose in _nearest(battle, figure)]


def next_to(battle: Battle, figure: Combatant, pose: Pose) -> Iterator[Pose]:
    """Pushed figures take ordinary steps: large ones straight ones only, and none of them turns."""
    board, base = board_for(battle, figure), figure_sheet(figure).base
    for dx, dy in STRAIGHT if is_large(figure) else AROUND:
        after = Pose((pose.place[0] + dx, pose.place[1] + dy), pose.turned)
        crossed = (((x, y), (x + dx, y + dy)) for x, y in spaces_at(base, pose))
        if all(board.can_step(*step) for step in crossed) and fits(board, base, after):
            yield after


def _nearest(battle: Battle, figure: Combatant) -> list[Pose]:
    grid, here = board_of(battle).grid, pose_of(figure)
    board, base = board_for(battle, figure), figure_sheet(figure).base
    poses = [Pose((x, y), here.turned) for y in range(grid.height) for x in range(grid.width)]
    free = [pose for pose in poses if fits(board, base, pose) and is_free(battle, figure, pose)]
    least = min((distance(here.place, pose.place) for pose in free), default=0)
    return [pose for pose in free if distance(here.place, pose.place) == least]


def is_free(battle: Battle, figure: Combatant, pose: Pose) -> bool:
    return occupant_of(battle, spaces_at(figure_sheet(figure).base, pose), figure) is None
