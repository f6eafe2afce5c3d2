"""Figures that move or attack because a card lets them, whoever's activation it is."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.ability import Ability
from combatlog.rules.skirmish.activity import why_held
from combatlog.rules.skirmish.attack import resolve_attack
from combatlog.rules.skirmish.board import board_of, space_ref
from combatlog.rules.skirmish.figures import hostiles_of
from combatlog.rules.skirmish.footprint import Pose, pose_of, spaces_of
from combatlog.rules.skirmish.large_ways import fits
from combatlog.rules.skirmish.movement import board_for, reachable, require_stop, way
from combatlog.rules.skirmish.player_choice import ask
from combatlog.rules.skirmish.pushing import is_free
from combatlog.rules.skirmish.sheet import figure_sheet, is_in_play, player_of
from combatlog.rules.skirmish.targeting import targets_of
from combatlog.rules.skirmish.vocabulary import HALTED, STUNNED, ref
from combatlog.rules.skirmish.walking import walk
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant


def move_now(table: Table, figure: Combatant, points: int, *, then_attack: bool = False) -> None:
    """The figure walks as far as these movement points carry it. Its player chooses where to, or to stay."""
    battle = table.battle
    places = _places_within(battle, figure, points)
    has_to_go = then_attack and not _can_attack(battle, figure)
    useful = _nearest_hostile(battle, figure, places) if has_to_go else []
    chosen = _choose_place(table, figure, "interrupt.move", places, useful)
    if chosen is not None:
        walk(table, figure, way(table.battle, figure, chosen), is_free=True)


def _places_within(battle: Battle, figure: Combatant, points: int) -> list[Position]:
    """Where it can stop without ending up turned, row by row."""
    if not is_in_play(figure) or why_held(battle, figure) is not None or figure.has(HALTED):
        return []
    here = pose_of(figure)
    near = [pose for pose, cost in reachable(battle, figure).items() if cost <= points and pose != here]
    return sorted(
        (pose.place for pose in near if pose.turned == here.turned and _can_stop(battle, figure, pose)),
        key=lambda place: place[::-1],
    )


def _nearest_hostile(battle: Battle, figure: Combatant, places: Sequence[Position]) -> list[Position]:
    """The place that is nearest to a hostile figure, for whoever is to attack from there."""
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
    """The figure is put down in an empty space within so many spaces, which its player chooses."""
    board, base, here = board_of(table.battle), figure_sheet(figure).base, pose_of(figure)
    grid = board.grid
    everywhere = [(x, y) for y in range(grid.height) for x in range(grid.width)]
    near = [Pose(place, here.turned) for place in everywhere if 0 < board.spaces(here.place, place) <= spaces]
    fitting = [pose for pose in near if fits(board_for(table.battle, figure), base, pose)]
    places = [pose.place for pose in fitting if is_free(table.battle, figure, pose)]
    chosen = _choose_place(table, figure, "figure.place", places, ())
    if chosen is not None:
        table.move(figure, chosen, forced=True)


def attack_now(table: Table, figure: Combatant, targets: Sequence[Combatant], gains: Sequence[Ability] = ()) -> None:
    """The figure attacks one of these, if it can. Its player chooses whom, or not to attack."""
    possible = targets_of(table.battle, figure) if _can_attack(table.battle, figure) else []
    by_ref = {ref("figure", target.id): target for target in possible if target in targets}
    player = player_of(table.battle, figure)
    chosen = ask(table, "interrupt.attack", player, figure.id, list(by_ref), useful=list(by_ref))
    if chosen is not None:
        with table.because_of(chosen):
            resolve_attack(table, figure, by_ref[chosen.reaction], gains=gains)


def _can_attack(battle: Battle, figure: Combatant) -> bool:
    return is_in_play(figure) and not figure.has(STUNNED) and bool(targets_of(battle, figure))
