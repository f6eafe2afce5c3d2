"""`python -m benchmarks [NAME ...]`: run the named benchmarks, or all of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks import capacity, registry
from benchmarks.measure import BenchmarkResult, scratch_database
from benchmarks.read_models import EVENTS
from benchmarks.registry import Benchmark, known_benchmarks
from ledger.garbage_collection import collect_less_often

SIZED = {"engines", "growth", "rebuild"}
"""Benchmarks of a ledger whose size can be chosen."""


def main() -> int:
    collect_less_often()  # as every command does
    known = known_benchmarks()
    arguments = _parser(list(known)).parse_args()
    if arguments.check is not None:
        return _report(registry.findings(arguments.check, known))
    chosen = {name: known[name] for name in arguments.names or known}
    for name in SIZED & chosen.keys():
        chosen[name] = partial(chosen[name], events=arguments.events)
    measured = {name: list(results) for name, results in _run(chosen, arguments.seconds)}
    if arguments.write is not None:
        registry.write(arguments.write, measured)
        capacity.write(arguments.write)
    return 0 if all(result.reached for results in measured.values() for result in results) else 1


def _run(chosen: dict[str, Benchmark], seconds: float) -> Iterator[tuple[str, list[BenchmarkResult]]]:
    with scratch_database() as url:
        for name, run in chosen.items():
            results = []
            for result in run(url, seconds):
                print(result, flush=True)
                results.append(result)
            yield name, results


def _report(findings: Sequence[str]) -> int:
    for finding in findings:
        print(finding)
    return 1 if findings else 0


def _parser(names: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *names], metavar="NAME", help=", ".join(names))
    parser.add_argument("--seconds", type=float, default=4.0, help="how long each side is measured")
    parser.add_argument(
        "--events", type=int, default=EVENTS, help="the size of the ledger for engines, growth and rebuild"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the ratios into the table of this document")
    parser.add_argument("--check", type=Path, metavar="FILE", help="measure nothing; check the table of this document")
    return parser


if __name__ == "__main__":
    sys.exit(main())
