"""Importing events, against exporting the same events.

An import checks every line, hash and limit, folds every encounter, and records; an export only reads. Both are measured
in turns, into and out of databases that hold nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.databases import empty_ledger
from benchmarks.measure import Result
from benchmarks.simulated import fill, templates
from combatlog.rules.engine.importing import import_events
from ledger.exchange import export_lines
from ledger.store import Ledger

EVENTS = 60_000
AIM = 0.25
"""An import takes at most four times as long as the export."""
_TURNS = 3


def run_exchange(url: str, seconds: float, events: int = EVENTS) -> Iterator[Result]:
    with empty_ledger(url) as source, TemporaryDirectory() as folder:
        file = Path(folder) / "export.jsonl"
        count = fill(source, events, templates())
        turns = [(_export(source, file), _import(url, file)) for _ in range(_TURNS)]
    exporting, importing = (median(times) for times in zip(*turns, strict=True))
    yield Result(
        f"import {count:,} events, against exporting them", "events", count / importing, count / exporting, AIM
    )


def _export(url: str, file: Path) -> float:
    with Ledger.open(url) as ledger, file.open("w", encoding="utf-8") as output:
        start = perf_counter()
        references = [str(listed.encounter) for listed in ledger.list_encounters()]
        output.writelines(f"{line}\n" for line in export_lines(ledger, references))
        output.flush()
        return perf_counter() - start


def _import(url: str, file: Path) -> float:
    with empty_ledger(url) as target, Ledger.open(target) as ledger, file.open("rb") as events:
        start = perf_counter()
        import_events(ledger, events)
        return perf_counter() - start
