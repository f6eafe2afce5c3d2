"""Exact odds of attacks, spells and saves, from the same chains that resolve them, and foreseen outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from combatlog.rules.dnd5e.attack.damage import (
    REROLL,
    TAKEN_STAGES,
    damage_chain,
    dice_of,
    reductions,
    taken_chain,
    types_of,
)
from combatlog.rules.dnd5e.attack.phases import CRITICAL, armor_class_chain, attack_chain
from combatlog.rules.dnd5e.combatant_state import those_with
from combatlog.rules.dnd5e.contexts import Attack, Check, Harm, Save
from combatlog.rules.dnd5e.enums import AbilityScore, Skill
from combatlog.rules.dnd5e.pieces import Contributor
from combatlog.rules.dnd5e.saves_and_checks import FAIL, check_chain, save_chain
from combatlog.rules.engine.dice.dice_notation import Die, mode_of, parse
from combatlog.rules.engine.resolution.chain import Modifier, ModifierChain
from ledger.events import Change, ChangeOp, DamagePart, Data, Position, RollMode
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.statistics.odds import odds_of

Odds = dict[int, float]
"""The probability of each number. Do not modify: odds are shared."""
NOTHING: Odds = {0: 1.0}
REROLLED = (1, 2)


def both(one: Odds, other: Odds) -> Odds:
    """The sum of two independent rolls."""
    if len(other) == 1:
        ((shift, _),) = other.items()
        return {value + shift: chance for value, chance in one.items()}
    total: Odds = {}
    for value, chance in one.items():
        for more, likely in other.items():
            total[value + more] = total.get(value + more, 0.0) + chance * likely
    return total


def times(odds: Odds, count: int) -> Odds:
    """The sum of `count` independent rolls."""
    return odds if count == 1 else _times(tuple(odds.items()), count)


@lru_cache(maxsize=2048)
def _times(odds: tuple[tuple[int, float], ...], count: int) -> Odds:
    return sum_of([dict(odds)] * count)


def either(chance: float, one: Odds, other: Odds) -> Odds:
    """The odds of one outcome with this chance, and of the other one otherwise."""
    mixed = {value: chance * likely for value, likely in one.items()}
    for value, likely in other.items():
        mixed[value] = mixed.get(value, 0.0) + (1 - chance) * likely
    return mixed


def mapped(odds: Odds, change: Callable[[int], int]) -> Odds:
    changed: Odds = {}
    for value, chance in odds.items():
        new = change(value)
        changed[new] = changed.get(new, 0.0) + chance
    return changed


def mean(odds: Odds) -> float:
    return sum(value * chance for value, chance in odds.items())


def mean_up_to(odds: Odds, most: int) -> float:
    """The mean with values capped at a limit, because a target cannot lose more than it has."""
    return sum([(value if value < most else most) * chance for value, chance in odds.items()])


def at_least(odds: Odds, wanted: int) -> float:
    """The chance of this number or more."""
    if len(odds) == 1:
        ((value, chance),) = odds.items()
        return chance if value >= wanted else 0.0
    return sum([chance for value, chance in odds.items() if value >= wanted])


@lru_cache(maxsize=2048)
def _throw(notation: str, rerolled: bool) -> tuple[tuple[int, float], ...]:
    counted, read = odds_of(notation), parse(notation)
    if counted is None:  # with this many dice, the mean is close enough
        return ((round(read.average), 1.0),)
    if not rerolled:
        return tuple((total, float(chance)) for total, chance in counted.items())
    total: Odds = {read.constant: 1.0}
    for die in read.dice:
        total = both(total, _die(die, rerolled))
    return tuple(total.items())


def throw(notation: str, *, rerolled: bool = False) -> Odds:
    """The odds of a sum of dice. With `rerolled`, 1s and 2s are rerolled once."""
    return dict(_throw(notation, rerolled))


def _die(die: Die, rerolled: bool) -> Odds:
    faces = [int(face) for face in die.faces]
    once = {face: 1 / len(faces) for face in faces}
    if not rerolled:
        return once
    again = sum(once.get(face, 0.0) for face in REROLLED)
    return {face: (0.0 if face in REROLLED else once[face]) + again * once[face] for face in faces}


@lru_cache(maxsize=8)
def naturals(mode: RollMode) -> tuple[float, ...]:
    """The chance of each result of a d20, from 1 to 20."""
    if mode is RollMode.NORMAL:
        return (1 / 20,) * 20
    ways = [2 * face - 1 for face in range(1, 21)]
    return tuple(way / 400 for way in (ways if mode is RollMode.ADVANTAGE else reversed(ways)))


def reaching(mode: RollMode, added: Odds, against: int) -> float:
    """The chance that a d20 plus added odds reaches a number."""
    return sum(
        chance * at_least(added, against - face) for face, chance in enumerate(naturals(mode), start=1) if chance
    )


def sum_of(all_odds: Iterable[Odds]) -> Odds:
    """The sum of independent rolls."""
    total: Odds | None = None
    for odds in all_odds:
        total = odds if total is None else both(total, odds)
    return NOTHING if total is None else total


@dataclass(frozen=True, slots=True)
class ForeseenCondition:
    """A condition that would begin or end with some chance, and the number of turns for which it counts."""

    target: str
    condition: str
    chance: float = 1.0
    turns: int = 1
    ends: bool = False
    data: Data = field(default_factory=dict)


@dataclass(slots=True)
class ForeseenOutcome:
    harm: dict[str, Odds] = field(default_factory=dict)
    """The odds of each target's loss of hit points."""
    healing: dict[str, Odds] = field(default_factory=dict)
    afflictions: list[ForeseenCondition] = field(default_factory=list)
    struck_by: list[str] = field(default_factory=list)
    """The enemies that could attack the actor on its way."""
    place: Position | None = None
    """Where the actor would end up, if it moves."""
    opens_up: float = 0.0
    """The worth of the attack that it makes possible, in hit points."""
    ambush: float = 0.0
    """The expected worth of a later attack: from hiding, or when an enemy approaches."""
    spared: float = 0.0
    """The loss that the actor would be spared until its next turn, apart from the effects of conditions."""
    nearer: float = 0.0
    """The steps that it brings an actor closer to the enemy, if there is none to attack."""


_KNOWN = 8192
"""The number of odds of each kind that are cached; a fight needs dozens."""


@dataclass(frozen=True, slots=True)
class AttackChances:
    """The chances that an attack hits and that it is a critical hit."""

    hit: float
    critical: float


class _Throw(NamedTuple):
    """The effect of a chain on a d20: its mode, its bonuses, and dice such as those of Bless with their signs."""

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
    """One change of damage on its way to the target."""

    stage: str
    op: ChangeOp
    amount: int | None
    kind: str | None


def attack_odds(attack: Attack, situation: Iterable[Modifier] | None = None) -> tuple[AttackChances, Odds]:
    """The chances of an attack, and the odds of its target's loss, including 0 for a miss.

    The situation follows from the positions, unless one is given.
    """
    chances = hit_chances(attack, situation)
    chain = damage_chain(attack, critical=False)
    taken = critically_taken = _taken_from(attack, chain, critical=False)
    if those_with(Contributor.on_harm, attack.target):
        critically_taken = _taken_from(attack, chain, critical=True)
    return chances, _attack_odds(chances.hit, chances.critical, _dealt(chain), taken, critically_taken)


def hit_chances(attack: Attack, situation: Iterable[Modifier] | None = None) -> AttackChances:
    """The chances, from the real attack chain and armour class. A natural 1 always misses, a natural 20 always hits."""
    chain = attack.chain = attack_chain(attack, situation)
    threshold = min([m.change.amount or CRITICAL for m in chain.of(ChangeOp.CRITICAL_FROM)], default=CRITICAL)
    return _chances(_throw_of(chain), armor_class_chain(attack).bonus(), threshold)


@lru_cache(maxsize=_KNOWN)
def _chances(thrown: _Throw, against: int, threshold: int) -> AttackChances:
    added = _added(thrown)
    hit = critical = 0.0
    for natural, chance in enumerate(naturals(thrown.mode), start=1):
        hits = 0.0 if natural == 1 else 1.0 if natural == 20 else at_least(added, against - natural)
        hit += chance * hits
        critical += chance * hits if natural >= threshold else 0.0
    return AttackChances(hit, critical)


def _throw_of(chain: ModifierChain) -> _Throw:
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
    """The odds of the number added to a d20."""
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
    """The damage of a critical hit, which doubles the dice but not the constants."""
    thrown = [part for part in dealt if part.dice is not None]
    added = [part for part in dealt if part.dice is None]
    again = [part._replace(dice=dice) for part in thrown if (dice := dice_of(part.dice or "0"))]
    return _in_order([*thrown, *again], added)


def _taken_from(attack: Attack, chain: ModifierChain, *, critical: bool) -> tuple[_Taken, ...]:
    """The changes of a hit's damage on its way. A critical hit deals the same types of damage."""
    source = attack.spell or attack.weapon.ref
    harm = Harm(attack.battle, attack.target, attack.attacker, source, types_of(chain), critical, attack)
    return _taken(taken_chain(harm))


def harm_odds(chain: ModifierChain, taken: ModifierChain) -> Odds:
    """The odds of the damage that gets through, worked out by damage type."""
    return _odds(_dealt(chain), _taken(taken))


def _dealt(chain: ModifierChain) -> tuple[_Dealt, ...]:
    """The dice of a chain, then its bonuses, in an order that does not depend on initiative."""
    rerolls = bool(chain.of(ChangeOp.FLAG, REROLL))
    dice, bonuses = chain.of(ChangeOp.DICE), chain.of(ChangeOp.BONUS)
    thrown = [_Dealt(m.change.dice or "0", rerolls and m.stage == "base", 0, m.change.label) for m in dice]
    added = [_Dealt(None, False, m.change.amount or 0, m.change.label) for m in bonuses]
    return _in_order(thrown, added)


def _in_order(thrown: list[_Dealt], added: list[_Dealt]) -> tuple[_Dealt, ...]:
    return (*sorted(thrown, key=repr), *sorted(added, key=repr)) if len(thrown) > 1 else (*thrown, *added)


def _taken(chain: ModifierChain) -> tuple[_Taken, ...]:
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
    """The odds of the damage of one type that gets past resistances and the like."""
    source = "dnd5e:choosing:estimate"
    changes = [(part.stage, Change(op=part.op, amount=part.amount, label=part.kind)) for part in taken]
    chain = ModifierChain(
        "damage_taken", TAKEN_STAGES, [Modifier(stage, source, "", "", change) for stage, change in changes]
    )

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


def area_odds(harm: Harm, chain: ModifierChain, saved: float) -> Odds:
    """The odds of a target's loss in an area, given its chance to save."""
    failed = harm_odds(chain, taken_chain(harm))
    harm.saved = True
    halved = harm_odds(chain, taken_chain(harm))
    harm.saved = False
    return either(saved, halved, failed)
