"""What a combatant wields: free hands, ammunition, thrown weapons, proficiency, and the available attacks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from combatlog.rules.dnd5e.combatant_state import GRAPPLED, afflict, end_condition
from combatlog.rules.dnd5e.conditions.instances import causes_of
from combatlog.rules.dnd5e.contexts import Attack, feet_between
from combatlog.rules.dnd5e.creatures.sheet import Sheet, sheet_of
from combatlog.rules.dnd5e.creatures.weapons_and_armor import Weapon
from combatlog.rules.dnd5e.economy import ACTION, ATTACKS, changes_this_turn, spent_on
from combatlog.rules.dnd5e.enums import Armor, ArmorTraining, Nature, WeaponCategory, WeaponProperty
from combatlog.rules.dnd5e.pieces import GrantedAction, pieces_of
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle


def is_proficient(sheet: Sheet, weapon: Weapon) -> bool:
    """Whether it is proficient with a weapon. All creatures are proficient with unarmed strikes and natural weapons."""
    if weapon.training is None:
        return True
    if sheet.weapon_proficiencies is None:
        return weapon.training is not WeaponCategory.IMPROVISED
    return weapon.name in sheet.weapon_proficiencies or weapon.training in sheet.weapon_proficiencies


def untrained_armor(sheet: Sheet) -> str | None:
    """The armour that it wears without proficiency, in words. Such armour hampers its wearer."""
    trained = sheet.armor_proficiencies
    if trained is None:
        return None
    if sheet.armor is not Armor.NONE and ArmorTraining(sheet.armor.value) not in trained:
        return sheet.suit.name if sheet.suit is not None else f"{sheet.armor} armour"
    return "a shield" if sheet.shield and ArmorTraining.SHIELDS not in trained else None


HANDS = 2
_FOR_BOTH_HANDS = {WeaponProperty.TWO_HANDED, WeaponProperty.AMMUNITION}
MISSING_WEAPONS = "dnd5e:condition:missing_weapons"
SHIELDLESS = "dnd5e:condition:shieldless"

Lost = tuple[str, Position | None]
"""The name of a weapon, and where it lies."""


# Hands


def has_shield(combatant: Combatant) -> bool:
    return sheet_of(combatant).shield and not combatant.has(SHIELDLESS)


def free_hands(battle: Battle, combatant: Combatant) -> int:
    """The hands not taken up by a shield or a grappled creature. Weapons are drawn and dropped freely."""
    held = [other for other in battle.present() if other.has(GRAPPLED) and combatant.id in causes_of(other, GRAPPLED)]
    return HANDS - has_shield(combatant) - len(held)


def hands_needed(weapon: Weapon) -> int:
    """The number of hands it takes. A one-handed bow or sling needs the other hand for loading."""
    if weapon.is_unarmed:
        return 0
    return 1 if _FOR_BOTH_HANDS.isdisjoint(weapon.properties) else HANDS


def has_hands_for(battle: Battle, combatant: Combatant, weapon: Weapon) -> bool:
    needed = hands_needed(weapon)
    if needed == 0 or sheet_of(combatant).nature is Nature.MONSTER:
        return True
    return free_hands(battle, combatant) >= needed


# Thrown weapons


def counted(combatant: Combatant, weapon: Weapon) -> int | None:
    """How many copies of a weapon there are to throw; None if they are not counted."""
    sheet = sheet_of(combatant)
    if weapon.quantity is not None:
        return weapon.quantity
    listed = [known.name for known in sheet.weapons].count(weapon.name)
    return listed if listed and sheet.nature is Nature.CHARACTER else None


def missing(combatant: Combatant) -> list[Lost]:
    """The weapons that it has thrown and not picked up, in the order of the throws."""
    held = combatant.conditions.get(MISSING_WEAPONS)
    thrown: list[Any] = held.data.get("weapons", []) if held is not None else []
    return [(name, (place[0], place[1]) if place else None) for name, place in thrown]


def has_at_hand(combatant: Combatant, weapon: Weapon) -> bool:
    if MISSING_WEAPONS not in combatant.conditions:
        return True
    number = counted(combatant, weapon)
    return number is None or [name for name, _ in missing(combatant)].count(weapon.name) < number


def remember_missing(table: Table, owner: Combatant, weapons: list[Lost], why: str) -> None:
    """Record which of its thrown weapons lie on the ground."""
    if not weapons:
        end_condition(table, owner, MISSING_WEAPONS, why)
        return
    data = {"weapons": [[name, list(place) if place else None] for name, place in weapons]}
    afflict(table, owner, MISSING_WEAPONS, source="dnd5e:rule:thrown_weapons", owner=owner.id, data=data)


# Shots


def ammunition_of(weapon: Weapon) -> str:
    """The resource that counts its ammunition."""
    return f"{weapon.name.lower().replace(' ', '_')}_ammunition"


def attack_paid_for(action: str, weapon: Weapon) -> str:
    """The ref recorded for a spent attack. It tells whether a loading weapon has been shot."""
    return weapon.ref if WeaponProperty.LOADING in weapon.properties else action


# All of these together


def is_usable(combatant: Combatant, weapon: Weapon) -> bool:
    """Whether it could use a weapon, judged without looking at other combatants."""
    is_free = sheet_of(combatant).nature is Nature.MONSTER or not has_shield(combatant) or hands_needed(weapon) < HANDS
    has_shots = weapon.ammunition is None or combatant.economy.left(ammunition_of(weapon)) > 0
    return is_free and has_shots and has_at_hand(combatant, weapon)


def is_ready(battle: Battle, combatant: Combatant, weapon: Weapon) -> bool:
    return _obstacle(battle, combatant, weapon) is None


def check_wielded(battle: Battle, combatant: Combatant, weapon: Weapon) -> None:
    """Refuse a weapon that is not in hand, has no hand free for it, or has no ammunition."""
    obstacle = _obstacle(battle, combatant, weapon)
    if obstacle is not None:
        code, problem = obstacle
        raise Refusal(f"strike/{code}", problem, who=combatant.id, weapon=weapon.name)


def _obstacle(battle: Battle, combatant: Combatant, weapon: Weapon) -> tuple[str, str] | None:
    who, what = combatant.name, weapon.name
    if not has_at_hand(combatant, weapon):
        return "thrown-away", f"{who} has thrown its {what}; pick it up first, or choose another weapon."
    if not has_hands_for(battle, combatant, weapon):
        return "no-free-hand", f"{who} has no free hand for a {what}; drop the shield or let go of what it holds first."
    if weapon.ammunition is not None and not combatant.economy.left(ammunition_of(weapon)):
        return "no-ammunition", f"{who} has no ammunition left for its {what}; choose another weapon."
    return None


def check_loaded(battle: Battle, combatant: Combatant, weapon: Weapon) -> None:
    """Refuse a second shot with a loading weapon. It shoots once per action, whatever the number of attacks."""
    if not is_loaded(battle, combatant, weapon):
        raise Refusal(
            "strike/loading",
            f"{combatant.name}'s {weapon.name} takes time to load and has been shot; choose another weapon.",
            who=combatant.id,
            weapon=weapon.name,
        )


def is_loaded(battle: Battle, combatant: Combatant, weapon: Weapon) -> bool:
    return WeaponProperty.LOADING not in weapon.properties or not _has_shot(battle, combatant, weapon)


def _has_shot(battle: Battle, combatant: Combatant, weapon: Weapon) -> bool:
    """Whether one of the attacks from this turn's latest Attack action was spent on it."""
    for change in reversed(changes_this_turn(battle, combatant, ATTACKS)):
        if change.after > change.before:
            return False
        if spent_on(battle, change) == weapon.ref:
            return True
    return False


def use_up(table: Table, attack: Attack) -> None:
    """Use up what an attack takes: a piece of ammunition, or the weapon itself if it is thrown."""
    weapon, attacker = attack.weapon, attack.attacker
    if attack.spell is not None or attack.melee:
        return
    if weapon.ammunition is not None:
        table.spend(attacker, ammunition_of(weapon), 1, "a shot", weapon.ref)
    elif not weapon.is_ranged and counted(attacker, weapon) is not None:
        remember_missing(table, attacker, [*missing(attacker), (weapon.name, attack.target.position)], "thrown")


def ways_to_hit(actor: Combatant, target: Combatant, weapon: str | None) -> list[list[Declaration]]:
    """The attacks to try: in melee if the target is within reach, then at range, then with granted strikes."""
    sheet = sheet_of(actor)
    usable = [known for known in sheet.usual_arms if is_usable(actor, known)]
    weapons = usable if weapon is None else [known for known in sheet.arms if known.name == weapon]
    within = [known for known in weapons if not known.is_ranged and feet_between(actor, target) <= known.reach]
    # Weapons that are kept for throwing come last.
    near = [known for known in within if known.range is None] or within
    far = [known for known in weapons if known.range is not None]
    has_strikes = actor.economy.left(ATTACKS) > 0
    by_weapon = [
        _with_each(actor, target, "strike" if has_strikes else action, held)
        for action, held in (("melee_attack", near), ("ranged_attack", far))
    ]
    granted = [_declared(actor, target, name, None) for name in _granted(actor)]
    if near or far or granted:
        return [granted, *by_weapon] if not has_strikes and not actor.economy.left(ACTION) else [*by_weapon, granted]
    # Declare something anyway, to be refused with the reason.
    return [[_declared(actor, target, "strike" if has_strikes else "melee_attack", weapon)]]


def _with_each(actor: Combatant, target: Combatant, action: str, weapons: Iterable[Weapon]) -> list[Declaration]:
    return [_declared(actor, target, action, weapon.name) for weapon in weapons]


def _granted(actor: Combatant) -> list[str]:
    """The granted strikes that the actor can use now, such as an off-hand strike."""
    strikes = (action for action in pieces_of(GrantedAction).values() if "attack" in action.tags)
    return [action.name for action in strikes if actor.granted_actions(action.ref)]


def _declared(actor: Combatant, target: Combatant, action: str, weapon: str | None) -> Declaration:
    return Declaration(actor=actor.id, action=action, targets=(target.id,), weapon=weapon)
