"""Using a skill: ability score (AS) + 4dF+ against a target value (TV), and the steps of every action.

AS = attribute + level - 5 + modifiers. An action is checked, may need a Focus check, is paid for and carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from combatlog.rules.action_points.economy_and_vitality import (
    COSTS,
    EITHER_PAYMENT,
    FAT,
    VIT,
    BoostOptions,
    Payment,
    PaymentOptions,
    count_action,
    end_parrying,
    fat_of,
    has_acted_before,
    is_dead,
    lose_aim,
    pay,
    require_payable,
    vit_of,
)
from combatlog.rules.action_points.equipment import ActionPointsWeapon
from combatlog.rules.action_points.pieces import ActionPointsActivity, held_by
from combatlog.rules.action_points.sheet import KNOWN_SKILLS, ActionPointsSkill, sheet_of
from combatlog.rules.action_points.tables_and_formulas import (
    INCAPACITATED_VIT,
    LATER_ACTION,
    PASSIVE,
    SKILL_BASE,
    focus_tv,
    quality,
)
from combatlog.rules.engine.options_and_validation import Options
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.resolution.chain import Modifier, ModifierChain
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Change, ChangeOp, CheckResolved, Declared, Ref, Rolled, RollModifier, Until, UntilMoment
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

STAGES = ("base", "boosts", "actions", "wounds", "effects", "equipment", "conditions", "situation")
DICE = "4dF+"


@dataclass(frozen=True, slots=True)
class SkillAttempt:
    """One use of a skill. The purpose names the chain and the roll."""

    user: Combatant
    skill: str
    purpose: str
    effort: BoostOptions | None = None
    """The payment for the action that includes this attempt; None if there is none."""
    weapon: ActionPointsWeapon | None = None
    target: Combatant | None = None
    """The target, if this is an attack."""


def skill_of(user: Combatant, name: str) -> ActionPointsSkill:
    skill = sheet_of(user).skill(name)
    if skill is None:
        known = sorted({*sheet_of(user).skills, *KNOWN_SKILLS})
        raise Refusal(
            "skill/unknown",
            f"{user.name} has no skill {name!r}; it can use {choices(known)}.",
            who=user.id,
            skill=name,
            available=known,
            suggestions=suggest(name, known),
        )
    return skill


# The chain


def ability_chain(attempt: SkillAttempt) -> ModifierChain:
    chain = ModifierChain(attempt.purpose, STAGES, _base(attempt))
    chain.add(*_action(attempt), *_equipment(attempt))
    for condition, held in held_by(attempt.user):
        chain.add(*condition.on_skill(attempt, held))
    return chain


def _base(attempt: SkillAttempt) -> Iterator[Modifier]:
    user, skill = attempt.user, skill_of(attempt.user, attempt.skill)
    score = sheet_of(user).attributes[skill.attribute]
    yield bonus("base", f"attribute:{skill.attribute}", user, skill.attribute.upper(), score)
    yield bonus("base", f"skill:{_slug(attempt.skill)}", user, f"{attempt.skill} level", skill.level)
    yield bonus("base", "rule:ability_score", user, "base of every ability score", SKILL_BASE)


def _action(attempt: SkillAttempt) -> Iterator[Modifier]:
    effort, user = attempt.effort, attempt.user
    if effort is None:
        return
    for resource, points in (("AP", effort.boost_ap), ("FAT", effort.boost_fat)):
        if points:
            yield bonus("boosts", f"boost:{resource.lower()}", user, f"boosted with {points} {resource}", points)
    if has_acted_before(user):
        yield bonus("actions", "rule:later_action", user, "a later action of the round", LATER_ACTION)


def _equipment(attempt: SkillAttempt) -> Iterator[Modifier]:
    weapon, user = attempt.weapon, attempt.user
    if weapon is not None and weapon.bonus:
        yield bonus("equipment", f"weapon:{_slug(weapon.name)}", user, weapon.name, weapon.bonus)
    for gear in sheet_of(user).gear:
        if amount := gear.modifiers.get(attempt.skill):
            yield bonus("equipment", f"gear:{_slug(gear.name)}", user, gear.name, amount)


def bonus(stage: str, source: str, owner: Combatant, reason: str, amount: int) -> Modifier:
    change = Change(op=ChangeOp.BONUS, amount=amount)
    return Modifier(stage, f"action_points:{source}", owner.id, reason, change)


def _slug(name: str) -> str:
    return name.replace(" ", "_")


# Rolls and target values


def roll(table: Table, attempt: SkillAttempt) -> Rolled:
    """AS + 4dF+."""
    return roll_chain(table, attempt, ability_chain(attempt))


def roll_chain(table: Table, attempt: SkillAttempt, chain: ModifierChain) -> Rolled:
    """Record all modifiers, then roll."""
    chain.record(table)
    return table.roll(attempt.purpose, attempt.user.id, DICE, modifiers=as_roll_modifiers(chain), chain=chain.name)


def as_roll_modifiers(chain: ModifierChain) -> list[RollModifier]:
    bonuses = chain.of(ChangeOp.BONUS)
    return [RollModifier(source=modifier.source, amount=modifier.change.amount or 0) for modifier in bonuses]


def passive_value(table: Table, attempt: SkillAttempt) -> int:
    """AS - 1, without a roll."""
    chain = ability_chain(attempt)
    chain.add(bonus("situation", "rule:passive", attempt.user, "passive instead of a roll", PASSIVE))
    chain.record(table)
    return chain.bonus()


def record_check(table: Table, attempt: SkillAttempt, rolled: Rolled, target_value: int) -> CheckResolved:
    """Success value (SV) = result - TV. At 0 or more, the check succeeds."""
    success_value = rolled.total - target_value
    return table.record(
        CheckResolved,
        checker=attempt.user.id,
        check=attempt.skill,
        success=success_value >= 0,
        total=rolled.total,
        against=target_value,
        margin=success_value,
        quality=quality(success_value),
    )


def check(table: Table, attempt: SkillAttempt, target_value: int) -> CheckResolved:
    return record_check(table, attempt, roll(table, attempt), target_value)


def opposed_value(table: Table, opponent: Combatant, skill: str, *, passive: bool = False) -> int:
    """The TV set by an opponent's roll or passive value. Opposing is not an action and is free."""
    attempt = SkillAttempt(opponent, skill, "opposition")
    return passive_value(table, attempt) if passive else roll(table, attempt).total


FOCUS = "focus"
FOCUS_RULE = "action_points:rule:focus"
UNFOCUSED = "action_points:condition:unfocused"


@dataclass(frozen=True, slots=True)
class PreparedAction:
    """An action that was found legal: its payment and what it does."""

    paid: PaymentOptions
    perform: Callable[[], None]


class PaidAction(ActionPointsActivity):
    """An action as defined by the rules: it has to be paid for and may need a Focus check."""

    cost = EITHER_PAYMENT
    options: ClassVar[type[Options]] = BoostOptions
    uses_aim: ClassVar[bool] = False
    """Whether the action is a shot that can be aimed. Every other action interrupts aiming."""

    def require(self, battle: Battle, actor: Combatant) -> None:
        require_action(actor)

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> PreparedAction:
        """Refuse an illegal declaration, before anything is recorded."""
        raise NotImplementedError(f"{self.ref} does nothing")

    def declare(self, table: Table, actor: Combatant, declared: Declared) -> None:
        self.require(table.battle, actor)
        deed = self.prepare(table, actor, declared)
        if undertake(table, actor, deed.paid, self.name, self.ref, keeps_aim=self.uses_aim):
            deed.perform()


def require_able(actor: Combatant) -> None:
    """Refuse a combatant that cannot act at all."""
    if is_dead(actor):
        raise Refusal("state/dead", f"{actor.name} is dead and cannot act.", who=actor.id)
    if vit_of(actor) <= INCAPACITATED_VIT:
        raise Refusal(
            "state/incapacitated",
            f"{actor.name} has VIT {vit_of(actor)} and cannot act; that requires VIT {INCAPACITATED_VIT + 1} or more.",
            who=actor.id,
            resource=VIT,
            needed=INCAPACITATED_VIT + 1,
            available=vit_of(actor),
        )
    if fat_of(actor) == 0:
        raise Refusal(
            "state/exhausted",
            f"{actor.name} has no FAT left and cannot act until it has recovered some.",
            who=actor.id,
            resource=FAT,
            needed=1,
            available=0,
        )
    for condition, _ in held_by(actor):
        if refusal := condition.forbids_acting(actor):
            raise refusal


def require_action(actor: Combatant) -> None:
    """Refuse a combatant that cannot act or cannot pay. A combatant that cannot pay the standard price can pay none."""
    require_able(actor)
    require_focus(actor)
    require_payable(actor, COSTS[Payment.STANDARD])


def require_focus(actor: Combatant) -> None:
    """Refuse a second attempt in a turn, because a failed Focus check is free."""
    if actor.has(UNFOCUSED):
        raise Refusal(
            "focus/failed",
            f"{actor.name} has failed its Focus check in this turn; it can try again in the next one.",
            who=actor.id,
        )


def focus_holds(table: Table, actor: Combatant) -> bool:
    """Make the Focus check that is needed to act at low FAT or VIT. True if it succeeds or none is needed."""
    target_value = focus_tv(fat_of(actor), vit_of(actor))
    if target_value is None:
        return True
    checked = check(table, SkillAttempt(actor, FOCUS, FOCUS), target_value)
    if not checked.success:
        with table.because_of(checked):
            until = Until(moment=UntilMoment.TURN_END, whose=table.battle.clock.turn)
            table.apply_condition(actor, UNFOCUSED, source=FOCUS_RULE, owner=actor.id, until=until)
    return checked.success


def undertake(
    table: Table, actor: Combatant, paid: PaymentOptions, why: str, source: Ref, *, keeps_aim: bool = False
) -> bool:
    """Begin an action: Focus check, then payment. False if it does not happen; a failed Focus check is free."""
    require_payable(actor, paid.cost)
    if not focus_holds(table, actor):
        return False
    pay(table, actor, paid.cost, why, source)
    if is_dead(actor):
        return False
    begin_action(table, actor, why, source, keeps_aim=keeps_aim)
    return True


def begin_action(table: Table, actor: Combatant, why: str, source: Ref, *, keeps_aim: bool = False) -> None:
    """Count the action. It ends parry mode and, unless it is the aimed shot, aiming."""
    count_action(table, actor, why, source)
    end_parrying(table, actor, f"it takes another action: {why}")
    if not keeps_aim:
        lose_aim(table, actor, f"it takes another action: {why}")
