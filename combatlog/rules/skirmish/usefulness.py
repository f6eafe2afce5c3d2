"""Whether an effect would change anything: players who play cards when they are useful are told so."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from combatlog.rules.skirmish.attack_state import Attack
from combatlog.rules.skirmish.library import library_of
from combatlog.rules.skirmish.play import Situation
from combatlog.rules.skirmish.targeting import accuracy_needed
from combatlog.rules.skirmish.vocabulary import HIDDEN, Symbol
from projections.combatant import Combatant

Changes = Callable[[Situation, Any], bool]


def never(situation: Situation, value: Any) -> bool:
    """For the price of a card: nobody plays it for that."""
    return False


def some_lack(condition: str, figures: Callable[[Situation], Iterable[Combatant]]) -> Changes:
    """Whether one of the figures does not have a condition yet."""
    return lambda situation, _: not all(figure.has(condition) for figure in figures(situation))


def more_damage(situation: Situation, gain: Any) -> bool:
    """Hits that the defense blocks anyway change nothing; conditions need damage as well."""
    attack = situation.attack
    hits = gain if isinstance(gain, int) else 0
    return not attack.is_dodged and (not attack.is_rolled or _gets_through(attack, hits))


def _gets_through(attack: Attack, hits: int = 0) -> bool:
    """Whether the target would suffer damage as things are, or by what surges may still add."""
    unblocked = attack.total(Symbol.DAMAGE) + hits - max(0, attack.total(Symbol.BLOCK) - attack.total(Symbol.PIERCE))
    return unblocked > 0 or (attack.total(Symbol.SURGE) > 0 and bool(attack.unused_surges))


def more_accuracy(situation: Situation, _: Any) -> bool:
    """Only a ranged attack that falls short gains anything."""
    attack = situation.attack
    if not attack.is_ranged or attack.is_dodged:
        return False
    lost = 2 if attack.defender.has(HIDDEN) else 0
    needed = accuracy_needed(situation.battle, attack.attacker, attack.defender)
    return not attack.is_rolled or attack.total(Symbol.ACCURACY) - lost < needed


def more_pierce(situation: Situation, _: Any) -> bool:
    attack = situation.attack
    return not attack.is_dodged and (not attack.is_rolled or attack.total(Symbol.BLOCK) > attack.total(Symbol.PIERCE))


def more_surges(situation: Situation, amount: int) -> bool:
    """Whether they would pay for a surge ability that cannot be paid for otherwise."""
    attack = situation.attack
    costs = [library_of(situation.battle).surge(key).surge_cost for key in attack.unused_surges]
    if not attack.is_rolled:
        return bool(costs)
    left = attack.total(Symbol.SURGE)
    return not attack.is_dodged and sum(costs) > left and min(costs) <= left + amount


def less_damage(situation: Situation, _: Any) -> bool:
    attack = situation.attack
    return not attack.is_dodged and (not attack.is_rolled or _gets_through(attack))


def more_evade(situation: Situation, _: Any) -> bool:
    """An evade cancels a surge and counts for the hit check of a ranged attack."""
    attack = situation.attack
    counts = attack.is_ranged or not attack.is_rolled or attack.rolled(Symbol.SURGE) > 0
    return counts and not attack.is_dodged


def fewer_defense_dice(situation: Situation, _: Any) -> bool:
    return bool(situation.attack.defense_pool)
