"""Moving figures: the cheapest path to a space, walking step by step, pushing, and moves allowed by cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from combatlog.rules.engine.grid.pathfinding import already_there, ends_of, no_way, not_open, occupied
from combatlog.rules.engine.grid.squares import UNREACHABLE, PathSearch, distance
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.skirmish.actions.activate import why_held
from combatlog.rules.skirmish.attack import resolve_attack
from combatlog.rules.skirmish.board import (
    AROUND,
    STRAIGHT,
    Board,
    LargeFigurePaths,
    Pose,
    board_of,
    fits,
    is_large,
    occupant_of,
    occupants_of,
    pose_of,
    space_ref,
    spaces_at,
    spaces_of,
)
from combatlog.rules.skirmish.cards import answered_by_opponent
from combatlog.rules.skirmish.conditions.activations import OVERRUNNING
from combatlog.rules.skirmish.library import LibraryAbility
from combatlog.rules.skirmish.sheet import ask, choose, figure_sheet, figures_in_play, is_in_play, player_of
from combatlog.rules.skirmish.targeting import hostiles_of, is_adjacent, targets_of
from combatlog.rules.skirmish.vitality import suffer
from combatlog.rules.skirmish.vocabulary import HALTED, MOVEMENT, STUNNED, TURNED, Timing, ref
from ledger.events import DamagePart, Event, Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

THROUGH_HOSTILE = 1
"""The extra cost of entering a space with a hostile figure."""


class BoardStep(NamedTuple):
    """A move to an adjacent space, or a quarter turn, with its cost."""

    pose: Pose
    cost: int


def board_for(battle: Battle, mover: Combatant) -> Board:
    """The board for a moving figure. Massive and mobile figures ignore terrain."""
    board = board_of(battle)
    return board.bare if figure_sheet(mover).ignores_terrain else board


def way(battle: Battle, mover: Combatant, goal: Position | None, turn: bool = False) -> list[BoardStep]:
    """The steps to a place where the figure can stop, each with its cost. Refuses a place that it cannot reach.

    With `turn`, the figure ends up with its base turned 90 degrees. It may turn on the way in any case.
    """
    start, end = ends_of(mover, goal)
    if start == end and not turn:
        raise already_there(mover, end)
    pose = Pose(end, pose_of(mover).turned != turn)
    require_stop(battle, mover, pose)
    steps = _large_way(battle, mover, pose) if is_large(mover) else _small_way(battle, mover, end)
    if not steps:
        raise no_way(mover, end)
    return steps


def require_stop(battle: Battle, mover: Combatant, pose: Pose) -> None:
    """Refuse a place where the figure cannot end its movement. A massive figure can end it on others that are not."""
    sheet = figure_sheet(mover)
    spaces = spaces_at(sheet.base, pose)
    if not fits(board_for(battle, mover), sheet.base, pose):
        raise not_open(pose.place)
    occupant = occupant_of(battle, spaces, mover)
    if occupant is not None and not (sheet.massive and not figure_sheet(occupant).massive):
        raise occupied(next(space for space in spaces_of(occupant) if space in spaces), occupant)


def reachable(battle: Battle, mover: Combatant) -> dict[Pose, int]:
    """The cost of reaching each place, even where the figure could not stop."""
    if is_large(mover):
        return _large_ways(battle, mover).costs
    grid, costs = board_of(battle).grid, ways_from(battle, mover).costs
    places = ((x, y) for y in range(grid.height) for x in range(grid.width))
    return {Pose((x, y)): costs[y][x] // 100 for x, y in places if costs[y][x] < UNREACHABLE}


def _small_way(battle: Battle, mover: Combatant, goal: Position) -> list[BoardStep]:
    grid, prices = board_for(battle, mover).grid, _prices(battle, mover)
    steps = ways_from(battle, mover).path(goal)
    return [BoardStep(Pose(step), (2 if grid.is_difficult(step) else 1) + prices.get(step, 0)) for step in steps]


def ways_from(battle: Battle, mover: Combatant) -> PathSearch:
    """Paths around walls, through friends, and through hostile figures at an extra cost."""
    start = pose_of(mover).place
    return board_for(battle, mover).ways(start, _prices(battle, mover), _barred(battle, mover))


def _large_way(battle: Battle, mover: Combatant, goal: Pose) -> list[BoardStep]:
    ways = _large_ways(battle, mover)
    return [BoardStep(pose, ways.price(pose)) for pose in ways.path(goal)]


def _large_ways(battle: Battle, mover: Combatant) -> LargeFigurePaths:
    base, prices = figure_sheet(mover).base, _prices(battle, mover)
    return LargeFigurePaths(board_for(battle, mover), base, pose_of(mover), prices, _barred(battle, mover))


def _prices(battle: Battle, mover: Combatant) -> dict[Position, int]:
    if figure_sheet(mover).ignores_terrain:
        return {}
    hostile = [figure for figure in figures_in_play(battle) if figure.side != mover.side]
    return {space: THROUGH_HOSTILE for figure in hostile for space in spaces_of(figure)}


def _barred(battle: Battle, mover: Combatant) -> frozenset[Position]:
    """The spaces of massive figures, which other massive figures cannot enter."""
    if not figure_sheet(mover).massive:
        return frozenset()
    others = [figure for figure in figures_in_play(battle) if figure.id != mover.id and figure_sheet(figure).massive]
    return frozenset(space for figure in others for space in spaces_of(figure))


MASSIVE = ref("rule", "massive")
Path = list[Pose]


def push_aside(table: Table, massive: Combatant) -> None:
    """Push the figures under a massive figure, its friends first. It cannot move again in this activation."""
    under = occupants_of(table.battle, spaces_of(massive), massive)
    for figure in sorted(under, key=lambda one: one.side != massive.side):
        _push(table, figure)
    if under:
        table.apply_condition(massive, HALTED, source=MASSIVE, owner=massive.id)


def _push(table: Table, figure: Combatant) -> None:
    """Push a figure to the nearest free place; its own player chooses among equally near ones."""
    paths = {space_ref(path[-1].place): path for path in _shortest(table.battle, figure)}
    if not paths:
        return
    player = player_of(table.battle, figure)
    chosen = choose(table, "massive.push", player, figure.id, list(paths), default=next(iter(paths)))
    for pose in paths[chosen]:
        table.move(figure, pose.place, forced=True)


def _shortest(battle: Battle, figure: Combatant) -> list[Path]:
    """The shortest paths to places where the figure can stop; without a path, the nearest places."""
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
    """The steps of a pushed figure. Large figures only take straight steps, and none of them turns."""
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


def push(table: Table, player: Combatant, figure: Combatant, spaces: int) -> None:
    """Push a figure step by step to an empty space of the player's choice. Passing leaves it where it is."""
    ways = _ways(table.battle, figure, spaces)
    by_ref = {space_ref(space): space for space in sorted(ways)}
    chosen = ask(table, "push.space", player, figure.id, list(by_ref))
    if chosen is not None:
        with table.because_of(chosen):
            for step in ways[by_ref[chosen.reaction]]:
                table.move(figure, step, forced=True)


def _ways(battle: Battle, figure: Combatant, spaces: int) -> dict[Position, list[Position]]:
    """The free places within reach, with the steps to each. A figure is never pushed through others."""
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


TURN = ref("rule", "turn")


def walk(table: Table, actor: Combatant, steps: Sequence[BoardStep], *, is_free: bool = False) -> None:
    """Take these steps, for movement points or, if a card moves the figure, for free."""
    for step in steps:
        before = spaces_of(actor)
        with table.because_of(_take(table, actor, step)):
            if not is_free:
                table.spend(actor, MOVEMENT, step.cost, "walk")
            _overrun(table, actor, before)
            _come_near(table, actor)
        if _is_stopped(table.battle, actor):
            break
    if figure_sheet(actor).massive and is_in_play(actor):
        push_aside(table, actor)


def _overrun(table: Table, actor: Combatant, before: list[Position]) -> None:
    """If a card says so, damage the hostile figures whose spaces the figure has just entered."""
    held = actor.conditions.get(OVERRUNNING)
    entered = [space for space in spaces_of(actor) if space not in before]
    under = occupants_of(table.battle, entered, actor) if held is not None else []
    for figure in under:
        if held is not None and figure.side != actor.side:
            suffer(table, figure, [DamagePart(source=held.source, amount=held.data.get("damage", 0))], actor.id)


def _come_near(table: Table, actor: Combatant) -> None:
    """Let the other player play cards for figures adjacent to the one that has moved."""
    hostile = [figure for figure in figures_in_play(table.battle) if figure.side != actor.side]
    near = [figure for figure in hostile if is_adjacent(table.battle, figure, actor)]
    if near:
        answered_by_opponent(table, Timing.HOSTILE_ENTERS_ADJACENT, actor, near)


def _is_stopped(battle: Battle, actor: Combatant) -> bool:
    """Whether a condition now holds the figure. In a space with another figure it cannot stop, so it goes on."""
    if not is_in_play(actor):
        return True
    return why_held(battle, actor) is not None and occupant_of(battle, spaces_of(actor), actor) is None


def _take(table: Table, actor: Combatant, step: BoardStep) -> Event:
    """Take a step. After a quarter turn, the upper left space may be the same."""
    if step.pose.turned == pose_of(actor).turned:
        return table.move(actor, step.pose.place, step.cost)
    turned = _turn(table, actor)
    with table.because_of(turned):
        is_elsewhere = step.pose.place != actor.position
        return table.move(actor, step.pose.place, step.cost) if is_elsewhere else turned


def _turn(table: Table, actor: Combatant) -> Event:
    if actor.has(TURNED):
        return table.remove_condition(actor, TURNED, "it turns back")
    return table.apply_condition(actor, TURNED, source=TURN, owner=actor.id)


def move_now(table: Table, figure: Combatant, points: int, *, then_attack: bool = False) -> None:
    """Let the figure's player move it within this many movement points, or leave it where it is."""
    battle = table.battle
    places = _places_within(battle, figure, points)
    has_to_go = then_attack and not _can_attack(battle, figure)
    useful = _nearest_hostile(battle, figure, places) if has_to_go else []
    chosen = _choose_place(table, figure, "interrupt.move", places, useful)
    if chosen is not None:
        walk(table, figure, way(table.battle, figure, chosen), is_free=True)


def _places_within(battle: Battle, figure: Combatant, points: int) -> list[Position]:
    """The places where the figure can stop without having turned, row by row."""
    if not is_in_play(figure) or why_held(battle, figure) is not None or figure.has(HALTED):
        return []
    here = pose_of(figure)
    near = [pose for pose, cost in reachable(battle, figure).items() if cost <= points and pose != here]
    return sorted(
        (pose.place for pose in near if pose.turned == here.turned and _can_stop(battle, figure, pose)),
        key=lambda place: place[::-1],
    )


def _nearest_hostile(battle: Battle, figure: Combatant, places: Sequence[Position]) -> list[Position]:
    """The place nearest to a hostile figure, for a figure that wants to attack from there."""
    board, hostile = board_of(battle), [space for one in hostiles_of(battle, figure) for space in spaces_of(one)]
    return sorted(places, key=lambda place: min((board.spaces(space, place) for space in hostile), default=0))[:1]


def _can_stop(battle: Battle, figure: Combatant, pose: Pose) -> bool:
    try:
        require_stop(battle, figure, pose)
    except Refusal:
        return False
    return True


def _choose_place(
    table: Table, figure: Combatant, moment: str, places: Sequence[Position], useful: Sequence[Position]
) -> Position | None:
    by_ref = {space_ref(place): place for place in places}
    player = player_of(table.battle, figure)
    chosen = ask(table, moment, player, figure.id, list(by_ref), [space_ref(place) for place in useful])
    return by_ref[chosen.reaction] if chosen is not None else None


def place_within(table: Table, figure: Combatant, spaces: int) -> None:
    """Place the figure in an empty space of its player's choice within this many spaces."""
    board, base, here = board_of(table.battle), figure_sheet(figure).base, pose_of(figure)
    grid = board.grid
    everywhere = [(x, y) for y in range(grid.height) for x in range(grid.width)]
    near = [Pose(place, here.turned) for place in everywhere if 0 < board.spaces(here.place, place) <= spaces]
    fitting = [pose for pose in near if fits(board_for(table.battle, figure), base, pose)]
    places = [pose.place for pose in fitting if is_free(table.battle, figure, pose)]
    chosen = _choose_place(table, figure, "figure.place", places, ())
    if chosen is not None:
        table.move(figure, chosen, forced=True)


def attack_now(
    table: Table, figure: Combatant, targets: Sequence[Combatant], gains: Sequence[LibraryAbility] = ()
) -> None:
    """Let the figure attack one of these targets, if it can. Its player chooses the target, or no attack."""
    possible = targets_of(table.battle, figure) if _can_attack(table.battle, figure) else []
    by_ref = {ref("figure", target.id): target for target in possible if target in targets}
    player = player_of(table.battle, figure)
    chosen = ask(table, "interrupt.attack", player, figure.id, list(by_ref), useful=list(by_ref))
    if chosen is not None:
        with table.because_of(chosen):
            resolve_attack(table, figure, by_ref[chosen.reaction], gains=gains)


def _can_attack(battle: Battle, figure: Combatant) -> bool:
    return is_in_play(figure) and not figure.has(STUNNED) and bool(targets_of(battle, figure))
