"""Who can be targeted: adjacency, line of sight and reach."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise, product

from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant
from projections.phrases import counted
from rules.engine.grid import distance
from rules.engine.refusal import Refusal
from rules.skirmish.board import Board, board_of
from rules.skirmish.pieces import PIECES, Condition
from rules.skirmish.sheet import figures_in_play, has_reach, is_in_play, is_ranged

REACH = 2


def place_of(figure: Combatant) -> Position:
    if figure.position is None:
        raise Refusal("place/none", f"{figure.id} has no place on the map; a ruling can give it one.", who=figure.id)
    return figure.position


def spaces_of(figure: Combatant) -> list[Position]:
    """The spaces that a figure occupies."""
    return [place_of(figure)]


def is_small(figure: Combatant) -> bool:
    return len(spaces_of(figure)) == 1


def spaces_between(one: Combatant, other: Combatant) -> int:
    """The distance in spaces, from the nearest to the nearest."""
    return min(distance(start, end) for start, end in product(spaces_of(one), spaces_of(other)))


def is_adjacent(battle: Battle, one: Combatant, other: Combatant) -> bool:
    board = board_of(battle)
    return one is not other and any(board.can_step(*pair) for pair in product(spaces_of(one), spaces_of(other)))


def accuracy_needed(battle: Battle, attacker: Combatant, target: Combatant) -> int:
    """What a ranged attack needs: the distance in spaces, and at least 1. A melee attack needs none."""
    return max(1, spaces_between(attacker, target)) if is_ranged(attacker) else 0


def sees(battle: Battle, one: Combatant, other: Combatant) -> bool:
    """Whether no wall blocks the line between two figures, in either direction. Figures do not block it."""
    board = board_of(battle)
    pairs = product(spaces_of(one), spaces_of(other))
    return any(_is_clear(board, start, end) or _is_clear(board, end, start) for start, end in pairs)


def _is_clear(board: Board, start: Position, end: Position) -> bool:
    from tcod import los

    line = [(int(x), int(y)) for x, y in los.bresenham(start, end)]
    return all(board.can_step(*step) for step in pairwise(line))


def friends_adjacent_to(battle: Battle, figures: Iterable[Combatant]) -> list[Combatant]:
    """Friendly figures next to any of these figures, without those themselves."""
    centre = list(figures)
    return [
        other
        for other in figures_in_play(battle)
        if other not in centre and any(other.side == one.side and is_adjacent(battle, one, other) for one in centre)
    ]


def obstacle_to_target(battle: Battle, attacker: Combatant, target: Combatant) -> str | None:
    """Why a figure cannot be the target of an attack, in words; None if it can."""
    if not is_in_play(target):
        return f"{target.id} is not a figure on the map"
    if target.side == attacker.side:
        return f"{target.id} is not hostile"
    spaces = spaces_between(attacker, target)
    is_seen = sees(battle, attacker, target)
    if protected := _protection(battle, attacker, target):
        return protected
    if is_ranged(attacker):
        return None if is_seen else f"{attacker.id} has no line of sight to {target.id}"
    if is_adjacent(battle, attacker, target) or (has_reach(attacker) and spaces <= REACH and is_seen):
        return None
    within = f"figures within {REACH} spaces in line of sight" if has_reach(attacker) else "adjacent figures"
    where = f"{counted(spaces, 'space')} away" if spaces > 1 else "behind a wall"
    return f"{target.id} is {where}, and {attacker.id} can only attack {within}"


def _protection(battle: Battle, attacker: Combatant, target: Combatant) -> str | None:
    """Why a condition keeps a figure from being targeted, in words."""
    pieces = [PIECES.get(held) for held in target.conditions]
    reasons = (piece.protects(battle, target, attacker) for piece in pieces if isinstance(piece, Condition))
    return next((reason for reason in reasons if reason is not None), None)


def targets_of(battle: Battle, attacker: Combatant) -> list[Combatant]:
    return [other for other in figures_in_play(battle) if obstacle_to_target(battle, attacker, other) is None]
