"""From the state of an encounter to its rows in the tables that hold the current state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ledger.events import Event, Until
from ledger.labels import ARCHIVED, PRACTICE
from projections.battle import Battle
from projections.combatant import Combatant

Row = tuple[str, tuple[Any, ...]]
"""A table and the values of a row."""


def current_rows(battle: Battle, events: Sequence[Event]) -> Iterator[Row]:
    yield "encounters", _encounter(battle, events)
    for combatant in battle.combatants.values():
        for table, values in _combatant(combatant):
            yield table, (battle.id, *values)


def _encounter(battle: Battle, events: Sequence[Event]) -> tuple[Any, ...]:
    opened, fork, clock = battle.encounter, battle.fork, battle.clock
    campaign = opened.options.get("campaign")
    waiting = battle.window.waiting if battle.window else None
    rules = (opened.ruleset, opened.ruleset_version, opened.dice, None if campaign is None else str(campaign))
    origin = (fork.parent, fork.at) if fork else (None, None)
    labels = (list(battle.labels), PRACTICE in battle.labels, ARCHIVED in battle.labels)
    times = ((fork or opened).recorded_at, events[-1].recorded_at)
    size = (events[-1].seq, events[-1].seq - (fork.at if fork else 0))
    now = (clock.round, clock.turn, clock.closed, waiting.reactor if waiting else None)
    return (battle.id, battle.name, *rules, *origin, *labels, *times, *size, *now)


def _combatant(combatant: Combatant) -> Iterator[Row]:
    character = " ".join(combatant.name.split()).casefold()
    about = (combatant.name, character, combatant.side, combatant.controller.value, combatant.present)
    yield "combatants", (combatant.id, *about)
    for pool, vital in combatant.vitals.items():
        yield "vitals", (combatant.id, pool, vital.current, vital.maximum)
    for name, resource in combatant.economy.items():
        amounts = (resource.current, resource.maximum, resource.spent, resource.locked)
        yield "action_economy", (combatant.id, name, *amounts)
    if combatant.position is not None:
        yield "positions", (combatant.id, *combatant.position)
    for held in combatant.conditions.values():
        origin = (held.source, held.owner, held.since, held.level)
        yield "conditions", (combatant.id, held.ref, *origin, _moment(held.until))


def _moment(until: Until | None) -> str | None:
    if until is None:
        return None
    parts = (until.moment.value, until.whose, f"round {until.round}" if until.round is not None else None)
    return " ".join(part for part in parts if part)
