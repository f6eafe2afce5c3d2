"""Using a skill: ability score (AS) + 4dF+ against a target value (TV). AS = attribute + level - 5 + modifiers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from combatlog.rules.action_points.economy import Effort, has_acted_before
from combatlog.rules.action_points.equipment import Weapon
from combatlog.rules.action_points.formulas import quality
from combatlog.rules.action_points.pieces import held_by
from combatlog.rules.action_points.sheet import KNOWN_SKILLS, Skill, sheet_of
from combatlog.rules.action_points.tables import LATER_ACTION, PASSIVE, SKILL_BASE
from combatlog.rules.engine.chain import Chain, Modifier
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.table import Table
from ledger.events import Change, ChangeOp, CheckResolved, Rolled, RollModifier
from projections.combatant import Combatant

STAGES = ("base", "boosts", "actions", "wounds", "effects", "equipment", "conditions", "situation")
DICE = "4dF+"


@dataclass(frozen=True, slots=True)
class Attempt:
    """Somebody uses a skill. Its purpose names the chain and the roll."""

    user: Combatant
    skill: str
    purpose: str
    effort: Effort | None = None
    """How the action that this belongs to is paid for; None if it belongs to no action."""
    weapon: Weapon | None = None
    target: Combatant | None = None
    """Whom it is used against, if it is an attack."""


def skill_of(user: Combatant, name: str) -> Skill:
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


def ability_chain(attempt: Attempt) -> Chain:
    chain = Chain(attempt.purpose, STAGES, _base(attempt))
    chain.add(*_action(attempt), *_equipment(attempt))
    for condition, held in held_by(attempt.user):
        chain.add(*condition.on_skill(attempt, held))
    return chain


def _base(attempt: Attempt) -> Iterator[Modifier]:
    user, skill = attempt.user, skill_of(attempt.user, attempt.skill)
    score = sheet_of(user).attributes[skill.attribute]
    yield bonus("base", f"attribute:{skill.attribute}", user, skill.attribute.upper(), score)
    yield bonus("base", f"skill:{_slug(attempt.skill)}", user, f"{attempt.skill} level", skill.level)
    yield bonus("base", "rule:ability_score", user, "base of every ability score", SKILL_BASE)


def _action(attempt: Attempt) -> Iterator[Modifier]:
    effort, user = attempt.effort, attempt.user
    if effort is None:
        return
    for resource, points in (("AP", effort.boost_ap), ("FAT", effort.boost_fat)):
        if points:
            yield bonus("boosts", f"boost:{resource.lower()}", user, f"boosted with {points} {resource}", points)
    if has_acted_before(user):
        yield bonus("actions", "rule:later_action", user, "a later action of the round", LATER_ACTION)


def _equipment(attempt: Attempt) -> Iterator[Modifier]:
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


def roll(table: Table, attempt: Attempt) -> Rolled:
    """AS + 4dF+."""
    return roll_chain(table, attempt, ability_chain(attempt))


def roll_chain(table: Table, attempt: Attempt, chain: Chain) -> Rolled:
    """Record all modifiers, then roll."""
    chain.record(table)
    return table.roll(attempt.purpose, attempt.user.id, DICE, modifiers=as_roll_modifiers(chain), chain=chain.name)


def as_roll_modifiers(chain: Chain) -> list[RollModifier]:
    bonuses = chain.of(ChangeOp.BONUS)
    return [RollModifier(source=modifier.source, amount=modifier.change.amount or 0) for modifier in bonuses]


def passive_value(table: Table, attempt: Attempt) -> int:
    """AS - 1, without a roll."""
    chain = ability_chain(attempt)
    chain.add(bonus("situation", "rule:passive", attempt.user, "passive instead of a roll", PASSIVE))
    chain.record(table)
    return chain.bonus()


def judge(table: Table, attempt: Attempt, rolled: Rolled, target_value: int) -> CheckResolved:
    """Success value (SV) = result - TV. At 0 or more the check succeeds."""
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


def check(table: Table, attempt: Attempt, target_value: int) -> CheckResolved:
    return judge(table, attempt, roll(table, attempt), target_value)


def opposed_value(table: Table, opponent: Combatant, skill: str, *, passive: bool = False) -> int:
    """The TV that an opponent sets: its roll or its passive value. Opposing is not an action and costs nothing."""
    attempt = Attempt(opponent, skill, "opposition")
    return passive_value(table, attempt) if passive else roll(table, attempt).total
