"""How long conditions last, which of them outlast a fight, and the end-of-turn saves that end them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from combatlog.rules.dnd5e import pieces
from combatlog.rules.dnd5e.combatant_state import afflict, end_idle_concentration, end_instance, is_dead
from combatlog.rules.dnd5e.conditions.instances import AGAINST, SAVE, TALLY, WORSE, WORSE_SAVED, Instance, instances_of
from combatlog.rules.dnd5e.enums import AbilityScore
from combatlog.rules.dnd5e.pieces import PIECES, Dnd5eCondition
from combatlog.rules.dnd5e.saves_and_checks import resolve_save
from combatlog.rules.engine.resolution.table import Table
from ledger.events import Until, UntilMoment
from projections.battle.combatant import Combatant, Condition
from projections.battle.combatant import Condition as Held
from projections.battle.fold import Battle

MINUTE = 10
"""Rounds in a minute."""


def until_next_turn(whose: Combatant) -> Until:
    return Until(moment=UntilMoment.TURN_START, whose=whose.id)


def until_end_of_turn(whose: Combatant) -> Until:
    return Until(moment=UntilMoment.TURN_END, whose=whose.id)


def for_minutes(battle: Battle, whose: Combatant, minutes: int) -> Until:
    later = battle.clock.round + minutes * MINUTE
    return Until(moment=UntilMoment.TURN_START, whose=whose.id, round=later)


def for_a_minute(battle: Battle, whose: Combatant) -> Until:
    return for_minutes(battle, whose, 1)


def for_an_hour(battle: Battle, whose: Combatant) -> Until:
    return for_minutes(battle, whose, 60)


def until_end_of_next_turn(battle: Battle, whose: Combatant) -> Until:
    """The end of its next turn; the end of a turn in progress does not count."""
    later = battle.clock.round + 1 if battle.clock.turn == whose.id else None
    return Until(moment=UntilMoment.TURN_END, whose=whose.id, round=later)


def lasting_conditions(combatant: Combatant) -> list[Condition]:
    """The conditions that outlast a fight: marked so, and not ended by time, a save or concentration."""
    return [lasting for held in combatant.conditions.values() for lasting in _lasting(held)]


def _lasting(held: Condition) -> list[Condition]:
    piece = PIECES.get(held.ref)
    if not isinstance(piece, pieces.Dnd5eCondition) or not piece.lasts:
        return []
    causes = [cause for cause in instances_of(held) if _is_endless(piece, cause)]
    return [replace(held, source=cause.source, level=cause.level, data=cause.data) for cause in causes[:1]]


def _is_endless(piece: pieces.Dnd5eCondition, cause: Instance) -> bool:
    """Whether a cause has no end of its own. Data says how it ends, or is a tally for single conditions."""
    is_cast = cause.source.startswith("dnd5e:spell:")
    return cause.until is None and not is_cast and (piece.is_single or not cause.data)


SUFFERING = "dnd5e:condition:suffering"
DECIDES = 3
"""How many successes or failures it takes where a single save does not decide."""


def repeat_saves(table: Table, combatant: Combatant) -> None:
    """Repeat each save once; all conditions with the same cause end together."""
    thrown: set[tuple[str, str]] = set()
    for condition in list(combatant.conditions.values()):
        for instance in instances_of(condition):
            cause = (instance.source, instance.owner)
            if SAVE not in instance.data or cause in thrown or is_dead(combatant):
                continue
            thrown.add(cause)
            saved = _saves(table, combatant, condition, instance)
            if TALLY in instance.data and not _is_decided(table, combatant, condition, instance, saved):
                continue
            if saved:
                _end_all(table, combatant, instance, "saved")
                end_idle_concentration(table, instance.source, instance.owner)
                continue
            _hurt(table, combatant, instance)
            if WORSE in instance.data:
                _end_all(table, combatant, instance, "got worse")
                _worsen(table, combatant, instance)


def _is_decided(table: Table, combatant: Combatant, condition: Held, instance: Instance, saved: bool) -> bool:
    """Whether this is the third success or the third failure. If not, record the tally."""
    succeeded, failed = instance.data[TALLY]
    tally = [succeeded + saved, failed + (not saved)]
    if DECIDES in tally:
        return True
    data = {**instance.data, TALLY: tally}
    source, owner, until = instance.source, instance.owner, instance.until
    afflict(table, combatant, condition.ref, source=source, owner=owner, until=until, data=data)
    return False


def _saves(table: Table, combatant: Combatant, condition: Held, instance: Instance) -> bool:
    ability = AbilityScore(instance.data[SAVE])
    purpose, threat = f"{ability} save to end {condition.name}", (condition.name,)
    return resolve_save(table, combatant, ability, instance.data[AGAINST], instance.source, purpose, threat=threat)


def _end_all(table: Table, combatant: Combatant, ended: Instance, why: str) -> None:
    for ref, instance in list(_of_same_cause(combatant, ended)):
        end_instance(table, combatant, ref, instance, why)


def _of_same_cause(combatant: Combatant, wanted: Instance) -> Iterator[tuple[str, Instance]]:
    for condition in list(combatant.conditions.values()):
        for instance in instances_of(condition):
            if instance.is_of(wanted.source, wanted.owner) and SAVE in instance.data:
                yield condition.ref, instance


def _worsen(table: Table, combatant: Combatant, before: Instance) -> None:
    again = {SAVE: before.data[SAVE], AGAINST: before.data[AGAINST]} if before.data.get(WORSE_SAVED) else None
    worse = f"dnd5e:condition:{before.data[WORSE]}"
    afflict(table, combatant, worse, source=before.source, owner=before.owner, until=before.until, data=again)


def _hurt(table: Table, combatant: Combatant, failed: Instance) -> None:
    """Deal the damage of a nightmare after a failed save."""
    held = combatant.conditions.get(SUFFERING)
    piece = PIECES.get(SUFFERING)
    for instance in instances_of(held) if held is not None else ():
        if instance.is_of(failed.source, failed.owner) and instance.data.get("at") == "failed_save":
            assert isinstance(piece, Dnd5eCondition)
            piece.at_failed_save(table, combatant, instance)
