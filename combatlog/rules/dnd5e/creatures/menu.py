"""The menu: everything a combatant can do, and the effect that each choice would have now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from combatlog.rules.dnd5e.actions.attack_and_multiattack import (
    MeleeAttack,
    Strike,
    WeaponAction,
    attack_count_chain,
    is_in_multiattack,
)
from combatlog.rules.dnd5e.actions.opportunity_attack_and_bonus_strikes import GrantedStrike
from combatlog.rules.dnd5e.archetypes.afflictions_and_power_words import AfflictionPower
from combatlog.rules.dnd5e.archetypes.areas_and_blasts import AreaPower, BlastPower
from combatlog.rules.dnd5e.archetypes.bolts_and_beams import Bolt, Darts
from combatlog.rules.dnd5e.archetypes.boons_and_healing import Boon, HealingPower, TemporaryHitPointsPower
from combatlog.rules.dnd5e.archetypes.on_hit_and_gm_rulings import SpecialStrike
from combatlog.rules.dnd5e.archetypes.zone_spells_and_teleport import TeleportPower
from combatlog.rules.dnd5e.attack.damage import damage_chain
from combatlog.rules.dnd5e.attack.phases import attack_chain, make_attack
from combatlog.rules.dnd5e.attack.targeting import weapon_named
from combatlog.rules.dnd5e.attack.wielding import has_hands_for, is_usable
from combatlog.rules.dnd5e.autoplay.odds_and_estimates import hit_chances, save_chance
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import movement_left
from combatlog.rules.dnd5e.combatant_state import is_hostile
from combatlog.rules.dnd5e.conditions.instances import Instance, instances_of
from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import Weapon
from combatlog.rules.dnd5e.economy import ATTACKS, MOVEMENT, in_words, require
from combatlog.rules.dnd5e.features.legendary import OutOfTurn
from combatlog.rules.dnd5e.modifiers import value_of
from combatlog.rules.dnd5e.pieces import Ability, Action, Activity, Feature, GrantedAction, Reaction, pieces_of
from combatlog.rules.dnd5e.spells.casting import ReactionSpell, Spell
from combatlog.rules.engine.menu import obstacle
from combatlog.rules.engine.options_and_validation import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.chain import ModifierChain
from combatlog.rules.engine.resolution.dry_run import hypothetical, reading_table
from combatlog.rules.engine.ruleset_types import Choice, ChoiceEffect, ChoiceSection, InReach
from ledger.events import ChangeOp
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.story.phrases import counted, name_of, signed, until_in_words, who

Made = Callable[[Combatant], Attack]
"""A function that makes the unmodified attack against a target."""


def effects_of(activity: Activity, battle: Battle, actor: Combatant) -> list[ChoiceEffect]:
    for kind, made_with in _ATTACKS.items():
        if isinstance(activity, kind):
            ways = made_with(activity, battle, actor)
            return [effect for way in ways for effect in _attacks(activity, battle, actor, *way)]
    return [describe(activity, battle, actor) for kind, describe in _OTHERS.items() if isinstance(activity, kind)]


# Targets in reach


def _in_reach(activity: Activity, battle: Battle, actor: Combatant) -> list[InReach]:
    return [InReach(who=target.id) for target in _targets(activity, battle, actor)]


def _targets(activity: Activity, battle: Battle, actor: Combatant, weapon: str | None = None) -> list[Combatant]:
    """The legal targets: enemies for something harmful, friends for anything else."""
    is_harmful = not {"attack", "harm"}.isdisjoint(activity.tags)
    wanted = [other for other in battle.present() if is_hostile(actor, other) is is_harmful]
    return [other for other in battle.by_initiative(wanted) if _is_legal(activity, battle, actor, other, weapon)]


def _is_legal(activity: Activity, battle: Battle, actor: Combatant, target: Combatant, weapon: str | None) -> bool:
    declared = hypothetical(battle, actor.id, activity.ref, targets=(target.id,), weapon=weapon)
    try:
        activity.check(reading_table(battle), actor, declared)
    except Refusal:
        return False
    return True


# Attacks


def _attacks(
    activity: Activity, battle: Battle, actor: Combatant, weapon: str | None, reach: str, made: Made
) -> Iterator[ChoiceEffect]:
    """One effect per group of targets with the same numbers; one without targets if none is in reach."""
    targets = _targets(activity, battle, actor, weapon)
    found: dict[tuple[str, str], list[InReach]] = {}
    for target in targets:
        attack = made(target)
        chances = hit_chances(attack)
        found.setdefault(_numbers(attack), []).append(InReach(who=target.id, chance=round(chances.hit, 3)))
    if not targets:
        found[_numbers(made(_somebody(battle, actor)))] = []
    for (to_hit, damage), in_reach in found.items():
        yield ChoiceEffect(weapon=weapon, to_hit=to_hit, damage=damage, range=reach, in_reach=in_reach)


def _somebody(battle: Battle, actor: Combatant) -> Combatant:
    """Any enemy, or else the actor, to work out the numbers of an attack without a target in reach."""
    return next((other for other in battle.present() if is_hostile(actor, other)), actor)


def _numbers(attack: Attack) -> tuple[str, str]:
    attack.chain = attack_chain(attack)
    to_hit = signed(attack.chain.bonus())
    for modifier in attack.chain.of(ChangeOp.DICE):
        to_hit += f" {'−' if modifier.change.amount == -1 else '+'} {modifier.change.dice}"
    return to_hit, _damage(damage_chain(attack, critical=False))


def _damage(chain: ModifierChain) -> str:
    """The damage by type: `1d8+3 slashing + 3d6 fire`."""
    by_type: dict[str, str] = {}
    for modifier in chain.of(ChangeOp.DICE):
        label = modifier.change.label or ""
        by_type[label] = "+".join(filter(None, (by_type.get(label, ""), modifier.change.dice)))
    added: dict[str, int] = {}
    for modifier in chain.of(ChangeOp.BONUS):
        label = modifier.change.label or ""
        added[label] = added.get(label, 0) + (modifier.change.amount or 0)
    for label, amount in added.items():
        by_type[label] = by_type.get(label, "") + (signed(amount) if amount else "")
    return " + ".join(f"{dice} {name_of(label)}".rstrip() for label, dice in by_type.items())


def _with_weapons(activity: Activity, battle: Battle, actor: Combatant) -> Iterator[tuple[str, str, Made]]:
    for weapon in (own for own in sheet_of(actor).usual_arms if is_usable(actor, own)):
        if activity.suits(weapon) if isinstance(activity, WeaponAction) else is_in_multiattack(actor, weapon.name):
            yield weapon.name, _reach(weapon), _weapon_attack(battle, actor, weapon)
            if (both := _in_both_hands(activity, battle, actor, weapon)) is not None:
                yield weapon.name, f"{_reach(weapon)}, both hands", _weapon_attack(battle, actor, both)


def _in_both_hands(activity: Activity, battle: Battle, actor: Combatant, weapon: Weapon) -> Weapon | None:
    both = weapon.in_two_hands if isinstance(activity, Strike | MeleeAttack) else None
    return both if both is not None and has_hands_for(battle, actor, both) else None


def _weapon_attack(battle: Battle, actor: Combatant, weapon: Weapon, *, off_hand: bool = False) -> Made:
    def made(target: Combatant) -> Attack:
        attack = make_attack(battle, actor, target, weapon)
        attack.off_hand = off_hand
        return attack

    return made


def _granted(activity: GrantedStrike, battle: Battle, actor: Combatant) -> Iterator[tuple[str, str, Made]]:
    weapon = weapon_named(actor, actor.granted_actions(activity.ref)[0].weapon)
    yield weapon.name, _reach(weapon), _weapon_attack(battle, actor, weapon, off_hand=activity.off_hand)


def _special(activity: SpecialStrike, battle: Battle, actor: Combatant) -> Iterator[tuple[str, str, Made]]:
    for weapon in sheet_of(actor).usual_arms:
        if activity.weapon in (None, weapon.name):
            yield weapon.name, _reach(weapon), _special_attack(activity, battle, actor, weapon.name)


def _special_attack(activity: SpecialStrike, battle: Battle, actor: Combatant, weapon: str) -> Made:
    return lambda target: activity.attack(battle, actor, target, weapon)


def _bolt(activity: Bolt, battle: Battle, actor: Combatant) -> Iterator[tuple[None, str, Made]]:
    yield None, f"{activity.range} ft", lambda target: activity.attack(battle, actor, target, {})


def _reach(weapon: Weapon) -> str:
    shot = f"{weapon.range[0]}/{weapon.range[1]} ft" if weapon.range else ""
    return shot if weapon.is_ranged else " or ".join(filter(None, (f"{weapon.reach} ft", shot)))


_ATTACKS: dict[type[Activity], Callable[[Any, Battle, Combatant], Iterator[Any]]] = {
    Strike: _with_weapons,
    WeaponAction: _with_weapons,
    GrantedStrike: _granted,
    SpecialStrike: _special,
    Bolt: _bolt,
}


# Everything else


def _darts(darts: Darts, battle: Battle, actor: Combatant) -> ChoiceEffect:
    damage = f"{darts.number({}, darts.darts)} × {darts.damage} {darts.damage_type}"
    return ChoiceEffect(damage=damage, range=f"{darts.range} ft", in_reach=_in_reach(darts, battle, actor))


def _area(area: AreaPower, battle: Battle, actor: Combatant) -> ChoiceEffect:
    halved = f" for {_SAVED[area.saved]}" if area.damage is not None else ""
    return ChoiceEffect(
        save=f"{area.save.upper()} save DC {area.difficulty(actor)}{halved}",
        damage=f"{area.notation(actor, {})} {area.damage_type}" if area.damage is not None else None,
        condition=area.then.condition if area.then is not None else None,
        range=f"{area.range} ft, {area.size} ft {area.shape}",
    )


_SAVED = {"half": "half", "nothing": "none"}


def _blast(blast: BlastPower, battle: Battle, actor: Combatant) -> ChoiceEffect:
    against = blast.difficulty(actor)

    def fails(target: Combatant) -> float:
        return round(1 - save_chance(battle, target, blast.save, against, blast.ref), 3)

    return ChoiceEffect(
        save=f"{blast.save.upper()} save DC {against} for {_SAVED[blast.saved]}",
        damage=f"{blast.notation(actor, {})} {blast.damage_type}",
        condition=blast.then.condition if blast.then is not None else None,
        range=f"{blast.range} ft",
        in_reach=[InReach(who=one.id, chance=fails(one)) for one in _targets(blast, battle, actor)],
    )


def _affliction(power: AfflictionPower, battle: Battle, actor: Combatant) -> ChoiceEffect:
    against = power.difficulty(actor)

    def fails(target: Combatant) -> float:
        return round(1 - save_chance(battle, target, power.save, against, power.ref), 3)

    return ChoiceEffect(
        save=f"{power.save.upper()} save DC {against}",
        condition=power.condition,
        range=f"{power.range} ft",
        in_reach=[InReach(who=one.id, chance=fails(one)) for one in _targets(power, battle, actor)],
    )


def _healing(power: HealingPower, battle: Battle, actor: Combatant) -> ChoiceEffect:
    added = sum(modifier.amount for modifier in power.added(actor, {}))
    healing = power.dice(actor, {}, power.healing).notation + (signed(added) if added else "")
    if Part.TARGET not in power.signature.parts:
        return ChoiceEffect(healing=healing, range="self")
    return ChoiceEffect(healing=healing, range=f"{power.range} ft", in_reach=_in_reach(power, battle, actor))


def _temporary(power: TemporaryHitPointsPower, battle: Battle, actor: Combatant) -> ChoiceEffect:
    points = power.dice(actor, {}, power.temporary).notation
    return ChoiceEffect(healing=f"{points} temporary", range=f"{power.range} ft" if power.range else "self")


def _boon(boon: Boon, battle: Battle, actor: Combatant) -> ChoiceEffect:
    return ChoiceEffect(condition=boon.condition, range=f"{boon.range} ft", in_reach=_in_reach(boon, battle, actor))


def _teleport(teleport: TeleportPower, battle: Battle, actor: Combatant) -> ChoiceEffect:
    return ChoiceEffect(range=f"{teleport.range} ft")


_OTHERS: dict[type[Activity], Callable[[Any, Battle, Combatant], ChoiceEffect]] = {
    Darts: _darts,
    AreaPower: _area,
    BlastPower: _blast,
    AfflictionPower: _affliction,
    HealingPower: _healing,
    TemporaryHitPointsPower: _temporary,
    Boon: _boon,
    TeleportPower: _teleport,
}


Check = Callable[[Battle, Combatant, Activity], None]


def menu(battle: Battle, actor: Combatant, check_turn: Check) -> list[ChoiceSection]:
    """The menu. Each entry has its cost and, if it cannot be declared now, the sentence of the refusal."""

    def choice(activity: Activity) -> Choice:
        why_not = obstacle(lambda: _permit(activity, battle, actor, check_turn))
        effects = effects_of(activity, battle, actor) if why_not is None else []
        note = _note(activity, actor) or ("" if effects else activity.about)
        return Choice(name=activity.name, cost=_cost(activity, actor), note=note, why_not=why_not, effects=effects)

    loadout = sheet_of(actor).loadout
    offered = [ability for ability in pieces_of(Ability).values() if ability.is_offered(battle)]
    return [
        ChoiceSection(title="Combat Actions", choices=[choice(ability) for ability in offered]),
        ChoiceSection(title="Features", choices=[_feature(feature, actor, choice) for feature in loadout.features]),
        ChoiceSection(title="Available Now", choices=[choice(action) for action in _actions(battle, actor)]),
        ChoiceSection(title="Active Conditions", choices=_conditions(actor)),
        ChoiceSection(title="Spells", choices=[_spell(spell, actor, choice) for spell in loadout.spells]),
    ]


def _permit(activity: Activity, battle: Battle, actor: Combatant, check_turn: Check) -> None:
    check_turn(battle, actor, activity)
    activity.permit(battle, actor, {})


def _cost(activity: Activity, actor: Combatant) -> str:
    return _in_words(activity.price(actor, {}))


def _in_words(price: dict[str, int]) -> str:
    return ", ".join(f"{amount} {in_words(resource)}" for resource, amount in price.items()) or "free"


def _feature(feature: Feature, actor: Combatant, choice: Callable[[Activity], Choice]) -> Choice:
    if isinstance(feature, Activity):
        return choice(feature)
    if isinstance(feature, Reaction):
        return _reaction(feature, actor)
    return Choice(name=feature.name, note="always on")


def _reaction(reaction: Reaction[object], actor: Combatant) -> Choice:
    price = reaction.reaction_price(actor)
    return Choice(
        name=reaction.name,
        cost=_in_words(reaction.least_price(actor) if isinstance(reaction, OutOfTurn) else price),
        note=_when_asked(reaction, actor),
        why_not=obstacle(lambda: require(actor, price)),
    )


def _when_asked(reaction: Reaction[object], actor: Combatant) -> str:
    """A reaction's description; for legendary and lair actions, a list of them."""
    if isinstance(reaction, OutOfTurn):
        known = [f"{move.name} ({move.cost})" if move.cost > 1 else move.name for move in reaction.known(actor)]
        return f"when asked: {', '.join(map(name_of, known))}"
    return f"when asked: {reaction.about}" if reaction.about else "when asked"


def _actions(battle: Battle, actor: Combatant) -> list[Activity]:
    """Common actions, actions with its weapons, granted actions, and its own special actions."""
    actions = [action for action in pieces_of(Action).values() if action.is_held(actor) and action.is_offered(battle)]
    there = [action for action in actions if not isinstance(action, GrantedAction) or actor.granted_actions(action.ref)]
    return [*there, *(action for action in sheet_of(actor).loadout.actions if isinstance(action, Activity))]


def _note(activity: Activity, actor: Combatant) -> str:
    """The most important fact about it now."""
    if activity.name in _NOTES:
        return _NOTES[activity.name](actor)
    granted = len(actor.granted_actions(activity.ref))
    return f"{granted} left" if granted else ""


def _strikes_left(actor: Combatant) -> str:
    """A hint shown with `attack`, where players often look for their remaining strikes."""
    left = actor.economy.left(ATTACKS)
    return f"{counted(left, 'strike')} left: use strike" if left else ""


def _strikes_bought(actor: Combatant) -> str:
    return counted(max(0, value_of(attack_count_chain(actor))), "strike")


def _multiattacks(actor: Combatant) -> str:
    """The multiattacks: `1 × bite, 2 × claw`. If there are several, each has a number."""
    routines = sheet_of(actor).routines
    told = [", ".join(f"{times} × {name_of(name)}" for name, times in routine.items()) for routine in routines]
    return told[0] if len(told) == 1 else "; ".join(f"{number}: {one}" for number, one in enumerate(told, start=1))


def _feet_left(actor: Combatant) -> str:
    left, on_foot = actor.economy.left(MOVEMENT), movement_left(actor)
    return f"{left} ft left" if left == on_foot else f"{left} ft left, {on_foot} ft on foot"


_NOTES: dict[str, Callable[[Combatant], str]] = {
    "strike": _strikes_left,
    "attack": lambda actor: _multiattacks(actor) or f"grants {_strikes_bought(actor)}",
    "move": _feet_left,
}


def _conditions(actor: Combatant) -> list[Choice]:
    return [
        Choice(name=held.name, note="; ".join(filter(None, (_cause(one, actor) for one in instances_of(held)))))
        for held in actor.conditions.values()
    ]


def _cause(instance: Instance, actor: Combatant) -> str:
    parts = (
        f"level {instance.level}" if instance.level else "",
        f"from {who(instance.owner)}" if instance.owner != actor.id else "",
        until_in_words(instance.until).strip(),
    )
    return ", ".join(filter(None, parts))


def _spell(spell: Spell, actor: Combatant, choice: Callable[[Activity], Choice]) -> Choice:
    return _reaction(spell, actor) if isinstance(spell, ReactionSpell) else choice(spell)
