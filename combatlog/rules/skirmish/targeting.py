"""Who can be targeted: adjacency, line of sight and reach."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from combatlog.rules.engine.grid import distance
from combatlog.rules.skirmish.board import OUT_OF_REACH, board_of
from combatlog.rules.skirmish.footprint import spaces_of
from combatlog.rules.skirmish.pieces import PIECES, Condition
from combatlog.rules.skirmish.sheet import figure_sheet, figures_in_play, has_reach, is_in_play, is_ranged
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant
from projections.phrases import counted

REACH = 2


def spaces_between(battle: Battle, one: Combatant, other: Combatant) -> int:
    """The distance in spaces, from the nearest to the nearest, around walls and blocking terrain."""
    board = board_of(battle)
    return min(board.spaces(start, end) for start, end in product(spaces_of(one), spaces_of(other)))


def is_adjacent(battle: Battle, one: Combatant, other: Combatant) -> bool:
    return one is not other and any(touches(battle, space, other) for space in spaces_of(one))


def touches(battle: Battle, space: Position, figure: Combatant) -> bool:
    """Whether a figure is next to a space."""
    board = board_of(battle)
    return any(board.touch(space, other) for other in spaces_of(figure))


def accuracy_needed(battle: Battle, attacker: Combatant, target: Combatant) -> int:
    """What a ranged attack needs: the distance in spaces, and at least 1. A melee attack needs none."""
    return max(1, spaces_between(battle, attacker, target)) if is_ranged(attacker) else 0


def sees(battle: Battle, one: Combatant, other: Combatant) -> bool:
    """Whether nothing blocks the line between any of their spaces, in either direction."""
    return any(sees_space(battle, one, other, space) for space in spaces_of(other))


def sees_space(battle: Battle, one: Combatant, other: Combatant, space: Position) -> bool:
    """Whether a figure sees one of the spaces of another."""
    board, opaque = board_of(battle), _opaque(battle, one, other)
    pairs = [(start, space) for start in spaces_of(one)]
    return any(board.is_clear(start, end, opaque) or board.is_clear(end, start, opaque) for start, end in pairs)


def _opaque(battle: Battle, one: Combatant, other: Combatant) -> set[Position]:
    """The spaces of figures in the way, if figures block the line of sight: never to or from a massive one."""
    if not battle.encounter.options.get("figures_block_sight"):
        return set()
    if figure_sheet(one).massive or figure_sheet(other).massive:
        return set()
    between = [figure for figure in figures_in_play(battle) if figure.id not in (one.id, other.id)]
    return {space for figure in between for space in spaces_of(figure)}


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
    spaces = spaces_between(battle, attacker, target)
    is_seen = sees(battle, attacker, target)
    if protected := _protection(battle, attacker, target):
        return protected
    if is_ranged(attacker):
        return None if is_seen else f"{attacker.id} has no line of sight to {target.id}"
    if is_adjacent(battle, attacker, target) or (has_reach(attacker) and spaces <= REACH and is_seen):
        return None
    within = f"figures within {REACH} spaces in line of sight" if has_reach(attacker) else "adjacent figures"
    where = f"{counted(spaces, 'space')} away" if spaces < OUT_OF_REACH else "behind a wall"
    return f"{target.id} is {where}, and {attacker.id} can only attack {within}"


def _protection(battle: Battle, attacker: Combatant, target: Combatant) -> str | None:
    """Why a condition keeps a figure from being targeted, in words."""
    pieces = [PIECES.get(held) for held in target.conditions]
    reasons = (piece.protects(battle, target, attacker) for piece in pieces if isinstance(piece, Condition))
    return next((reason for reason in reasons if reason is not None), None)


def target_spaces(battle: Battle, attacker: Combatant, target: Combatant) -> list[Position]:
    """The spaces of a target that an attack can be aimed at, the nearest first; which one matters for blasts."""
    spaces = [space for space in spaces_of(target) if _can_aim_at(battle, attacker, target, space)]
    return sorted(spaces, key=lambda space: (min(distance(space, own) for own in spaces_of(attacker)), space[::-1]))


def _can_aim_at(battle: Battle, attacker: Combatant, target: Combatant, space: Position) -> bool:
    is_seen = sees_space(battle, attacker, target, space)
    if is_ranged(attacker):
        return is_seen
    return touches(battle, space, attacker) or (has_reach(attacker) and is_seen)


def targets_of(battle: Battle, attacker: Combatant) -> list[Combatant]:
    return [other for other in figures_in_play(battle) if obstacle_to_target(battle, attacker, other) is None]
