"""An attack: the defender chooses a defence, both sides roll, and the success value decides the damage.

Strength, shield and armour change the success value. Shields and armour wear out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from combatlog.rules.action_points.checks import (
    SkillAttempt,
    as_roll_modifiers,
    bonus,
    check,
    passive_value,
    record_check,
    roll,
)
from combatlog.rules.action_points.economy_and_vitality import BoostOptions, suffer
from combatlog.rules.action_points.equipment import ActionPointsWeapon, CarriedShield, Harmful, WornProtection
from combatlog.rules.action_points.pieces import PIECES, ActionPointsReaction
from combatlog.rules.action_points.sheet import sheet_of
from combatlog.rules.action_points.tables_and_formulas import (
    CLASS_FACTOR,
    PHYSICALITY_TV,
    PROTECTION_TV,
    damage,
    damage_roll,
    physicality_result,
    pool_damage,
    worn_rating,
)
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.chain import Modifier, ModifierChain
from combatlog.rules.engine.resolution.table import Table
from ledger.events import AttackResolved, Change, ChangeOp, CheckResolved, Offer, Rolled, Until, UntilMoment
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

DECLARED = "attack.declared"
PASSIVE = "action_points:reaction:passive"
DODGE = "dodge"
BEFORE_PAID_PARRIES = frozenset({"1", "2"})
"""The versions of the ruleset in which a parry required parry mode. Their fights are still resolved that way."""


@dataclass(frozen=True, slots=True)
class ActionPointsAttack:
    """An attack under way."""

    attacker: Combatant
    defender: Combatant
    skill: str
    effort: BoostOptions
    source: str
    """The ref of the weapon or spell."""
    means: Harmful
    """The weapon or spell."""
    melee: bool = True
    paid_parries: bool = True
    """Whether the defender can parry outside parry mode, as an action."""

    @property
    def weapon(self) -> ActionPointsWeapon | None:
        return self.means if isinstance(self.means, ActionPointsWeapon) else None


@dataclass(frozen=True, slots=True)
class DefenceResult:
    """The target value of the attack, and the shield raised against it."""

    target_value: int
    shield: CarriedShield | None = None


@dataclass(frozen=True, slots=True)
class AttackHit:
    """An attack that hit, and the shield raised against it."""

    assault: ActionPointsAttack
    check: CheckResolved
    shield: CarriedShield | None = None


def resolve(table: Table, assault: ActionPointsAttack) -> AttackHit | None:
    """Resolve an attack. Returns None if it misses."""
    stand = _defend(table, assault)
    attempt = attack_attempt(assault)
    rolled = roll(table, attempt)
    resolved = record_check(table, attempt, rolled, stand.target_value)
    with table.because_of(resolved):
        table.record(
            AttackResolved,
            attacker=assault.attacker.id,
            target=assault.defender.id,
            weapon=assault.weapon.name if assault.weapon else None,
            hit=resolved.success,
            roll=sum(map(int, rolled.kept)),
            total=rolled.total,
            against=stand.target_value,
        )
    return AttackHit(assault, resolved, stand.shield) if resolved.success else None


def attack_attempt(assault: ActionPointsAttack) -> SkillAttempt:
    return SkillAttempt(
        assault.attacker, assault.skill, "attack", assault.effort, weapon=assault.weapon, target=assault.defender
    )


def parries_can_be_paid_for(battle: Battle) -> bool:
    return battle.encounter.ruleset_version not in BEFORE_PAID_PARRIES


# Defence


def _defend(table: Table, assault: ActionPointsAttack) -> DefenceResult:
    """Ask the defender for a reaction if there is a choice. The most promising one comes first."""
    known = sorted(PIECES.of(ActionPointsReaction).values(), key=lambda reaction: reaction.preference)
    open_to = [reaction for reaction in known if _is_open(reaction, assault)]
    refs = [reaction.ref for reaction in sorted(open_to, key=lambda reaction: -reaction.promise(assault))]
    if refs == [PASSIVE]:
        return defend_passively(table, assault)
    useful = tuple(ref for ref in refs if ref != PASSIVE)
    offer = Offer(reactor=assault.defender.id, reactions=(*useful, PASSIVE), useful=useful)
    for chosen in table.window(DECLARED, assault.attacker.id, [offer]):
        reaction = PIECES[chosen.reaction]
        assert isinstance(reaction, ActionPointsReaction)
        with table.because_of(chosen):
            return reaction.answer(table, assault, chosen.options)
    return defend_passively(table, assault)


def _is_open(reaction: ActionPointsReaction, assault: ActionPointsAttack) -> bool:
    try:
        reaction.require(assault.defender, assault)
    except Refusal:
        return False
    return True


def defend_passively(table: Table, assault: ActionPointsAttack, shield: CarriedShield | None = None) -> DefenceResult:
    return DefenceResult(passive_value(table, SkillAttempt(assault.defender, DODGE, "defence")), shield)


ARMOUR = "armour"
"""The purpose of an armour check."""
NOTHING = -1
"""A value below any success value: all of it was absorbed."""


@dataclass(frozen=True, slots=True)
class Absorbed:
    """The success value that a shield or a piece of armour absorbs, and the durability that this costs it."""

    worn: WornProtection
    points: int
    wear: int

    @property
    def source(self) -> str:
        kind = "shield" if isinstance(self.worn, CarriedShield) else "armour"
        return f"action_points:{kind}:{self.worn.name.replace(' ', '_')}"

    def modifier(self, owner: Combatant) -> Modifier:
        change = Change(op=ChangeOp.BONUS, amount=-self.points)
        return Modifier("protection", self.source, owner.id, f"{self.worn.name} absorbs it", change)


def absorb(
    table: Table, defender: Combatant, worn: Iterable[WornProtection], means: Harmful, success_value: int
) -> Iterator[Absorbed]:
    """What each piece absorbs, starting with the outermost, until nothing is left of the success value."""
    left = success_value
    for one in worn:
        if left >= 0 and _protects(table, defender, one, means):
            absorbed = _absorbed(defender, one, means, left)
            left = left - absorbed.points or NOTHING
            yield absorbed


def _protects(table: Table, defender: Combatant, worn: WornProtection, means: Harmful) -> bool:
    """Whether a piece protects. A raised shield has already passed its check; armour makes its own, free check."""
    if rating(defender, worn, means) == 0:
        return False
    return (
        isinstance(worn, CarriedShield)
        or check(table, SkillAttempt(defender, worn.skill, ARMOUR), PROTECTION_TV).success
    )


def _absorbed(defender: Combatant, worn: WornProtection, means: Harmful, success_value: int) -> Absorbed:
    """What a piece absorbs. Against a weapon of a lower class, it absorbs everything and loses 1 durability."""
    if worn.damage_class > means.damage_class:
        return Absorbed(worn, success_value, wear=1)
    points = min(rating(defender, worn, means), durability(defender, worn), success_value)
    return Absorbed(worn, points, wear=points)


def rating(defender: Combatant, worn: WornProtection, means: Harmful) -> int:
    """The success value that a piece would absorb in its present condition."""
    rated = worn_rating(worn.rating(means.damage_type), durability(defender, worn), worn.durability)
    return max(0, rated - means.piercing)


def durability(owner: Combatant, worn: WornProtection) -> int:
    """The durability left. Fights of older versions have no pool for it, so there it is always full."""
    return owner.economy.left(worn.name) if worn.name in owner.economy else worn.durability


def wear_out(table: Table, owner: Combatant, absorbed: Absorbed) -> None:
    if absorbed.wear:
        left = max(0, durability(owner, absorbed.worn) - absorbed.wear)
        table.reset(owner, absorbed.worn.name, left, "worn by the attack", absorbed.source)


PHYSICALITY = "physicality"
OFF_BALANCE = "action_points:condition:off_balance"
SKILL = f"action_points:skill:{PHYSICALITY}"
CLASSES = "action_points:rule:damage_class"


def deal_damage(table: Table, hit: AttackHit) -> None:
    with table.because_of(hit.check):
        strength = _strength(table, hit.assault)
        success_value = _success_value(table, hit, strength, sheet_of(hit.assault.defender).armour)
        if success_value is not None:
            _hurt(table, hit.assault, success_value)


def manoeuvre_success(table: Table, hit: AttackHit) -> int | None:
    """The success value of a manoeuvre, which does no damage. A shield can absorb it; armour does not help."""
    with table.because_of(hit.check):
        return _success_value(table, hit, [], ())


# Success value


def _success_value(
    table: Table, hit: AttackHit, strength: list[Modifier], armour: Sequence[WornProtection]
) -> int | None:
    """The success value after strength and absorption; None if a shield or armour absorbed all of it."""
    attacker, defender = hit.assault.attacker, hit.assault.defender
    margin = hit.check.margin or 0
    reached = margin + sum(modifier.change.amount or 0 for modifier in strength)
    worn = [*([hit.shield] if hit.shield else []), *armour]
    absorbed = list(absorb(table, defender, worn, hit.assault.means, reached))
    if not strength and not absorbed:
        return margin
    base = bonus("base", "rule:success_value", attacker, "the success value of the attack", margin)
    chain = ModifierChain("success", ("base", "strength", "protection"), [base, *strength])
    chain.add(*(one.modifier(defender) for one in absorbed))
    chain.record(table)
    for one in absorbed:
        wear_out(table, defender, one)
    left = chain.bonus()
    return left if left > 0 or not absorbed else None


def _strength(table: Table, assault: ActionPointsAttack) -> list[Modifier]:
    """The modifier from the free Physicality check after a melee hit, for attackers with the skill on their sheet."""
    attacker = assault.attacker
    if not assault.melee or PHYSICALITY not in sheet_of(attacker).skills:
        return []
    checked = check(table, SkillAttempt(attacker, PHYSICALITY, PHYSICALITY), PHYSICALITY_TV)
    found = physicality_result(checked.margin or 0)
    if found.penalty:
        until = Until(moment=UntilMoment.ROUND_END, round=table.battle.clock.round + found.rounds - 1)
        table.apply_condition(attacker, OFF_BALANCE, source=SKILL, owner=attacker.id, until=until, level=found.penalty)
    if not found.success:
        return []
    return [bonus("strength", f"skill:{PHYSICALITY}", attacker, "struck with strength", found.success)]


# Damage


def _hurt(table: Table, assault: ActionPointsAttack, success_value: int) -> None:
    chain = _damage_chain(assault, success_value)
    chain.record(table)
    rolled = _roll_damage(table, assault, chain)
    points = damage(rolled.total, _product(chain, ChangeOp.DIVIDE), _product(chain, ChangeOp.MULTIPLY))
    with table.because_of(rolled):
        suffer(table, assault.defender, pool_damage(points), assault.source, assault.attacker.id)


def _product(chain: ModifierChain, op: ChangeOp) -> int:
    return prod(modifier.change.amount or 1 for modifier in chain.of(op))


def _damage_chain(assault: ActionPointsAttack, success_value: int) -> ModifierChain:
    row = damage_roll(success_value)
    reason, owner = f"success value {success_value}", assault.attacker.id
    chain = ModifierChain("damage", ("base", "division", "class", "situation"))
    chain.add(Modifier("base", assault.source, owner, reason, Change(op=ChangeOp.DICE, dice=row.dice)))
    if row.divisor > 1:
        divide = Change(op=ChangeOp.DIVIDE, amount=row.divisor)
        chain.add(Modifier("division", assault.source, owner, reason, divide))
    chain.add(*_scale(assault, row.classes))
    return chain


def _scale(assault: ActionPointsAttack, classes: int) -> list[Modifier]:
    """The modifier for damage classes: each above the body's multiplies the damage by ten; each below divides it."""
    struck, body = assault.means.damage_class + classes, sheet_of(assault.defender).damage_class
    if struck == body:
        return []
    op = ChangeOp.MULTIPLY if struck > body else ChangeOp.DIVIDE
    change = Change(op=op, amount=CLASS_FACTOR ** abs(struck - body))
    reason = f"damage of class {struck} against a body of class {body}"
    return [Modifier("class", CLASSES, assault.attacker.id, reason, change)]


def _roll_damage(table: Table, assault: ActionPointsAttack, chain: ModifierChain) -> Rolled:
    """Roll all dice in the chain; a correction may have added some to those of the table."""
    dice = "+".join(modifier.change.dice or "" for modifier in chain.of(ChangeOp.DICE))
    return table.roll("damage", assault.attacker.id, dice, modifiers=as_roll_modifiers(chain), chain=chain.name)
