"""What it means to hit somebody: the strike that is left, or else the Attack action with the first one."""

from __future__ import annotations

from collections.abc import Iterable

from combatlog.rules.dnd5e.contexts import feet_between
from combatlog.rules.dnd5e.economy import ACTION, ATTACKS
from combatlog.rules.dnd5e.pieces import GrantedAction, pieces_of
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.weapons import Weapon
from combatlog.rules.dnd5e.wielding import is_usable
from combatlog.rules.engine.commands import Declaration
from projections.combatant import Combatant


def ways_to_hit(actor: Combatant, target: Combatant, weapon: str | None) -> list[list[Declaration]]:
    """In melee if somebody is within reach, and otherwise from a distance; then what something else has granted."""
    sheet = sheet_of(actor)
    usable = [known for known in sheet.usual_arms if is_usable(actor, known)]
    weapons = usable if weapon is None else [known for known in sheet.arms if known.name == weapon]
    within = [known for known in weapons if not known.is_ranged and feet_between(actor, target) <= known.reach]
    near = [known for known in within if known.range is None] or within  # what is made to be thrown is not in hand
    far = [known for known in weapons if known.range is not None]
    has_strikes = actor.economy.left(ATTACKS) > 0
    by_weapon = [
        _with_each(actor, target, "strike" if has_strikes else action, held)
        for action, held in (("melee_attack", near), ("ranged_attack", far))
    ]
    granted = [_declared(actor, target, name, None) for name in _granted(actor)]
    if near or far or granted:
        return [granted, *by_weapon] if not has_strikes and not actor.economy.left(ACTION) else [*by_weapon, granted]
    return [[_declared(actor, target, "strike" if has_strikes else "melee_attack", weapon)]]  # says what is in the way


def _with_each(actor: Combatant, target: Combatant, action: str, weapons: Iterable[Weapon]) -> list[Declaration]:
    return [_declared(actor, target, action, weapon.name) for weapon in weapons]


def _granted(actor: Combatant) -> list[str]:
    """Strikes that exist only while something grants them, such as one with the off hand."""
    strikes = (action for action in pieces_of(GrantedAction).values() if "attack" in action.tags)
    return [action.name for action in strikes if actor.granted_actions(action.ref)]


def _declared(actor: Combatant, target: Combatant, action: str, weapon: str | None) -> Declaration:
    return Declaration(actor=actor.id, action=action, targets=(target.id,), weapon=weapon)
