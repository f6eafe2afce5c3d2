"""Possible targets (adjacency, line of sight, reach), the figures that an effect applies to, and whether it is useful.

For players with a policy of playing cards when they are useful, the checks say whether an effect changes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any

from combatlog.rules.engine.grid.squares import distance
from combatlog.rules.skirmish.attack_state import SkirmishAttack
from combatlog.rules.skirmish.board import OUT_OF_REACH, board_of, spaces_of
from combatlog.rules.skirmish.library import library_of
from combatlog.rules.skirmish.pieces import PIECES, SkirmishCondition
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.sheet import (
    choose,
    choose_up_to,
    figure_sheet,
    figures_in_play,
    group_of,
    has_reach,
    is_in_play,
    is_ranged,
)
from combatlog.rules.skirmish.vocabulary import HEALTH, HIDDEN, Symbol, ref
from ledger.events import Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.story.phrases import counted

REACH = 2


def spaces_between(battle: Battle, one: Combatant, other: Combatant) -> int:
    """The distance between the nearest spaces of two figures, around walls and blocking terrain."""
    board = board_of(battle)
    return min(board.spaces(start, end) for start, end in product(spaces_of(one), spaces_of(other)))


def is_adjacent(battle: Battle, one: Combatant, other: Combatant) -> bool:
    return one is not other and any(touches(battle, space, other) for space in spaces_of(one))


def touches(battle: Battle, space: Position, figure: Combatant) -> bool:
    """Whether a figure is next to a space."""
    board = board_of(battle)
    return any(board.touch(space, other) for other in spaces_of(figure))


def accuracy_needed(battle: Battle, attacker: Combatant, target: Combatant) -> int:
    """The accuracy that an attack needs: for ranged ones, the distance in spaces, at least 1; for melee ones, 0."""
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
    """The spaces of other figures, if figures block line of sight; they never block it to or from a massive figure."""
    if not battle.encounter.options.get("figures_block_sight"):
        return set()
    if figure_sheet(one).massive or figure_sheet(other).massive:
        return set()
    between = [figure for figure in figures_in_play(battle) if figure.id not in (one.id, other.id)]
    return {space for figure in between for space in spaces_of(figure)}


def friends_adjacent_to(battle: Battle, figures: Iterable[Combatant]) -> list[Combatant]:
    """Friendly figures adjacent to any of these figures, without these figures themselves."""
    centre = list(figures)
    return [
        other
        for other in figures_in_play(battle)
        if other not in centre and any(other.side == one.side and is_adjacent(battle, one, other) for one in centre)
    ]


def obstacle_to_target(battle: Battle, attacker: Combatant, target: Combatant) -> str | None:
    """The reason, in words, why a figure cannot be the target of an attack; None if it can."""
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
    """The reason, in words, why a condition keeps a figure from being targeted."""
    pieces = [PIECES.get(held) for held in target.conditions]
    reasons = (piece.protects(battle, target, attacker) for piece in pieces if isinstance(piece, SkirmishCondition))
    return next((reason for reason in reasons if reason is not None), None)


def target_spaces(battle: Battle, attacker: Combatant, target: Combatant) -> list[Position]:
    """The spaces of a target that an attack can be aimed at, the nearest first. The choice matters for blasts."""
    spaces = [space for space in spaces_of(target) if _can_aim_at(battle, attacker, target, space)]
    return sorted(spaces, key=lambda space: (min(distance(space, own) for own in spaces_of(attacker)), space[::-1]))


def _can_aim_at(battle: Battle, attacker: Combatant, target: Combatant, space: Position) -> bool:
    is_seen = sees_space(battle, attacker, target, space)
    if is_ranged(attacker):
        return is_seen
    return touches(battle, space, attacker) or (has_reach(attacker) and is_seen)


def targets_of(battle: Battle, attacker: Combatant) -> list[Combatant]:
    return [other for other in figures_in_play(battle) if obstacle_to_target(battle, attacker, other) is None]


def activating(play: Situation) -> list[Combatant]:
    """All figures of the active deployment card; in an attack, only the figure that attacks or defends."""
    return [play.figure] if play.attack_if_any is not None else group_of(play.battle, play.figure)


def hostiles_of(battle: Battle, figure: Combatant) -> list[Combatant]:
    return [other for other in figures_in_play(battle) if other.side != figure.side]


def hostiles_adjacent_to(battle: Battle, figure: Combatant) -> list[Combatant]:
    return [other for other in hostiles_of(battle, figure) if is_adjacent(battle, figure, other)]


def hostiles_within(battle: Battle, figure: Combatant, spaces: int, in_sight: bool = False) -> list[Combatant]:
    near = [other for other in hostiles_of(battle, figure) if spaces_between(battle, figure, other) <= spaces]
    return [other for other in near if sees(battle, figure, other)] if in_sight else near


def friends_within(battle: Battle, figure: Combatant, spaces: int) -> list[Combatant]:
    """Other friendly figures within this many spaces."""
    friends = [other for other in figures_in_play(battle) if other.side == figure.side and other is not figure]
    return [other for other in friends if spaces_between(battle, figure, other) <= spaces]


def chosen_up_to(play: Play, moment: str, figures: Sequence[Combatant], limit: int) -> list[Combatant]:
    """Up to this many of the figures; if there are more, the player chooses."""
    by_ref = {ref("figure", figure.id): figure for figure in figures}
    subject = play.player.id
    return [by_ref[name] for name in choose_up_to(play.table, moment, play.player, subject, list(by_ref), limit)]


def one_of(play: Play, moment: str, figures: Sequence[Combatant], by: str | None = None) -> Combatant | None:
    """One figure of the player's choice; by default, the one with the least health. If there is none, people decide."""
    if not figures:
        play.ask_people(f"{play.ability.label} (there is no figure to choose)")
        return None
    weakest_first = sorted(figures, key=lambda one: one.vitals[HEALTH].current)
    by_ref = {ref("figure", figure.id): figure for figure in weakest_first}
    subject = by or play.figure.id
    return by_ref[choose(play.table, moment, play.player, subject, list(by_ref), default=next(iter(by_ref)))]


Changes = Callable[[Situation, Any], bool]


def never_useful(situation: Situation, value: Any) -> bool:
    """For drawbacks of a card, which are never a reason to play it."""
    return False


def some_lack(condition: str, figures: Callable[[Situation], Iterable[Combatant]]) -> Changes:
    """Whether one of the figures does not have a condition yet."""
    return lambda situation, _: not all(figure.has(condition) for figure in figures(situation))


def damage_is_useful(situation: Situation, gain: Any) -> bool:
    """Whether more damage changes anything: not if the defense blocks it all. Conditions need damage, too."""
    attack = situation.attack
    hits = gain if isinstance(gain, int) else 0
    return not attack.is_dodged and (not attack.is_rolled or _gets_through(attack, hits))


def _gets_through(attack: SkirmishAttack, hits: int = 0) -> bool:
    """Whether the target would suffer damage now, or might with the surges that can still be spent."""
    unblocked = attack.total(Symbol.DAMAGE) + hits - max(0, attack.total(Symbol.BLOCK) - attack.total(Symbol.PIERCE))
    return unblocked > 0 or (attack.total(Symbol.SURGE) > 0 and bool(attack.unused_surges))


def accuracy_is_useful(situation: Situation, _: Any) -> bool:
    """Whether more accuracy changes anything: only for a ranged attack that falls short."""
    attack = situation.attack
    if not attack.is_ranged or attack.is_dodged:
        return False
    lost = 2 if attack.defender.has(HIDDEN) else 0
    needed = accuracy_needed(situation.battle, attack.attacker, attack.defender)
    return not attack.is_rolled or attack.total(Symbol.ACCURACY) - lost < needed


def pierce_is_useful(situation: Situation, _: Any) -> bool:
    attack = situation.attack
    return not attack.is_dodged and (not attack.is_rolled or attack.total(Symbol.BLOCK) > attack.total(Symbol.PIERCE))


def surges_are_useful(situation: Situation, amount: int) -> bool:
    """Whether more surges would pay for a surge ability that cannot be paid for otherwise."""
    attack = situation.attack
    costs = [library_of(situation.battle).surge(key).surge_cost for key in attack.unused_surges]
    if not attack.is_rolled:
        return bool(costs)
    left = attack.total(Symbol.SURGE)
    return not attack.is_dodged and sum(costs) > left and min(costs) <= left + amount


def block_is_useful(situation: Situation, _: Any) -> bool:
    attack = situation.attack
    return not attack.is_dodged and (not attack.is_rolled or _gets_through(attack))


def evade_is_useful(situation: Situation, _: Any) -> bool:
    """Whether an evade changes anything: it cancels a surge and counts for the hit check of a ranged attack."""
    attack = situation.attack
    counts = attack.is_ranged or not attack.is_rolled or attack.rolled(Symbol.SURGE) > 0
    return counts and not attack.is_dodged


def removing_dice_is_useful(situation: Situation, _: Any) -> bool:
    return bool(situation.attack.defense_pool)
