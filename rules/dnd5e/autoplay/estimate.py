"""How an attack, spell or save is likely to turn out, from the same chains that resolve it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.events import ChangeOp, DamagePart, RollMode
from projections.battle import Battle
from projections.combatant import Combatant
from rules.dnd5e.attack import CRITICAL, armor_class_chain, attack_chain
from rules.dnd5e.autoplay.odds import NOTHING, Odds, at_least, both, either, mapped, naturals, reaching, sum_of, throw
from rules.dnd5e.contexts import Attack, Check, Harm, Save
from rules.dnd5e.damage import REROLL, damage_chain, reductions, taken_chain, types_of
from rules.dnd5e.modifiers import as_roll_modifiers
from rules.dnd5e.saves import FAIL, check_chain, save_chain
from rules.dnd5e.words import AbilityScore, Skill
from rules.engine.chain import Chain, Modifier
from rules.engine.dice import mode_of


@dataclass(frozen=True, slots=True)
class Chances:
    """The chances that an attack hits, and that it hits critically."""

    hit: float
    critical: float


def attack_odds(attack: Attack, situation: Iterable[Modifier] | None = None) -> tuple[Chances, Odds]:
    """The chances of an attack, and the odds of what its target would lose, including 0 for a miss.

    The situation follows from where the two stand, unless another one is given.
    """
    chances = hit_chances(attack, situation)
    normal, critical = _damage(attack, critical=False), _damage(attack, critical=True)
    outcome: Odds = {0: 1 - chances.hit}
    for odds, chance in ((normal, chances.hit - chances.critical), (critical, chances.critical)):
        for amount, likely in odds.items():
            outcome[amount] = outcome.get(amount, 0.0) + chance * likely
    return chances, outcome


def hit_chances(attack: Attack, situation: Iterable[Modifier] | None = None) -> Chances:
    """From the real attack chain and armour class. A natural 1 always misses and a natural 20 always hits."""
    chain = attack.chain = attack_chain(attack, situation)
    against = armor_class_chain(attack).bonus()
    threshold = min([m.change.amount or CRITICAL for m in chain.of(ChangeOp.CRITICAL_FROM)], default=CRITICAL)
    added = _added(chain)
    hit = critical = 0.0
    for natural, chance in enumerate(naturals(_mode(chain)), start=1):
        hits = 0.0 if natural == 1 else 1.0 if natural == 20 else at_least(added, against - natural)
        hit += chance * hits
        critical += chance * hits if natural >= threshold else 0.0
    return Chances(hit, critical)


def _mode(chain: Chain) -> RollMode:
    return mode_of(len(chain.of(ChangeOp.ADVANTAGE)), len(chain.of(ChangeOp.DISADVANTAGE)))


def _added(chain: Chain) -> Odds:
    """What a chain adds to a d20: bonuses, and dice such as those of Bless."""
    added: Odds = {sum(modifier.amount for modifier in as_roll_modifiers(chain)): 1.0}
    for modifier in chain.of(ChangeOp.DICE):
        thrown = throw(modifier.change.dice or "0")
        added = both(added, mapped(thrown, lambda value: -value) if modifier.change.amount == -1 else thrown)
    return added


def _damage(attack: Attack, *, critical: bool) -> Odds:
    chain = damage_chain(attack, critical)
    source = attack.spell or attack.weapon.ref
    harm = Harm(attack.battle, attack.target, attack.attacker, source, types_of(chain), critical, attack)
    return harm_odds(chain, taken_chain(harm))


def harm_odds(chain: Chain, taken: Chain) -> Odds:
    """How much of a damage chain gets through, by damage type."""
    rerolls = bool(chain.of(ChangeOp.FLAG, REROLL))
    by_type: dict[str | None, Odds] = {}
    for modifier in chain.of(ChangeOp.DICE):
        thrown = throw(modifier.change.dice or "0", rerolled=rerolls and modifier.stage == "base")
        by_type[modifier.change.label] = both(by_type.get(modifier.change.label, NOTHING), thrown)
    for modifier in chain.of(ChangeOp.BONUS):
        known = by_type.get(modifier.change.label, NOTHING)
        by_type[modifier.change.label] = both(known, {modifier.change.amount or 0: 1.0})
    through = sum_of(_through(taken, kind, odds) for kind, odds in by_type.items())
    return mapped(through, lambda amount: max(0, amount))


def _through(taken: Chain, kind: str | None, odds: Odds) -> Odds:
    """How much of one damage type gets past resistances and the like."""

    def left(amount: int) -> int:
        parts = [DamagePart(source="dnd5e:choosing:estimate", amount=amount, damage_type=kind)]
        return amount + sum(part.amount for part in reductions(taken, parts))

    return mapped(odds, left) if list(taken) else odds


def save_chance(battle: Battle, saver: Combatant, ability: AbilityScore, against: int, source: str) -> float:
    """The chance that a saving throw succeeds, from the real save chain."""
    chain = save_chain(Save(battle, saver, ability, against, source))
    if chain.of(ChangeOp.FLAG, FAIL):
        return 0.0
    return reaching(_mode(chain), _added(chain), against)


def check_chance(battle: Battle, checker: Combatant, skill: Skill, ability: AbilityScore, against: int) -> float:
    """The chance that an ability check succeeds, from the real check chain."""
    chain = check_chain(Check(battle, checker, ability, skill, against))
    return reaching(_mode(chain), _added(chain), against)


def area_odds(harm: Harm, chain: Chain, saved: float) -> Odds:
    """What a target in an area would lose, given its chance to save."""
    failed = harm_odds(chain, taken_chain(harm))
    harm.saved = True
    halved = harm_odds(chain, taken_chain(harm))
    harm.saved = False
    return either(saved, halved, failed)
