"""A combatant at a glance: its armour class, what is left of its turn, its slots and pools, its death saves."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.dnd5e.attack import make_attack, own_armor_class
from combatlog.rules.dnd5e.economy import ACTION, BONUS_ACTION, MOVEMENT, PASSING, REACTION
from combatlog.rules.dnd5e.sheet import sheet_of
from combatlog.rules.dnd5e.space import squares_of, width_of
from combatlog.rules.dnd5e.state import can_act, is_dead
from combatlog.rules.dnd5e.vitality import DYING
from combatlog.rules.dnd5e.weapons import Weapon
from combatlog.rules.dnd5e.words import DamageType
from combatlog.rules.engine.glance import Glance, grants_in_words, resources_in_words
from projections.battle import Battle
from projections.combatant import Combatant
from projections.phrases import counted

_ANYTHING = Weapon(name="anything", damage="1", damage_type=DamageType.BLUDGEONING)
_SLOT = "slot_"


def glance(battle: Battle, combatant: Combatant) -> Glance:
    return Glance(
        figures={"AC": str(armor_class(battle, combatant))},
        left=list(_left(battle, combatant)) if can_act(combatant) else [],
        resources=[] if is_dead(combatant) else list(_resources(combatant)),
        notes=list(_death_saves(combatant)),
        spaces=squares_of(combatant) if width_of(combatant) > 1 and combatant.position else None,
        fallen=is_dead(combatant),
    )


def armor_class(battle: Battle, combatant: Combatant) -> int:
    """Against an ordinary blow, without cover."""
    return own_armor_class(make_attack(battle, combatant, combatant, _ANYTHING)).bonus()


def _left(battle: Battle, combatant: Combatant) -> Iterator[str]:
    """In its own turn, all that it can still spend; otherwise only whether it can react."""
    left = combatant.economy.left
    if battle.clock.turn == combatant.id:
        if left(ACTION):
            yield "action"
        yield from grants_in_words(combatant)
        if left(BONUS_ACTION):
            yield "bonus action"
        if left(MOVEMENT):
            yield f"{left(MOVEMENT)} ft"
    yield "reaction" if left(REACTION) else "reaction used"


def _resources(combatant: Combatant) -> Iterator[str]:
    each_turn = {feature.name for feature in sheet_of(combatant).loadout.features if feature.once_a_turn}
    slots = [name for name in combatant.economy if name.startswith(_SLOT)]
    if slots:
        yield "slots " + " ".join(_slots(combatant, name) for name in slots)
    rest = [name for name in combatant.economy if name not in (*PASSING, *slots, *each_turn)]
    yield from resources_in_words(combatant, rest)


def _slots(combatant: Combatant, name: str) -> str:
    """Four slots of level 1 are `1st×4`."""
    return f"{_ORDINALS[int(name.removeprefix(_SLOT)) - 1]}×{combatant.economy.left(name)}"


_ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th")


def _death_saves(combatant: Combatant) -> Iterator[str]:
    held = combatant.conditions.get(DYING)
    if held is not None:
        successes, failures = held.data.get("successes", 0), held.data.get("failures", 0)
        yield f"death saves: {counted(successes, 'success', 'successes')}, {counted(failures, 'failure')}"
