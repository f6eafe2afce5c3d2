"""Using a skill, casting a spell, using an item, and boosting a roll."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from combatlog.rules.action_points.attack import ActionPointsAttack, deal_damage, resolve
from combatlog.rules.action_points.checks import (
    PaidAction,
    PreparedAction,
    SkillAttempt,
    check,
    opposed_value,
    skill_of,
)
from combatlog.rules.action_points.economy_and_vitality import BoostOptions, PaymentOptions
from combatlog.rules.action_points.equipment import ActionPointsSpell, OpposedTargetValue
from combatlog.rules.action_points.pieces import ActionPointsActivity, piece
from combatlog.rules.action_points.sheet import sheet_of
from combatlog.rules.action_points.tables_and_formulas import DIFFICULTIES
from combatlog.rules.action_points.targeting_and_movement import beneficiary, opponent, require_reach
from combatlog.rules.engine.options_and_validation import DeclaredParts, Part
from combatlog.rules.engine.refusal import Refusal, choices, suggest
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Declared
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


def _known_difficulty(tv: int | str) -> int:
    if isinstance(tv, int):
        return tv
    if tv not in DIFFICULTIES:
        raise ValueError(f"{tv!r} is not a difficulty; use a number, {choices(DIFFICULTIES)}")
    return DIFFICULTIES[tv]


class UseSkillOptions(BoostOptions):
    skill: str = Field(description="the skill to use")
    tv: Annotated[int | str, Field(union_mode="left_to_right"), AfterValidator(_known_difficulty)] | None = Field(
        default=None, description=f"a fixed target value: a number, or {choices(DIFFICULTIES)}"
    )
    against: str | None = Field(default=None, description="the skill with which the target opposes it")
    passive: bool = Field(default=False, description="whether the target opposes it without a roll")

    @model_validator(mode="after")
    def _one_target_value(self) -> UseSkillOptions:
        if (self.tv is None) == (self.against is None):
            raise ValueError("give either tv (a fixed target value) or against (the opposing skill)")
        return self


@piece
class UseSkill(PaidAction):
    """Use a skill against a fixed target value, or against a target that opposes it."""

    name = "use_skill"
    options = UseSkillOptions
    takes = frozenset({Part.TARGET})

    def check_said(self, said: DeclaredParts) -> None:
        """Only an opposed skill has a target, and only a target can be passive."""
        if said.options.get("against") is not None:
            return
        if said.targets:
            raise Refusal(
                "declaration/takes-no-target",
                "Only an opposed skill has a target; omit the target, or give the opposing skill as against.",
                what=self.name,
                part=Part.TARGET.value,
                found=said.targets,
                needed="against",
            )
        if said.options.get("passive"):
            raise Refusal(
                "declaration/unused-option",
                "Only an opposed skill can be opposed passively; omit passive, or give the opposing skill as against.",
                what=self.name,
                option="passive",
                needed="against",
            )

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> PreparedAction:
        use = UseSkillOptions.read(declared.options)
        skill_of(actor, use.skill)
        other = None
        if use.against is not None:
            other = opponent(table, actor, declared)
            skill_of(other, use.against)
        return PreparedAction(use, lambda: _use_skill(table, actor, use, other))


def _use_skill(table: Table, actor: Combatant, use: UseSkillOptions, other: Combatant | None) -> None:
    if other is not None and use.against is not None:
        target_value = opposed_value(table, other, use.against, passive=use.passive)
    else:
        target_value = int(use.tv or 0)
    check(table, SkillAttempt(actor, use.skill, "skill", use), target_value)


class CastOptions(BoostOptions):
    spell: str = Field(description="the spell to cast, by its name on the sheet")


@piece
class CastSpell(PaidAction):
    """Cast a spell that the sheet lists."""

    name = "cast"
    options = CastOptions
    takes = frozenset({Part.TARGET})

    def require(self, battle: Battle, actor: Combatant) -> None:
        super().require(battle, actor)
        if not sheet_of(actor).spells:
            raise Refusal("cast/no-spells", f"{actor.name} knows no spells.", who=actor.id)

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> PreparedAction:
        casting = CastOptions.read(declared.options)
        known = sheet_of(actor).grimoire
        if casting.spell not in known:
            raise Refusal(
                "cast/unknown-spell",
                f"{actor.name} does not know the spell {casting.spell!r}; it can cast {choices(known)}.",
                who=actor.id,
                spell=casting.spell,
                available=list(known),
                suggestions=suggest(casting.spell, known),
            )
        spell = known[casting.spell]
        at_opponent = spell.attack or isinstance(spell.tv, OpposedTargetValue)
        target = (opponent if at_opponent else beneficiary)(table, actor, declared)
        require_reach(actor, target, spell.range, casting.spell)
        if isinstance(spell.tv, OpposedTargetValue):
            skill_of(target, spell.tv.against)
        ref = f"action_points:spell:{casting.spell.replace(' ', '_')}"
        assault = ActionPointsAttack(actor, target, spell.skill, casting, ref, spell, melee=False)
        if spell.attack:
            return PreparedAction(casting, lambda: _attack_with_spell(table, assault))
        return PreparedAction(casting, lambda: _cast_without_attack(table, assault, spell))


def _attack_with_spell(table: Table, assault: ActionPointsAttack) -> None:
    hit = resolve(table, assault)
    if hit is not None:
        deal_damage(table, hit)


def _cast_without_attack(table: Table, casting: ActionPointsAttack, spell: ActionPointsSpell) -> None:
    """Cast a spell that is not an attack. Its effects apply if the check succeeds."""
    if isinstance(spell.tv, OpposedTargetValue):
        target_value = opposed_value(table, casting.defender, spell.tv.against)
    else:
        target_value = spell.tv or 0
    done = check(table, SkillAttempt(casting.attacker, spell.skill, "cast", casting.effort), target_value)
    if not done.success:
        return
    with table.because_of(done):
        for effect in spell.effects:
            effect.apply(table, casting.source, casting.attacker, casting.defender)


class UseItemOptions(PaymentOptions):
    item: str = Field(description="the item to use up, by its name on the sheet")


@piece
class UseItem(PaidAction):
    """Use up an item, such as a potion or a scroll, on yourself or a target in range. This needs no roll."""

    name = "use_item"
    options = UseItemOptions
    takes = frozenset({Part.TARGET})

    def require(self, battle: Battle, actor: Combatant) -> None:
        super().require(battle, actor)
        if not _left(actor):
            raise Refusal("item/none", f"{actor.name} has no items left.", who=actor.id)

    def prepare(self, table: Table, actor: Combatant, declared: Declared) -> PreparedAction:
        using = UseItemOptions.read(declared.options)
        require_item(actor, using.item)
        target = beneficiary(table, actor, declared)
        require_reach(actor, target, sheet_of(actor).bag[using.item].range, using.item)
        return PreparedAction(using, lambda: _use_item(table, actor, target, using.item))


def require_item(actor: Combatant, name: str) -> None:
    if name not in _left(actor):
        left = _left(actor)
        raise Refusal(
            "item/not-left",
            f"{actor.name} has no {name!r} left; it can use {choices(left)}.",
            who=actor.id,
            item=name,
            available=left,
            suggestions=suggest(name, left),
        )


def _left(actor: Combatant) -> list[str]:
    return [name for name in sheet_of(actor).items if actor.economy.left(name)]


def _use_item(table: Table, user: Combatant, target: Combatant, name: str) -> None:
    used = table.spend(user, name, 1, "used")
    with table.because_of(used):
        for effect in sheet_of(user).bag[name].effects:
            effect.apply(table, f"action_points:item:{name.replace(' ', '_')}", user, target)


@piece
class Boost(ActionPointsActivity):
    """Always refused: a boost has to be declared with the action that it improves, before the roll."""

    name = "boost"
    cost = "with the action"
    listed = False
    options = BoostOptions

    def require(self, battle: Battle, actor: Combatant) -> None:
        raise Refusal(
            "boost/after-roll",
            "Declare a boost with its action, before the roll, using the option boost_ap or boost_fat.",
            who=actor.id,
            available=["boost_ap", "boost_fat"],
        )
