"""Zones: squares that affect the combatants in them, such as traps, burning ground and lasting spells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from combatlog.rules.dnd5e.attack.damage import inflict, reductions, taken_chain
from combatlog.rules.dnd5e.battlemap.space import covers, level_of
from combatlog.rules.dnd5e.battlemap.speed_and_terrain import squares_of_zone
from combatlog.rules.dnd5e.combatant_state import afflict, end_condition, end_instance, is_cut_off, is_dead, is_hostile
from combatlog.rules.dnd5e.conditions.instances import BY_STRENGTH, ESCAPE, instances_of
from combatlog.rules.dnd5e.contexts import Harm
from combatlog.rules.dnd5e.enums import AbilityScore
from combatlog.rules.dnd5e.hazards_and_optional_rules import Hazard, HazardEffect, HazardTiming, read_square
from combatlog.rules.dnd5e.hit_points import suffer
from combatlog.rules.dnd5e.saves_and_checks import resolve_save
from combatlog.rules.engine.commands import GM
from combatlog.rules.engine.dice.dice_notation import parse
from combatlog.rules.engine.grid.squares import grid_of
from combatlog.rules.engine.resolution.table import Table
from ledger.events import DamagePart, Position, Until, UntilMoment
from projections.battle.clock_and_map import terrain_at
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

ZONE = "dnd5e:condition:zone"
SCATHED = "dnd5e:condition:scathed"
CONCENTRATING = "dnd5e:condition:concentrating"
DEALT = "dealt"
"""Data of a zone that ends after a total of damage: the damage it has dealt so far."""


@dataclass(frozen=True, slots=True)
class Zone:
    """Squares with an effect, from the map or from a spell."""

    source: str
    owner: Combatant | None
    squares: tuple[Position, ...]
    effect: HazardEffect
    becomes: str | None = None
    hidden: bool = False

    def holds(self, combatant: Combatant) -> bool:
        if self.effect.spares_friends and self.owner is not None and not is_hostile(self.owner, combatant):
            return False
        if level_of(combatant) or is_cut_off(combatant):
            return False
        return any(covers(combatant, square) for square in self.squares)


def has_zones(battle: Battle) -> bool:
    """Whether there are any zones. A cheap check, because every step asks."""
    return bool(battle.encounter.options.get("hazards")) or any(ZONE in one.conditions for one in battle.present())


def zones_of(battle: Battle) -> Iterator[Zone]:
    """The hazards of the map, then the zones of spells in the order their casters joined."""
    for name, entry in (battle.encounter.options.get("hazards") or {}).items():
        hazard = Hazard.model_validate(entry)
        squares = tuple(square for square in map(read_square, hazard.squares) if _is_unchanged(battle, square))
        if squares:
            yield Zone(f"dnd5e:hazard:{name}", None, squares, hazard, hazard.becomes, hazard.hidden)
    for owner in battle.present():
        held = owner.conditions.get(ZONE)
        for instance in instances_of(held) if held is not None else ():
            squares = tuple(squares_of_zone(battle, owner, instance))
            yield Zone(instance.source, owner, squares, HazardEffect.model_validate(instance.data.get("effect", {})))


def _is_unchanged(battle: Battle, square: Position) -> bool:
    is_there = square in grid_of(battle.map)
    return is_there and terrain_at(battle.map, square) == terrain_at(battle.encounter.map, square)


def spring(table: Table, combatant: Combatant, when: HazardTiming, origin: Position | None = None) -> None:
    """Apply the zones that a combatant enters, or begins or ends its turn in; each zone once per turn."""
    if combatant.position is None or not has_zones(table.battle):
        return
    for zone in list(zones_of(table.battle)):
        every = zone.effect.each_step
        is_new = every or when is not HazardTiming.ENTER or not _was_in(zone, combatant, origin)
        is_spared = not every and _is_scathed(zone, combatant)
        if when in zone.effect.when and is_new and zone.holds(combatant) and not is_spared:
            affect_by(table, zone, combatant)
        if when is HazardTiming.START and zone.effect.unsettles and zone.holds(combatant):
            _unsettle(table, zone, combatant)
        if is_dead(combatant):
            return


def _unsettle(table: Table, zone: Zone, combatant: Combatant) -> None:
    """Make a combatant who starts its turn there save to keep concentrating."""
    if not combatant.has(CONCENTRATING):
        return
    against, purpose = zone.effect.difficulty, "concentration save"
    if not resolve_save(table, combatant, AbilityScore.CON, against, zone.source, purpose):
        end_condition(table, combatant, CONCENTRATING, "concentration broken")


def _was_in(zone: Zone, combatant: Combatant, origin: Position | None) -> bool:
    return origin is not None and origin in zone.squares and combatant.position in zone.squares


def _is_scathed(zone: Zone, combatant: Combatant) -> bool:
    held = combatant.conditions.get(SCATHED)
    return held is not None and any(one.source == zone.source for one in instances_of(held))


def affect_by(table: Table, zone: Zone, target: Combatant) -> None:
    """Apply a zone to a combatant: save, damage and condition."""
    effect, owner = zone.effect, zone.owner.id if zone.owner is not None else GM
    whose = table.battle.clock.turn
    if whose is not None:
        until = Until(moment=UntilMoment.TURN_END, whose=whose)
        afflict(table, target, SCATHED, source=zone.source, owner=owner, until=until)
    save = effect.save if not _is_caught_in(zone, target) else None
    saved = save is not None and resolve_save(table, target, save, effect.difficulty, zone.source)
    if effect.damage is not None and not (saved and effect.saved == "nothing"):
        _harm(table, zone, target, saved)
    if effect.condition is not None and not saved and not is_dead(target):
        data = {ESCAPE: effect.difficulty, BY_STRENGTH: True} if effect.escape else None
        this_turn = Until(moment=UntilMoment.TURN_END, whose=target.id) if effect.lasts_a_turn else None
        ref = f"dnd5e:condition:{effect.condition}"
        afflict(table, target, ref, source=zone.source, owner=owner, until=this_turn, data=data)
    if zone.becomes is not None:
        for square in zone.squares:
            table.change_terrain(square, zone.becomes, zone.source, owner)


def _is_caught_in(zone: Zone, target: Combatant) -> bool:
    """Whether it already has the zone's condition from this zone; then it does not save again."""
    held = target.conditions.get(f"dnd5e:condition:{zone.effect.condition}")
    return held is not None and any(one.source == zone.source for one in instances_of(held))


def _harm(table: Table, zone: Zone, target: Combatant, saved: bool) -> None:
    effect = zone.effect
    roller = zone.owner.id if zone.owner is not None else target.id
    rolled = table.roll("zone damage", roller, effect.damage or "0")
    harm = Harm(table.battle, target, zone.owner, zone.source, (effect.damage_type,), saved=saved)
    harm.halved_by = effect.save if effect.saved == "half" else None
    taken = taken_chain(harm)
    taken.record(table)
    parts = [DamagePart(source=zone.source, amount=rolled.total, damage_type=effect.damage_type)]
    if zone.owner is not None:
        inflict(table, harm, parts, taken)
        if effect.spent_after is not None:
            _spend(table, zone, zone.owner, harm.amount)
    else:
        harm.parts = (*parts, *reductions(taken, parts))
        suffer(table, harm)


def _spend(table: Table, zone: Zone, owner: Combatant, amount: int) -> None:
    """Count the damage that a zone has dealt, and end it once its total is used up."""
    held = owner.conditions.get(ZONE)
    for instance in instances_of(held) if held is not None else ():
        if instance.source != zone.source:
            continue
        dealt = instance.data.get(DEALT, 0) + amount
        if dealt >= (zone.effect.spent_after or 0):
            end_instance(table, owner, ZONE, instance, "spent")
            continue
        data = {**instance.data, DEALT: dealt}
        afflict(table, owner, ZONE, source=zone.source, owner=instance.owner, until=instance.until, data=data)


def average(effect: HazardEffect) -> float:
    return parse(effect.damage).average if effect.damage else 0.0
