"""What the choices of a menu would do now, from the same chains and checks that resolve them: see the tables below."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from combatlog.rules.dnd5e.actions.strike import MeleeAttack, Strike, WeaponAction
from combatlog.rules.dnd5e.archetypes.afflictions import Affliction
from combatlog.rules.dnd5e.archetypes.areas import Area
from combatlog.rules.dnd5e.archetypes.blasts import Blast
from combatlog.rules.dnd5e.archetypes.bolts import Bolt, Darts
from combatlog.rules.dnd5e.archetypes.boons import Boon
from combatlog.rules.dnd5e.archetypes.healing import Healing
from combatlog.rules.dnd5e.archetypes.hits import SpecialStrike
from combatlog.rules.dnd5e.archetypes.teleporting import Teleport
from combatlog.rules.dnd5e.archetypes.temporary import Temporary
from combatlog.rules.dnd5e.attack import attack_chain, make_attack
from combatlog.rules.dnd5e.autoplay.estimate import hit_chances, save_chance
from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.damage import damage_chain
from combatlog.rules.dnd5e.granted_strikes import GrantedStrike
from combatlog.rules.dnd5e.multiattack import is_in_multiattack
from combatlog.rules.dnd5e.pieces import Activity
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.state import is_hostile
from combatlog.rules.dnd5e.targeting import weapon_named
from combatlog.rules.dnd5e.weapons import Weapon
from combatlog.rules.dnd5e.wielding import has_hands_for, is_usable
from combatlog.rules.engine.chain import Chain
from combatlog.rules.engine.imagined import imagined, reading_table
from combatlog.rules.engine.options import Part
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.ruleset import Effect, InReach
from ledger.events import ChangeOp
from projections.battle import Battle
from projections.combatant import Combatant
from projections.phrases import name_of, signed

Made = Callable[[Combatant], Attack]
"""The attack against a target, before anybody modifies it."""


def effects_of(activity: Activity, battle: Battle, actor: Combatant) -> list[Effect]:
    for kind, made_with in _ATTACKS.items():
        if isinstance(activity, kind):
            ways = made_with(activity, battle, actor)
            return [effect for way in ways for effect in _attacks(activity, battle, actor, *way)]
    return [describe(activity, battle, actor) for kind, describe in _OTHERS.items() if isinstance(activity, kind)]


# Who is in reach


def _in_reach(activity: Activity, battle: Battle, actor: Combatant) -> list[InReach]:
    return [InReach(who=target.id) for target in _targets(activity, battle, actor)]


def _targets(activity: Activity, battle: Battle, actor: Combatant, weapon: str | None = None) -> list[Combatant]:
    """Those that its declaration would be allowed to name, as far as they are whom one would want to name."""
    is_harmful = not {"attack", "harm"}.isdisjoint(activity.tags)
    wanted = [other for other in battle.present() if is_hostile(actor, other) is is_harmful]
    return [other for other in battle.by_initiative(wanted) if _is_legal(activity, battle, actor, other, weapon)]


def _is_legal(activity: Activity, battle: Battle, actor: Combatant, target: Combatant, weapon: str | None) -> bool:
    declared = imagined(battle, actor.id, activity.ref, targets=(target.id,), weapon=weapon)
    try:
        activity.check(reading_table(battle), actor, declared)
    except Refusal:
        return False
    return True


# Attacks


def _attacks(
    activity: Activity, battle: Battle, actor: Combatant, weapon: str | None, reach: str, made: Made
) -> Iterator[Effect]:
    """One effect for all targets against which the attack is the same; one without targets if nobody is in reach."""
    targets = _targets(activity, battle, actor, weapon)
    found: dict[tuple[str, str], list[InReach]] = {}
    for target in targets:
        attack = made(target)
        chances = hit_chances(attack)
        found.setdefault(_numbers(attack), []).append(InReach(who=target.id, chance=round(chances.hit, 3)))
    if not targets:
        found[_numbers(made(_somebody(battle, actor)))] = []
    for (to_hit, damage), in_reach in found.items():
        yield Effect(weapon=weapon, to_hit=to_hit, damage=damage, range=reach, in_reach=in_reach)


def _somebody(battle: Battle, actor: Combatant) -> Combatant:
    """An enemy if there is one, to work out an attack that cannot be made from here."""
    return next((other for other in battle.present() if is_hostile(actor, other)), actor)


def _numbers(attack: Attack) -> tuple[str, str]:
    attack.chain = attack_chain(attack)
    to_hit = signed(attack.chain.bonus())
    for modifier in attack.chain.of(ChangeOp.DICE):
        to_hit += f" {'−' if modifier.change.amount == -1 else '+'} {modifier.change.dice}"
    return to_hit, _damage(damage_chain(attack, critical=False))


def _damage(chain: Chain) -> str:
    """By damage type: `1d8+3 slashing + 3d6 fire`."""
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


def _darts(darts: Darts, battle: Battle, actor: Combatant) -> Effect:
    damage = f"{darts.number({}, darts.darts)} × {darts.damage} {darts.damage_type}"
    return Effect(damage=damage, range=f"{darts.range} ft", in_reach=_in_reach(darts, battle, actor))


def _area(area: Area, battle: Battle, actor: Combatant) -> Effect:
    halved = f" for {_SAVED[area.saved]}" if area.damage is not None else ""
    return Effect(
        save=f"{area.save.upper()} save DC {area.difficulty(actor)}{halved}",
        damage=f"{area.notation(actor, {})} {area.damage_type}" if area.damage is not None else None,
        condition=area.then.condition if area.then is not None else None,
        range=f"{area.range} ft, {area.size} ft {area.shape}",
    )


_SAVED = {"half": "half", "nothing": "none"}


def _blast(blast: Blast, battle: Battle, actor: Combatant) -> Effect:
    against = blast.difficulty(actor)

    def fails(target: Combatant) -> float:
        return round(1 - save_chance(battle, target, blast.save, against, blast.ref), 3)

    return Effect(
        save=f"{blast.save.upper()} save DC {against} for {_SAVED[blast.saved]}",
        damage=f"{blast.notation(actor, {})} {blast.damage_type}",
        condition=blast.then.condition if blast.then is not None else None,
        range=f"{blast.range} ft",
        in_reach=[InReach(who=one.id, chance=fails(one)) for one in _targets(blast, battle, actor)],
    )


def _affliction(power: Affliction, battle: Battle, actor: Combatant) -> Effect:
    against = power.difficulty(actor)

    def fails(target: Combatant) -> float:
        return round(1 - save_chance(battle, target, power.save, against, power.ref), 3)

    return Effect(
        save=f"{power.save.upper()} save DC {against}",
        condition=power.condition,
        range=f"{power.range} ft",
        in_reach=[InReach(who=one.id, chance=fails(one)) for one in _targets(power, battle, actor)],
    )


def _healing(power: Healing, battle: Battle, actor: Combatant) -> Effect:
    added = sum(modifier.amount for modifier in power.added(actor, {}))
    healing = power.dice(actor, {}, power.healing).notation + (signed(added) if added else "")
    if Part.TARGET not in power.signature.parts:
        return Effect(healing=healing, range="oneself")
    return Effect(healing=healing, range=f"{power.range} ft", in_reach=_in_reach(power, battle, actor))


def _temporary(power: Temporary, battle: Battle, actor: Combatant) -> Effect:
    points = power.dice(actor, {}, power.temporary).notation
    return Effect(healing=f"{points} temporary", range=f"{power.range} ft" if power.range else "oneself")


def _boon(boon: Boon, battle: Battle, actor: Combatant) -> Effect:
    return Effect(condition=boon.condition, range=f"{boon.range} ft", in_reach=_in_reach(boon, battle, actor))


def _teleport(teleport: Teleport, battle: Battle, actor: Combatant) -> Effect:
    return Effect(range=f"{teleport.range} ft")


_OTHERS: dict[type[Activity], Callable[[Any, Battle, Combatant], Effect]] = {
    Darts: _darts,
    Area: _area,
    Blast: _blast,
    Affliction: _affliction,
    Healing: _healing,
    Temporary: _temporary,
    Boon: _boon,
    Teleport: _teleport,
}
