"""The state of a combatant (able to act, hostile, concealed), and how conditions begin and end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from combatlog.rules.dnd5e.conditions.instances import FLEETING, Instance, instances_of, remembering
from combatlog.rules.dnd5e.contexts import Attack
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.pieces import PIECES, Contributor, Dnd5eCondition, Hook
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Data, Until
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle

NEUTRAL = "neutral"
DEAD = "dnd5e:condition:dead"
CONCENTRATING = "dnd5e:condition:concentrating"
GRAPPLED = "dnd5e:condition:grappled"
RESTRAINED = "dnd5e:condition:restrained"
WITH_A_HOLD = tuple(
    f"dnd5e:condition:{name}" for name in ("restrained", "suffering", "blinded", "poisoned", "weakened")
)
"""Conditions that a hold can impose. They end with the hold."""


def conditions_of(combatant: Combatant) -> Iterator[Dnd5eCondition]:
    for ref in list(combatant.conditions):
        condition = PIECES.get(ref)
        if isinstance(condition, Dnd5eCondition):
            yield condition


def can_act(combatant: Combatant) -> bool:
    if not combatant.conditions:  # a quick answer, because every attack asks
        return combatant.present
    return combatant.present and not any(map(prevents_actions, conditions_of(combatant)))


def prevents_actions(condition: Dnd5eCondition) -> bool:
    return condition.incapacitates or condition.idles or condition.holds_up


def can_still(combatant: Combatant, action: str) -> bool:
    """Whether its conditions leave it this action, given by name."""
    preventing = [held for held in conditions_of(combatant) if prevents_actions(held)]
    return combatant.present and all(action in held.still_does for held in preventing)


def can_move(combatant: Combatant) -> bool:
    """Whether no condition stops it from moving. Being incapacitated does not."""
    if not combatant.conditions:
        return combatant.present
    return combatant.present and not any(held.immobilizes or held.holds_up for held in conditions_of(combatant))


def is_incapacitated(combatant: Combatant) -> bool:
    return any(condition.incapacitates for condition in conditions_of(combatant))


def is_dead(combatant: Combatant) -> bool:
    return combatant.has(DEAD)


def is_blinded(combatant: Combatant) -> bool:
    return bool(combatant.conditions) and any(condition.blinds for condition in conditions_of(combatant))


def is_concealed(combatant: Combatant, *, but_not_invisible: bool = False) -> bool:
    """Whether a condition hides it from view; on request, one that sees the invisible does not help against."""
    if not combatant.conditions:
        return False
    hiding = [condition for condition in conditions_of(combatant) if condition.conceals]
    return any(not (but_not_invisible and condition.is_invisibility) for condition in hiding)


def is_cut_off(combatant: Combatant) -> bool:
    """Whether it is out of reach of everything, for example on another plane."""
    return bool(combatant.conditions) and any(condition.cuts_off for condition in conditions_of(combatant))


def can_hear(combatant: Combatant) -> bool:
    return not any(condition.deafens for condition in conditions_of(combatant))


def is_hostile(one: Combatant, other: Combatant) -> bool:
    """Whether they are on different sides. The side `neutral` has no enemies."""
    return one.side != other.side and NEUTRAL not in (one.side, other.side)


def contributors_of(combatant: Combatant) -> Iterator[Contributor]:
    """The contributors from its sheet, then its conditions in the order in which they began."""
    yield from sheet_of(combatant).loadout.contributors
    for ref in list(combatant.conditions):
        contributor = PIECES.get(ref)
        if isinstance(contributor, Contributor):
            yield contributor


def those_with(hook: Hook, combatant: Combatant) -> Sequence[Contributor]:
    """Its contributors that implement this method of `Contributor`. Cached, because chains ask very often."""
    held = sheet_of(combatant).loadout.those_with[hook]
    if not combatant.conditions:
        return held
    speaking = _all_with(hook, len(PIECES))
    return [*held, *[speaking[ref] for ref in combatant.conditions if ref in speaking]]


def still_with(hook: Hook, combatant: Combatant) -> Iterator[Contributor]:
    """The same, lazily, for methods with effects: skips conditions that an earlier contributor has ended."""
    for contributor in those_with(hook, combatant):
        if not isinstance(contributor, Dnd5eCondition) or combatant.has(contributor.ref):
            yield contributor


@cache
def _all_with(hook: Hook, known: int) -> dict[str, Contributor]:
    """All pieces that implement a method, by ref. `known`, the number of pieces, invalidates the cache."""
    return {ref: own for ref, own in PIECES.items() if isinstance(own, Contributor) and own.implements(hook)}


def contributions(
    battle: Battle, hook: Hook, ask: Callable[[Contributor, Combatant], Iterable[Modifier]]
) -> list[Modifier]:
    """All contributions of features and conditions through one method, in initiative order of their owners."""
    asked = []
    for owner in battle.combatants.values():
        if owner.present and (found := those_with(hook, owner)):
            asked.append((owner, found))
    if not asked:
        return []
    if len(asked) > 1:
        asked.sort(key=lambda one: battle.clock.rank(one[0].id))
    return [
        modifier
        for owner, contributors in asked
        for contributor in contributors
        for modifier in ask(contributor, owner)
    ]


def afflict(
    table: Table,
    target: Combatant,
    condition: str,
    *,
    source: str,
    owner: str,
    until: Until | None = None,
    level: int | None = None,
    data: Data | None = None,
) -> bool:
    """Start a condition, unless its target is immune. Returns whether it started.

    If the target already has it from another cause, each cause keeps its own duration.
    """
    piece = PIECES[condition]
    assert isinstance(piece, Dnd5eCondition)
    if piece.name in sheet_of(target).condition_immunities or _is_warded(table.battle, target, piece.name, owner):
        return False
    held = target.conditions.get(condition)
    others = [one for one in instances_of(held) if not one.is_of(source, owner)] if held and not piece.is_single else []
    remembered = remembering({**piece.begins_with(target), **(data or {})}, others)
    if piece.levels and level is None:
        level = min(piece.levels, (held.level or 1) + 1) if held else 1
    table.apply_condition(target, condition, source=source, owner=owner, until=until, level=level, data=remembered)
    piece.at_begin(table, target)
    for other in [own for own in conditions_of(target) if _is_ended_by(piece, own)]:
        end_condition(table, target, other.ref, f"{target.name} is {piece.title}")
    if piece.incapacitates:
        let_go(table, target, f"{target.name} is {piece.title}")
    for contributor in still_with(Contributor.after_affliction, target):
        contributor.after_affliction(table, target)
    return True


def _is_warded(battle: Battle, target: Combatant, condition: str, owner: str) -> bool:
    wards, cause = those_with(Contributor.wards_off, target), battle.combatants.get(owner)
    return any(ward.wards_off(target, condition, cause) for ward in wards)


def is_turned_aside(table: Table, attacker: Combatant, target: Combatant, attack: Attack | None = None) -> bool:
    """Whether an attack, or a targeted spell, is lost to a protection of its target."""
    wards = those_with(Contributor.turns_aside, target)
    return bool(wards) and any(ward.turns_aside(table, attacker, target, attack) for ward in wards)


def let_go(table: Table, grappler: Combatant, why: str) -> None:
    """Release every creature that the grappler holds."""
    for other in table.battle.combatants.values():
        held = other.conditions.get(GRAPPLED)
        for instance in instances_of(held) if held is not None else ():
            if instance.owner == grappler.id:
                end_hold(table, other, instance, why)


def end_hold(table: Table, target: Combatant, hold: Instance, why: str) -> None:
    """End one hold and the conditions it imposed."""
    end_restraint(table, target, hold, why)
    end_instance(table, target, GRAPPLED, hold, why)


def end_restraint(table: Table, target: Combatant, hold: Instance, why: str) -> None:
    """End the conditions that came with a hold, such as restrained."""
    for condition in WITH_A_HOLD:
        held = target.conditions.get(condition)
        for instance in instances_of(held) if held is not None else ():
            if instance.is_of(hold.source, hold.owner):
                end_instance(table, target, condition, instance, why)


def _is_ended_by(began: Dnd5eCondition, other: Dnd5eCondition) -> bool:
    is_out = began.knocks_out and other.ends_when_knocked_out
    return is_out or (began.incapacitates and other.ends_when_incapacitated)


def end_instance(table: Table, target: Combatant, condition: str, instance: Instance, why: str) -> None:
    """End one instance of a condition. The condition goes on if it has other causes."""
    held = target.conditions.get(condition)
    if held is None:
        return
    left = [one for one in instances_of(held) if not one.is_of(instance.source, instance.owner)]
    if not left:
        end_condition(table, target, condition, why)
        return
    first, *others = left
    data = remembering(first.data, others)
    table.apply_condition(
        target, condition, source=first.source, owner=first.owner, until=first.until, level=first.level, data=data
    )


def end_fleeting(table: Table, combatant: Combatant, why: str, *, harmless: bool = False) -> None:
    """End the conditions that a combatant loses by attacking or casting a spell. Some outlast a harmless spell."""
    for held in list(combatant.conditions.values()):
        piece = PIECES.get(held.ref)
        if harmless and isinstance(piece, Dnd5eCondition) and piece.outlasts_harmless_spells:
            continue
        for instance in instances_of(held):
            if FLEETING in instance.data:
                end_instance(table, combatant, held.ref, instance, why)
                end_idle_concentration(table, instance.source, instance.owner)


def end_idle_concentration(table: Table, spell: str, caster: str) -> None:
    """End the concentration on a spell that has no effect left, as when its only target has saved."""
    owner = table.battle.combatants.get(caster)
    held = owner.conditions.get(CONCENTRATING) if owner is not None else None
    if owner is None or held is None or held.source != spell:
        return
    others = (own for one in table.battle.combatants.values() for own in one.conditions.values() if own is not held)
    if not any(instance.is_of(spell, caster) for own in others for instance in instances_of(own)):
        end_condition(table, owner, CONCENTRATING, "no effect left")


def end_condition(table: Table, target: Combatant, condition: str, why: str) -> None:
    """End a condition with all its causes, and everything that depends on it."""
    if not target.has(condition):
        return
    piece = PIECES.get(condition)
    if isinstance(piece, Dnd5eCondition):
        piece.at_end(table, target)
    table.remove_condition(target, condition, why)
