"""The same statistics over a large ledger on PostgreSQL, on DuckDB and, where it is installed, on Spark.

DuckDB and Spark read a lake; Spark works on this machine, with a thread for each processor. Answers are compared, and
the benchmark fails if they are not the same. The first answer of each engine is not counted: it loads and compiles.
Every fight is played, with dice of its own. A ledger that is larger than what can be folded in a few minutes has all of
them several times (`benchmarks.multiplied`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter

import combatlog
from benchmarks.databases import empty_ledger
from benchmarks.measure import Result
from benchmarks.multiplied import multiply_lake, multiply_read_models
from benchmarks.simulated import fill, templates
from projections.readmodels.rebuild import rebuild
from projections.statistics.report import Report
from tests.optional import find

EVENTS = 100_000
_FOLDED = 1_000_000
"""Events that are recorded and folded, at most."""
_EVENTS_OF_A_FIGHT = 380
_TURNS = 3
"""How often each engine is asked the same."""
_ASKED = (("hits", "actor"), ("damage", "source"), ("rolls", "actor"), ("turns", "actor"), ("luck", "actor"))

Ask = Callable[[str, str], Sequence[Report]]
Turn = dict[str, tuple[float, Sequence[Report]]]
"""How long each engine took, and what it answered."""


def run_engines(url: str, seconds: float, events: int = EVENTS) -> Iterator[Result]:
    with ExitStack() as opened, empty_ledger(url) as full:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory())) / "lake"
        count = _prepare(full, folder, events)
        engines = _engines(opened, full, folder)
        for engine in engines.values():
            engine(*_ASKED[0])
        for statistic, by in _ASKED:
            turns = [{name: _taken(engine, statistic, by) for name, engine in engines.items()} for _ in range(_TURNS)]
            yield from _results(f"stats {statistic} --by {by} over {count:,} events", turns)


def _prepare(url: str, folder: Path, events: int) -> int:
    """A ledger with current read models, and a lake of it in files as large as they get."""
    folded = min(events, _FOLDED)
    count = fill(url, folded, templates(-(-folded // _EVENTS_OF_A_FIGHT)))
    rebuild(url)
    with combatlog.open(url) as ledger:
        ledger.write_lake(folder)
    combatlog.compact_lake(folder)
    times = -(-events // count)
    if times > 1:
        multiply_read_models(url, times)
        multiply_lake(folder, times)
    return count * times


def _engines(opened: ExitStack, url: str, folder: Path) -> dict[str, Ask]:
    lake = opened.enter_context(combatlog.open_lake(folder))
    ledger = opened.enter_context(combatlog.open(url))
    engines: dict[str, Ask] = {"PostgreSQL": ledger.statistics, "DuckDB": lake.statistics}
    if find_spec("pyspark") is not None and find("java") is not None:
        engines["Spark"] = opened.enter_context(combatlog.open_lake(folder, spark="local[*]")).statistics
    return engines


def _taken(engine: Ask, statistic: str, by: str) -> tuple[float, Sequence[Report]]:
    start = perf_counter()
    found = engine(statistic, by)
    return perf_counter() - start, found


def _results(what: str, turns: Sequence[Turn]) -> Iterator[Result]:
    """By the median of all turns. The first engine is what the others are compared with."""
    spent = {name: median(turn[name][0] for turn in turns) for name in turns[0]}
    first, *others = spent
    expected = turns[0][first][1]
    for name in others:
        assert all(turn[name][1] == expected for turn in turns), f"{name} answers something else: {what}"
        yield Result(f"{what}: {name}, against {first}", "answers", 1 / spent[name], 1 / spent[first], 0)
