"""Fights with many undos: does an event cost the same however many corrections came before it?

Verifying, projecting, auditing and checking an import, each for 500 and for 2,000 undos. A ratio of 1 is
linear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import process_time
from uuid import uuid4

from benchmarks.duel import TIRELESS
from benchmarks.measure import Result
from combatlog.rules.engine.import_sense import check_sense
from combatlog.rules.engine.verify import check_declarations
from combatlog.testing import Drill
from ledger.events import Event, Undone
from projections.audit import audit
from projections.readmodels.encounter_projection import EncounterProjection

AIM = 0.7
FEW, MANY = 500, 2000


def run_undos(url: str, seconds: float) -> Iterator[Result]:
    few, many = with_undos(FEW), with_undos(MANY)
    for what, work in _WORK.items():
        rate_few, rate_many = _rate(work, few), _rate(work, many)
        yield Result(f"{what} {MANY} undos, against {FEW}", "events", rate_many, rate_few, AIM)


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
    check_sense(list(events), 0)


_WORK: dict[str, Callable[[Sequence[Event]], object]] = {
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
