"""The menu of a combatant with the effects of each choice, its summary, and the recommended payment.

The menu runs the checks that would refuse an action.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import MappingProxyType

from combatlog.rules.action_points.actions.attack_and_defend import AttackWithWeapon
from combatlog.rules.action_points.actions.skills_spells_items import require_item
from combatlog.rules.action_points.checks import DICE, SkillAttempt, ability_chain, require_able
from combatlog.rules.action_points.economy_and_vitality import (
    ACTIONS,
    AP,
    COSTS,
    FAT,
    METRES,
    PENDING_HEALING,
    PENDING_POOLS,
    BoostOptions,
    Payment,
    PointCost,
    fat_of,
    is_dead,
    require_payable,
)
from combatlog.rules.action_points.equipment import (
    ActionPointsSpell,
    ActionPointsWeapon,
    ConditionEffect,
    CureEffect,
    HealEffect,
    Item,
    OpposedTargetValue,
)
from combatlog.rules.action_points.equipment import ContentEffect as Content
from combatlog.rules.action_points.pieces import PIECES, ActionPointsActivity, ActionPointsReaction
from combatlog.rules.action_points.sheet import sheet_of
from combatlog.rules.action_points.tables_and_formulas import LATER_ACTION, LOW_FAT_FOCUS
from combatlog.rules.action_points.targeting_and_movement import FISTS, held_weapons, metres_between
from combatlog.rules.engine.menu import obstacle
from combatlog.rules.engine.resolution.turns import require_turn
from combatlog.rules.engine.ruleset_types import Advice, Choice, ChoiceEffect, ChoiceSection, InReach
from combatlog.rules.engine.summary import CombatantSummary, grants_in_words, resources_in_words
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.story.phrases import counted, name_of, signed


def menu(battle: Battle, actor: Combatant) -> list[ChoiceSection]:
    sections = [_actions(battle, actor), _reactions(actor), _spells(battle, actor), _items(battle, actor)]
    return [section for section in sections if section.choices]


def _actions(battle: Battle, actor: Combatant) -> ChoiceSection:
    def choice(activity: ActionPointsActivity) -> Choice:
        why_not = obstacle(lambda: _require(battle, actor, activity))
        effects = attack_effects(battle, actor) if why_not is None and isinstance(activity, AttackWithWeapon) else []
        return Choice(name=activity.name, cost=activity.cost, note=activity.about, why_not=why_not, effects=effects)

    return ChoiceSection(
        title="Actions", choices=[choice(one) for one in PIECES.of(ActionPointsActivity).values() if one.listed]
    )


def _reactions(actor: Combatant) -> ChoiceSection:
    """Reactions to an attack. One that depends on the attack is shown as possible."""

    def choice(reaction: ActionPointsReaction) -> Choice:
        why_not = obstacle(lambda: reaction.require(actor, None))
        return Choice(name=reaction.name, cost=reaction.cost, note=reaction.about, why_not=why_not)

    known = sorted(PIECES.of(ActionPointsReaction).values(), key=lambda reaction: reaction.preference)
    return ChoiceSection(title="Reactions to an attack", choices=[choice(reaction) for reaction in known])


def _spells(battle: Battle, actor: Combatant) -> ChoiceSection:
    cast = PIECES.of(ActionPointsActivity)["cast"]
    why_not = obstacle(lambda: _require(battle, actor, cast))

    def choice(name: str, spell: ActionPointsSpell) -> Choice:
        effects = [spell_effect(battle, actor, spell)] if why_not is None else []
        return Choice(name=name, cost=cast.cost, why_not=why_not, effects=effects)

    return ChoiceSection(title="Spells", choices=[choice(*known) for known in sheet_of(actor).grimoire.items()])


def _items(battle: Battle, actor: Combatant) -> ChoiceSection:
    use_item = PIECES.of(ActionPointsActivity)["use_item"]

    def choice(name: str) -> Choice:
        why_not = obstacle(lambda: _require(battle, actor, use_item), lambda: require_item(actor, name))
        effects = [item_effect(battle, actor, sheet_of(actor).bag[name])] if why_not is None else []
        note = f"{actor.economy.left(name)} left"
        return Choice(name=name, cost=use_item.cost, note=note, why_not=why_not, effects=effects)

    return ChoiceSection(title="Items", choices=[choice(name) for name in sheet_of(actor).items])


def _require(battle: Battle, actor: Combatant, activity: ActionPointsActivity) -> None:
    require_turn(battle, actor.id)
    activity.require(battle, actor)


def attack_effects(battle: Battle, actor: Combatant) -> list[ChoiceEffect]:
    return [
        ChoiceEffect(
            weapon=weapon.name,
            to_hit=_roll(actor, weapon.skill, weapon),
            damage="damage by success value",
            range=f"{weapon.farthest} m",
            in_reach=_in_reach(battle, actor, weapon.farthest, hostile=True),
        )
        for weapon in [*held_weapons(actor), FISTS]
    ]


def spell_effect(battle: Battle, actor: Combatant, spell: ActionPointsSpell) -> ChoiceEffect:
    at_opponent = spell.attack or isinstance(spell.tv, OpposedTargetValue)
    return ChoiceEffect(
        to_hit=_against(_roll(actor, spell.skill), spell),
        damage="damage by success value" if spell.attack else None,
        healing=_healing(spell.effects),
        condition=_conditions(spell.effects),
        range=f"{spell.range} m",
        in_reach=_in_reach(battle, actor, spell.range, hostile=at_opponent),
    )


def item_effect(battle: Battle, actor: Combatant, item: Item) -> ChoiceEffect:
    return ChoiceEffect(
        healing=_healing(item.effects),
        condition=_conditions(item.effects),
        range=f"{item.range} m",
        in_reach=_in_reach(battle, actor, item.range, hostile=False),
    )


def _roll(actor: Combatant, skill: str, weapon: ActionPointsWeapon | None = None) -> str:
    """The roll of an action declared now, which is harder if it is a later action of the round."""
    score = ability_chain(SkillAttempt(actor, skill, "attack", BoostOptions(), weapon)).bonus()
    later = LATER_ACTION if actor.economy.left(ACTIONS) == 1 else 0
    return f"{DICE} {signed(score + later)}"


def _against(roll: str, spell: ActionPointsSpell) -> str:
    if isinstance(spell.tv, OpposedTargetValue):
        return f"{roll} against {spell.tv.against}"
    return roll if spell.tv is None else f"{roll} against TV {spell.tv}"


def _healing(effects: Iterable[Content]) -> str | None:
    return ", ".join(f"{one.points} {one.pool.upper()}" for one in effects if isinstance(one, HealEffect)) or None


def _conditions(effects: Iterable[Content]) -> str | None:
    begun = [f"{name_of(one.condition)} {one.level}" for one in effects if isinstance(one, ConditionEffect)]
    ended = [f"ends {name_of(one.condition)}" for one in effects if isinstance(one, CureEffect)]
    return ", ".join([*begun, *ended]) or None


def _in_reach(battle: Battle, actor: Combatant, farthest: int, *, hostile: bool) -> list[InReach]:
    wanted = [
        other
        for other in battle.by_initiative(battle.present())
        if (other.side != actor.side) is hostile and not is_dead(other)
    ]
    return [InReach(who=other.id) for other in wanted if metres_between(actor, other) <= farthest]


_OWN = (AP, ACTIONS, METRES, *PENDING_POOLS)


def summarize(battle: Battle, combatant: Combatant) -> CombatantSummary:
    others = [name for name in combatant.economy if name not in _OWN]
    return CombatantSummary(
        left=[] if is_dead(combatant) else list(_left(battle, combatant)),
        resources=resources_in_words(combatant, others),
        notes=resources_in_words(combatant, PENDING_POOLS),
        fallen=is_dead(combatant),
    )


def _left(battle: Battle, combatant: Combatant) -> Iterator[str]:
    """AP, actions and movement. AP also matters for defending; actions taken make later ones harder."""
    pool = combatant.economy[AP]
    yield f"{pool.current} of {pool.maximum} AP" + (f" ({pool.locked} locked)" if pool.locked else "")
    if taken := combatant.economy.left(ACTIONS):
        yield f"{counted(taken, 'action')} taken"
    if battle.clock.turn == combatant.id:
        yield f"{combatant.economy.left(METRES)} m free"
        yield from grants_in_words(combatant)


REST = "rest"
RECOMMENDED = MappingProxyType(
    {
        (False, True): (Payment.STANDARD, "FAT is high and AP is low; standard actions save AP"),
        (True, False): (Payment.FATIGUE_FREE, "FAT is low and AP is high; fatigue-free actions save FAT"),
        (True, True): (REST, "FAT and AP are both low; rest or retreat"),
        (False, False): (Payment.STANDARD, "FAT and AP are both high; act aggressively, with standard actions"),
    }
)
"""The recommended choice, by whether FAT and AP are low."""


def fat_is_low(fat: int) -> bool:
    return fat - COSTS[Payment.STANDARD].fat <= max(LOW_FAT_FOCUS)


def ap_are_low(ap: int) -> bool:
    return ap < COSTS[Payment.FATIGUE_FREE].ap


def advise(battle: Battle, actor: Combatant) -> list[Advice]:
    """Advice on payments, even outside the actor's turn, because dodging has to be paid for."""
    payments = [_payment(actor, payment) for payment in Payment]
    return [*payments, _rest(battle, actor)]


def _payment(actor: Combatant, payment: Payment) -> Advice:
    cost = COSTS[payment]
    why_not = obstacle(lambda: require_able(actor), lambda: require_payable(actor, cost))
    return _advice(actor, payment, why_not, _left_by(actor, cost))


def _rest(battle: Battle, actor: Combatant) -> Advice:
    """Advice on resting with all AP, which heals the most."""
    rest = PIECES.of(ActionPointsActivity)[REST]
    why_not = obstacle(lambda: rest.require(battle, actor))
    available = actor.economy.left(AP)
    pending = PENDING_HEALING[FAT]
    leaves = _left_by(actor, PointCost(ap=available)) | {pending: actor.economy.left(pending) + available}
    return _advice(actor, REST, why_not, leaves)


def _advice(actor: Combatant, choice: str, why_not: str | None, leaves: dict[str, int]) -> Advice:
    fitting, reason = RECOMMENDED[fat_is_low(fat_of(actor)), ap_are_low(actor.economy.left(AP))]
    if why_not is not None:
        return Advice(choice=choice, recommended=False, why=why_not)
    return Advice(choice=choice, recommended=choice == fitting, why=reason, leaves=leaves)


def _left_by(actor: Combatant, cost: PointCost) -> dict[str, int]:
    return {AP: actor.economy.left(AP) - cost.ap, FAT: fat_of(actor) - cost.fat}
