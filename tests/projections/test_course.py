"""Following a fight event by event comes to the same as folding it up to each event."""

from __future__ import annotations

from random import Random
from typing import Any
from uuid import uuid4

import pytest

from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from ledger.events import Amended, Declared, Event, Inserted, Redone, Undone
from projections.battle.event_history import EventHistory
from projections.battle.fold import Battle, fold
from projections.battle.timeline import standing, timeline_of
from projections.views.state import battle_state
from tests.cases import each
from tests.effort import often
from tests.old_ledgers.exported import fights_in, read
from tests.old_ledgers.record import generations
from tests.old_ledgers.test_generations import exported
from tests.randomplay import plan_undo_passing, random_fight, step

OLD = {
    f"{folder.name}: {name}": read(rows)
    for folder in generations()
    for name, rows in fights_in(exported(folder).splitlines()).items()
}


def state(battle: Battle) -> list[Any]:
    """Everything but the commands, with the order of everything."""
    everyone = list(battle.combatants.values())
    described = battle_state(battle)
    lists = [list(described["combatants"]), [[list(one.conditions), list(one.granted)] for one in everyone]]
    questions = list(battle.questions.items())
    return [described, lists, everyone, battle.clock, battle.window, questions, battle.opened, battle.fork]


def follow(events: list[Event]) -> None:
    course = EventHistory()
    for at, event in enumerate(events, 1):
        course.feed(event)
        assert state(course.battle) == state(fold(events[:at])), f"after event {at}, {event.kind}"
    assert course.standing == [e for e in standing(events) if not isinstance(e, Undone | Amended | Inserted | Redone)]


@pytest.mark.slow
@each("name", OLD)
def test_an_old_fight(name: str) -> None:
    follow(OLD[name])


@each("seed", range(often(4, 12)))
def test_a_fight_at_random_with_corrections(seed: int) -> None:
    chance = Random(seed)
    fight = random_fight(seed, 12)
    for _ in range(6):
        fight = corrected(fight, chance)
        for _ in range(chance.randrange(4)):
            step(fight, chance)
    follow(fight.events)


def corrected(fight: FightEngine, chance: Random) -> FightEngine:
    taken = chance.choice([e.seq for e in standing(fight.events) if isinstance(e, Declared)][5:])
    undone = FightEngine([*fight.events, *plan_undo_passing(fight, {taken}).new])
    if chance.random() < 0.5:
        return undone
    return FightEngine([*undone.events, *undo.plan_redo(undone, by="gm", reason="test").new])


@each("seed", range(20))
def test_corrections_that_take_back_corrections(seed: int) -> None:
    """Read forwards, as they come, or backwards, where a later one is known before what it takes back."""
    chance = Random(seed)
    events = [arbitrary(chance, seq) for seq in range(1, 40)]
    timeline = timeline_of(events)
    assert (timeline.fallen, timeline.taken_back) == read_backwards(events)


def arbitrary(chance: Random, seq: int) -> Event:
    envelope: dict[str, Any] = {"encounter": uuid4(), "seq": seq, "declaration": seq, "by": "gm", "command": uuid4()}
    envelope["recorded_at"] = "2026-01-01T00:00:00Z"
    earlier = chance.randrange(1, max(2, seq))
    if seq < 3 or chance.random() < 0.4:
        return Declared(**envelope, actor="gm", action="core:ruling:rule", cause=chance.choice([None, earlier]))
    if chance.random() < 0.5:
        return Redone(**envelope, undone=earlier, reason="x")
    return Undone(**envelope, retracts=tuple({chance.randrange(1, seq) for _ in range(3)}), reason="x")


def read_backwards(events: list[Event]) -> tuple[set[int], set[int]]:
    fallen: set[int] = set()
    taken_back: set[int] = set()
    for event in reversed(events):
        if event.seq in taken_back:
            continue
        if isinstance(event, Redone):
            taken_back.add(event.undone)
            fallen |= {other.seq for other in events if isinstance(other, Declared) and other.cause == event.undone}
        elif isinstance(event, Undone):
            fallen |= set(event.retracts)
    return fallen, taken_back
