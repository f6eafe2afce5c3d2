"""Whether a command or an event costs the same after many events and after many undos."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import process_time
from uuid import uuid4

from benchmarks.measure import BenchmarkResult, taken_by
from benchmarks.sample_fights import STRIKE, TIRELESS, open_duel
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.exchange.import_folding import check_folding
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill
from ledger.errors import Problem
from ledger.events import Event, Undone
from ledger.store.ledger import LedgerStore
from projections.battle.snapshots import read_battle
from projections.readmodels.encounter_projection import EncounterProjection
from projections.review.audit import audit

FLAT = 1 / 1.2
MEMORY = 0.5
MANY = int(os.environ.get("COMBATLOG_BENCHMARK_EVENTS", "20000"))
_NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "n", "reason": "benchmark"})
_ATTACK = Declaration(actor="snig", action="attack")
_SLICE = 2000
_READ = """
from ledger.store.ledger import LedgerStore
events = LedgerStore.open(sys.argv[1]).find(sys.argv[2]).events
"""
_UNDO = """
from benchmarks.long_fights import undo_early
from ledger.store.ledger import LedgerStore
undo_early(LedgerStore.open(sys.argv[1]), sys.argv[2])
"""


def run_long_fights(url: str, seconds: float) -> Iterator[BenchmarkResult]:
    with LedgerStore.open(url) as ledger:
        short, long = _fight(ledger, 100), _fight(ledger, MANY)
        for what, work in _WORK.items():
            costs = [_cost(partial(work, ledger, name)) for name in (short, long)]
            yield BenchmarkResult(f"{what}, {MANY} events against 100", "", 1 / costs[1], 1 / costs[0], FLAT)
        half, whole = _fight(ledger, MANY // 4), _fight(ledger, MANY // 2)
        early = [_cost(partial(undo_early, ledger, name), 1) for name in (half, whole)]
        what = "take back an early ruling, twice the events against twice the time"
        yield BenchmarkResult(what, "", 1 / early[1], 0.5 / early[0], 0.7)
    reading, undoing = (taken_by(work, url, long).kib for work in (_READ, _UNDO))
    yield BenchmarkResult("  memory (KiB) of reading the events, against taking it back", "", reading, undoing, MEMORY)


def _fight(ledger: LedgerStore, events: int) -> str:
    """A fight of that many events: turns of strikes. It is played in memory and recorded in large pieces."""
    referee = Referee(ledger)
    name = open_duel(referee)
    stream = ledger.find(name)
    fight = FightEngine(stream.events)
    fight.declare(_NOTE)
    _end_turn(fight)
    while len(fight.events) < events:
        if fight.battle.clock.turn == "snig":
            fight.declare(_ATTACK)
            fight.declare(STRIKE)
        _end_turn(fight)
    head, new = stream.head, fight.events[len(stream.events) :]
    for start in range(0, len(new), _SLICE):
        head = ledger.append(new[start : start + _SLICE], head)
    Referee(ledger).declare(name, _NOTE)  # the first command reads everything, and keeps the state for the next
    return name


def _end_turn(fight: FightEngine) -> None:
    fight.declare(Declaration(actor=fight.battle.clock.turn or "", action="core:time:end-turn"))


def _cost(work: Callable[[], object], times: int = 20) -> float:
    found = []
    for _ in range(times):
        start = process_time()
        work()
        found.append(process_time() - start)
    return min(found)


def _do(ledger: LedgerStore, name: str) -> object:
    return Referee(ledger).declare(name, _NOTE)


def _refuse(ledger: LedgerStore, name: str) -> object:
    try:
        return Referee(ledger).declare(name, Declaration(actor="snig", action="strike", targets=("osric",)))
    except Problem as problem:
        return problem


def _undo_last(ledger: LedgerStore, name: str) -> object:
    referee = Referee(ledger)
    referee.declare(name, _NOTE)
    fresh = Referee(ledger)
    return fresh.apply(fresh.plan(name, lambda f: undo.plan_undo(f, undo.last(f), by="gm", reason="benchmark")))


def undo_early(ledger: LedgerStore, name: str) -> object:
    referee = Referee(ledger)
    noted = next(e.seq for e in ledger.find(name).events if _is_note(e))
    return referee.apply(referee.plan(name, lambda f: undo.plan_undo(f, {noted}, by="gm", reason="benchmark")))


def _is_note(event: Event) -> bool:
    return event.kind == "declared" and getattr(event, "options", {}).get("note") == "n"


_WORK: dict[str, Callable[[LedgerStore, str], object]] = {
    "do": _do,
    "refuse": _refuse,
    "status": lambda ledger, name: read_battle(ledger, name),
    "the last 50 events": lambda ledger, name: ledger.read_last(ledger.require(name), 50),
    "undo the last command": _undo_last,
}


AIM = 0.7
FEW_UNDOS, MANY_UNDOS = 500, 2000


def run_undos(url: str, seconds: float) -> Iterator[BenchmarkResult]:
    few, many = with_undos(FEW_UNDOS), with_undos(MANY_UNDOS)
    for what, work in _UNDO_WORK.items():
        rate_few, rate_many = _rate(work, few), _rate(work, many)
        yield BenchmarkResult(f"{what} {MANY_UNDOS} undos, against {FEW_UNDOS}", "events", rate_many, rate_few, AIM)


def with_undos(times: int) -> list[Event]:
    """A ruling that is made and taken back, over and over.

    One is made by the rules; the others are the same with other numbers, which takes no time to prepare.
    """
    drill = Drill(dice="seed:1")
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.start()
    before = len(drill.fight.events)
    ruling = [*drill.declare(TIRELESS).events]
    undone = _undone(ruling)
    events = drill.fight.events[:before]
    for number in range(times):
        shift = number * (len(ruling) + 1)
        events += [_later(event, shift) for event in ruling]
        events.append(_later(undone, shift).model_copy(update={"retracts": (ruling[0].seq + shift,)}))
    return events


def _undone(ruling: Sequence[Event]) -> Undone:
    last = ruling[-1]
    envelope = last.model_dump(include={"encounter", "recorded_at", "round", "turn"})
    seq = last.seq + 1
    return Undone(
        **envelope, seq=seq, declaration=seq, retracts=(ruling[0].seq,), reason="benchmark", by="gm", command=uuid4()
    )


def _later(event: Event, shift: int) -> Event:
    cause = event.cause + shift if event.cause is not None else None
    return event.model_copy(update={"seq": event.seq + shift, "declaration": event.declaration + shift, "cause": cause})


def _verify(events: Sequence[Event]) -> None:
    assert list(check_declarations(events)) == []


def _project(events: Sequence[Event]) -> None:
    projection = EncounterProjection()
    for event in events:
        projection.feed(event)
    list(projection.take_facts())


def _import(events: Sequence[Event]) -> None:
    check_folding(list(events), 0)


_UNDO_WORK: dict[str, Callable[[Sequence[Event]], object]] = {
    "verify": _verify,
    "project": _project,
    "list the corrections of": audit,
    "check the import of": _import,
}


def _rate(work: Callable[[Sequence[Event]], object], events: Sequence[Event]) -> float:
    """Events per second of a core; the best of five."""
    spent = []
    for _ in range(5):
        start = process_time()
        work(events)
        spent.append(process_time() - start)
    return len(events) / min(spent)
