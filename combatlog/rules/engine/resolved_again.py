"""Whether recorded declarations come out as they were recorded, resolved again on some state."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine.dice import TableDice
from combatlog.rules.engine.fight import resolve_again, revealed_seed
from combatlog.rules.engine.table import Circumstances, Diverged, Table
from combatlog.rules.engine.tape import tape_of
from ledger.errors import Problem
from ledger.events import Declared, Event
from projections.journal import JournaledBattle


def over_its_tape(battle: JournaledBattle, recorded: Sequence[Event]) -> Table:
    """A table for resolving the declaration that these events begin with, with no dice but those on its tape."""
    return Table(
        battle,
        Circumstances(
            dice=TableDice(()),
            now=recorded[0].recorded_at,
            recorded=recorded,
            tape=tape_of(recorded),
            seed=revealed_seed(recorded, battle.id),
        ),
    )


def of_first_declaration(events: Sequence[Event]) -> Sequence[Event]:
    """The events up to the last one of the declaration that they begin with, with those of others among them."""
    end = max(at for at, event in enumerate(events) if event.declaration == events[0].declaration)
    return events[: end + 1]


def comes_out_the_same(battle: JournaledBattle, recorded: Sequence[Event]) -> bool:
    """Whether each declaration among these events leads to the same ones again. If so, they are applied to the battle;
    otherwise it stays as it is."""
    changes, seq = battle.changes, battle.seq
    alone = all(event.declaration == recorded[0].declaration for event in recorded)
    same = _leads_to(battle, recorded) if alone else _each_leads_to_its_own(battle, recorded)
    battle.seq = seq
    if not same:
        battle.go_back_to(changes)
    return same


def _each_leads_to_its_own(battle: JournaledBattle, recorded: Sequence[Event]) -> bool:
    """A ruling that was made while a declaration waited is resolved on the state of that moment."""
    for at, event in enumerate(recorded):
        if isinstance(event, Declared):
            before = battle.changes
            same = _leads_to(battle, of_first_declaration(recorded[at:]))
            battle.go_back_to(before)
            if not same:
                return False
        battle.apply(event)
    return True


def _leads_to(battle: JournaledBattle, recorded: Sequence[Event]) -> bool:
    declared, table = recorded[0], over_its_tape(battle, recorded)
    assert isinstance(declared, Declared)
    try:
        resolve_again(table, declared)
    except (Diverged, Problem):
        return False
    return table.unmatched is None and not table.new
