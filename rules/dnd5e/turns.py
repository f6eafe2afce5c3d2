"""Initiative, and the passing of turns and rounds."""

from __future__ import annotations

from ledger.events import (
    InitiativeEntry,
    InitiativeSet,
    RollModifier,
    RoundEnded,
    RoundStarted,
    TurnEnded,
    TurnStarted,
    Until,
    UntilMoment,
)
from projections.combatant import Combatant
from rules.dnd5e.economy import begin_turn
from rules.dnd5e.sheet import AbilityScore, sheet_of
from rules.dnd5e.vitality import can_act
from rules.refusal import Refusal
from rules.table import Table


def start(table: Table) -> None:
    """Everybody rolls initiative, in the order they joined. Ties go to the higher dexterity, then to the earlier."""
    entries = [_roll_initiative(table, combatant) for combatant in table.battle.present()]
    table.record(InitiativeSet, order=tuple(sorted(entries, key=lambda e: _rank(table, e))))
    _begin_round(table, 1)
    _begin_turn(table, _able(table)[0])


def _roll_initiative(table: Table, combatant: Combatant) -> InitiativeEntry:
    dexterity = sheet_of(combatant).modifier(AbilityScore.DEX)
    added = [RollModifier(source="dnd5e:score:dex", amount=dexterity)]
    roll = table.roll("initiative", combatant.id, "1d20", modifiers=added)
    return InitiativeEntry(combatant=combatant.id, value=roll.total)


def _rank(table: Table, entry: InitiativeEntry) -> tuple[int, int]:
    return -entry.value, -sheet_of(table.battle.combatants[entry.combatant]).abilities.dex


def end_turn(table: Table, combatant: Combatant) -> None:
    expire(table, UntilMoment.TURN_END, combatant.id)
    table.record(TurnEnded, combatant=combatant.id)
    _begin_turn(table, _next_after(table, combatant))


def _next_after(table: Table, combatant: Combatant) -> Combatant:
    """Who acts next; a new round begins when the order starts over."""
    able = _able(table)
    place = table.battle.clock.rank(combatant.id)
    later = [other for other in able if table.battle.clock.rank(other.id) > place]
    if later:
        return later[0]
    number = table.battle.clock.round
    table.record(RoundEnded, number=number)
    _begin_round(table, number + 1)
    return able[0]


def _able(table: Table) -> list[Combatant]:
    able = [combatant for combatant in table.battle.by_initiative(table.battle.present()) if can_act(combatant)]
    if not able:
        raise Refusal("turn/nobody", "Nobody can act any more; `combatlog close` ends the fight.")
    return able


def _begin_round(table: Table, number: int) -> None:
    table.record(RoundStarted, number=number)


def _begin_turn(table: Table, combatant: Combatant) -> None:
    started = table.record(TurnStarted, combatant=combatant.id)
    with table.because_of(started):
        expire(table, UntilMoment.TURN_START, combatant.id)
        begin_turn(table, combatant, sheet_of(combatant).speed)


def expire(table: Table, moment: UntilMoment, whose: str) -> None:
    """End the conditions and granted actions that last until now."""

    def is_over(until: Until | None) -> bool:
        return until is not None and until.moment is moment and until.whose == whose

    for combatant in table.battle.present():
        for condition in list(combatant.conditions.values()):
            if is_over(condition.until):
                table.remove_condition(combatant, condition.ref, moment.replace("_", " "))
        for grant in list(combatant.granted.values()):
            if is_over(grant.until):
                table.ungrant(grant, "not used this turn")
