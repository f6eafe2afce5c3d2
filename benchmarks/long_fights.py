"""Long fights: does a command cost the same however much has happened before?

Everything is measured on a fight of about 100 events and on one of many thousands. Each command comes from a referee
that remembers nothing, as one from a new process does. A ratio of 1 is flat. What is taken back early grows with what
comes after it: there, a ratio of 1 is linear. Its memory is compared with that of a process that only reads the events.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from time import process_time

from benchmarks.duel import STRIKE, open_duel
from benchmarks.measure import Result
from benchmarks.processes import taken_by
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.fight import Fight
from combatlog.rules.engine.referee import Referee
from ledger.errors import Problem
from ledger.events import Event
from ledger.store import Ledger
from projections.reading import read_battle

FLAT = 1 / 1.2
MEMORY = 0.5
MANY = int(os.environ.get("COMBATLOG_BENCHMARK_EVENTS", "20000"))
_NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "n", "reason": "benchmark"})
_ATTACK = Declaration(actor="snig", action="attack")
_SLICE = 2000
_READ = """
from ledger.store import Ledger
events = Ledger.open(sys.argv[1]).find(sys.argv[2]).events
"""
_UNDO = """
from benchmarks.long_fights import undo_early
from ledger.store import Ledger
undo_early(Ledger.open(sys.argv[1]), sys.argv[2])
"""


def run_long_fights(url: str, seconds: float) -> Iterator[Result]:
    with Ledger.open(url) as ledger:
        short, long = _fight(ledger, 100), _fight(ledger, MANY)
        for what, work in _WORK.items():
            costs = [_cost(partial(work, ledger, name)) for name in (short, long)]
            yield Result(f"{what}, {MANY} events against 100", "", 1 / costs[1], 1 / costs[0], FLAT)
        half, whole = _fight(ledger, MANY // 4), _fight(ledger, MANY // 2)
        early = [_cost(partial(undo_early, ledger, name), 1) for name in (half, whole)]
        what = "take back an early ruling, twice the events against twice the time"
        yield Result(what, "", 1 / early[1], 0.5 / early[0], 0.7)
    reading, undoing = (taken_by(work, url, long).kib for work in (_READ, _UNDO))
    yield Result("  memory (KiB) of reading the events, against taking it back", "", reading, undoing, MEMORY)


def _fight(ledger: Ledger, events: int) -> str:
    """A fight of that many events: turns of strikes. It is played in memory and recorded in large pieces."""
    referee = Referee(ledger)
    name = open_duel(referee)
    stream = ledger.find(name)
    fight = Fight(stream.events)
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


def _end_turn(fight: Fight) -> None:
    fight.declare(Declaration(actor=fight.battle.clock.turn or "", action="core:time:end-turn"))


def _cost(work: Callable[[], object], times: int = 20) -> float:
    found = []
    for _ in range(times):
        start = process_time()
        work()
        found.append(process_time() - start)
    return min(found)


def _do(ledger: Ledger, name: str) -> object:
    return Referee(ledger).declare(name, _NOTE)


def _refuse(ledger: Ledger, name: str) -> object:
    try:
        return Referee(ledger).declare(name, Declaration(actor="snig", action="strike", targets=("osric",)))
    except Problem as problem:
        return problem


def _undo_last(ledger: Ledger, name: str) -> object:
    referee = Referee(ledger)
    referee.declare(name, _NOTE)
    fresh = Referee(ledger)
    return fresh.apply(fresh.plan(name, lambda f: undo.plan_undo(f, undo.last(f), by="gm", reason="benchmark")))


def undo_early(ledger: Ledger, name: str) -> object:
    referee = Referee(ledger)
    noted = next(e.seq for e in ledger.find(name).events if _is_note(e))
    return referee.apply(referee.plan(name, lambda f: undo.plan_undo(f, {noted}, by="gm", reason="benchmark")))


def _is_note(event: Event) -> bool:
    return event.kind == "declared" and getattr(event, "options", {}).get("note") == "n"


_WORK: dict[str, Callable[[Ledger, str], object]] = {
    "do": _do,
    "refuse": _refuse,
    "status": lambda ledger, name: read_battle(ledger, name),
    "the last 50 events": lambda ledger, name: ledger.read_last(ledger.require(name), 50),
    "undo the last command": _undo_last,
}
