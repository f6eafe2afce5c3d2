"""How an attack, spell or save is likely to turn out, from the same chains that resolve it.

The odds follow from a few numbers of each chain. What has the same numbers has the same odds, worked out once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from combatlog.rules.dnd5e.attack import CRITICAL, armor_class_chain, attack_chain
from combatlog.rules.dnd5e.autoplay.odds import (
    NOTHING,
    Odds,
    at_least,
    both,
    either,
    mapped,
    naturals,
    reaching,
    sum_of,
    throw,
)
from combatlog.rules.dnd5e.contexts import Attack, Check, Harm, Save
from combatlog.rules.dnd5e.damage import REROLL, TAKEN_STAGES, damage_chain, dice_of, reductions, taken_chain, types_of
from combatlog.rules.dnd5e.pieces import Contributor
from combatlog.rules.dnd5e.saves import FAIL, check_chain, save_chain
from combatlog.rules.dnd5e.state import those_with
from combatlog.rules.dnd5e.words import AbilityScore, Skill
from combatlog.rules.engine.chain import Chain, Modifier
from combatlog.rules.engine.dice import mode_of
from ledger.events import Change, ChangeOp, DamagePart, RollMode
from projections.battle import Battle
from projections.combatant import Combatant

_KNOWN = 8192
"""How many odds are kept of each sort; a fight needs some dozens."""


@dataclass(frozen=True, slots=True)
class Chances:
    """The chances that an attack hits, and that it hits critically."""

    hit: float
    critical: float


class _Throw(NamedTuple):
    """What a chain does to a d20: its mode, its bonuses, and dice such as those of Bless with their signs."""

    mode: RollMode
    bonus: int
    dice: tuple[tuple[str, int], ...]


class _Dealt(NamedTuple):
    """One part of a damage chain: dice or a number, and its damage type."""

    dice: str | None
    rerolled: bool
    amount: int
    kind: str | None


class _Taken(NamedTuple):
    """One part of what happens to damage on its way."""

    stage: str
    op: ChangeOp
    amount: int | None
    kind: str | None


def attack_odds(attack: Attack, situation: Iterable[Modifier] | None = None) -> tuple[Chances, Odds]:
    """The chances of an attack, and the odds of what its target would lose, including 0 for a miss.

    The situation follows from where the two stand, unless another one is given.
    """
    chances = hit_chances(attack, situation)
    chain = damage_chain(attack, critical=False)
    taken = critically_taken = _taken_from(attack, chain, critical=False)
    if those_with(Contributor.on_harm, attack.target):
        critically_taken = _taken_from(attack, chain, critical=True)
    return chances, _attack_odds(chances.hit, chances.critical, _dealt(chain), taken, critically_taken)


def hit_chances(attack: Attack, situation: Iterable[Modifier] | None = None) -> Chances:
    """From the real attack chain and armour class. A natural 1 always misses and a natural 20 always hits."""
    chain = attack.chain = attack_chain(attack, situation)
    threshold = min([m.change.amount or CRITICAL for m in chain.of(ChangeOp.CRITICAL_FROM)], default=CRITICAL)
    return _chances(_throw_of(chain), armor_class_chain(attack).bonus(), threshold)


@lru_cache(maxsize=_KNOWN)
def _chances(thrown: _Throw, against: int, threshold: int) -> Chances:
    added = _added(thrown)
    hit = critical = 0.0
    for natural, chance in enumerate(naturals(thrown.mode), start=1):
        hits = 0.0 if natural == 1 else 1.0 if natural == 20 else at_least(added, against - natural)
        hit += chance * hits
        critical += chance * hits if natural >= threshold else 0.0
    return Chances(hit, critical)


def _throw_of(chain: Chain) -> _Throw:
    advantages = disadvantages = bonus = 0
    dice: list[tuple[str, int]] = []
    for modifier in chain:
        change = modifier.change
        if change.op is ChangeOp.BONUS:
            bonus += change.amount or 0
        elif change.op is ChangeOp.ADVANTAGE:
            advantages += 1
        elif change.op is ChangeOp.DISADVANTAGE:
            disadvantages += 1
        elif change.op is ChangeOp.DICE:
            dice.append((change.dice or "0", -1 if change.amount == -1 else 1))
    return _Throw(mode_of(advantages, disadvantages), bonus, tuple(sorted(dice)))


def _added(thrown: _Throw) -> Odds:
    """What is added to a d20."""
    added: Odds = {thrown.bonus: 1.0}
    for notation, sign in thrown.dice:
        thrown_dice = throw(notation)
        added = both(added, mapped(thrown_dice, lambda value: -value) if sign < 0 else thrown_dice)
    return added


@lru_cache(maxsize=_KNOWN)
def _attack_odds(
    hit: float, critical: float, dealt: tuple[_Dealt, ...], taken: tuple[_Taken, ...], critically: tuple[_Taken, ...]
) -> Odds:
    outcome: Odds = {0: 1 - hit}
    for odds, chance in ((_odds(dealt, taken), hit - critical), (_odds(_doubled(dealt), critically), critical)):
        for amount, likely in odds.items():
            outcome[amount] = outcome.get(amount, 0.0) + chance * likely
    return outcome


def _doubled(dealt: tuple[_Dealt, ...]) -> tuple[_Dealt, ...]:
    """The damage of a critical hit, which doubles the dice but nothing constant."""
    thrown = [part for part in dealt if part.dice is not None]
    added = [part for part in dealt if part.dice is None]
    again = [part._replace(dice=dice) for part in thrown if (dice := dice_of(part.dice or "0"))]
    return _in_order([*thrown, *again], added)


def _taken_from(attack: Attack, chain: Chain, *, critical: bool) -> tuple[_Taken, ...]:
    """What happens to the damage of a hit on its way; a critical hit deals the same types of damage."""
    source = attack.spell or attack.weapon.ref
    harm = Harm(attack.battle, attack.target, attack.attacker, source, types_of(chain), critical, attack)
    return _taken(taken_chain(harm))


def harm_odds(chain: Chain, taken: Chain) -> Odds:
    """How much of a damage chain gets through, by damage type."""
    return _odds(_dealt(chain), _taken(taken))


def _dealt(chain: Chain) -> tuple[_Dealt, ...]:
    """Its dice, then its bonuses, in an order that does not depend on anybody's initiative."""
    rerolls = bool(chain.of(ChangeOp.FLAG, REROLL))
    dice, bonuses = chain.of(ChangeOp.DICE), chain.of(ChangeOp.BONUS)
    thrown = [_Dealt(m.change.dice or "0", rerolls and m.stage == "base", 0, m.change.label) for m in dice]
    added = [_Dealt(None, False, m.change.amount or 0, m.change.label) for m in bonuses]
    return _in_order(thrown, added)


def _in_order(thrown: list[_Dealt], added: list[_Dealt]) -> tuple[_Dealt, ...]:
    return (*sorted(thrown, key=repr), *sorted(added, key=repr)) if len(thrown) > 1 else (*thrown, *added)


def _taken(chain: Chain) -> tuple[_Taken, ...]:
    return tuple(_Taken(m.stage, m.change.op, m.change.amount, m.change.label) for m in chain)


@lru_cache(maxsize=_KNOWN)
def _odds(dealt: tuple[_Dealt, ...], taken: tuple[_Taken, ...]) -> Odds:
    by_type: dict[str | None, Odds] = {}
    for part in dealt:
        more = throw(part.dice, rerolled=part.rerolled) if part.dice is not None else {part.amount: 1.0}
        by_type[part.kind] = both(by_type.get(part.kind, NOTHING), more)
    through = sum_of(_through(taken, kind, odds) for kind, odds in by_type.items())
    return mapped(through, lambda amount: max(0, amount))


def _through(taken: tuple[_Taken, ...], kind: str | None, odds: Odds) -> Odds:
    """How much of one damage type gets past resistances and the like."""
    source = "dnd5e:choosing:estimate"
    changes = [(part.stage, Change(op=part.op, amount=part.amount, label=part.kind)) for part in taken]
    chain = Chain("damage_taken", TAKEN_STAGES, [Modifier(stage, source, "", "", change) for stage, change in changes])

    def left(amount: int) -> int:
        parts = [DamagePart(source=source, amount=amount, damage_type=kind)]
        return amount + sum(part.amount for part in reductions(chain, parts))

    return mapped(odds, left) if taken else odds


def save_chance(battle: Battle, saver: Combatant, ability: AbilityScore, against: int, source: str) -> float:
    """The chance that a saving throw succeeds, from the real save chain."""
    chain = save_chain(Save(battle, saver, ability, against, source))
    if chain.of(ChangeOp.FLAG, FAIL):
        return 0.0
    return _reaching(_throw_of(chain), against)


def check_chance(battle: Battle, checker: Combatant, skill: Skill, ability: AbilityScore, against: int) -> float:
    """The chance that an ability check succeeds, from the real check chain."""
    return _reaching(_throw_of(check_chain(Check(battle, checker, ability, skill, against))), against)


@lru_cache(maxsize=_KNOWN)
def _reaching(thrown: _Throw, against: int) -> float:
    return reaching(thrown.mode, _added(thrown), against)


def area_odds(harm: Harm, chain: Chain, saved: float) -> Odds:
    """What a target in an area would lose, given its chance to save."""
    failed = harm_odds(chain, taken_chain(harm))
    harm.saved = True
    halved = harm_odds(chain, taken_chain(harm))
    harm.saved = False
    return either(saved, halved, failed)
