"""`python -m benchmarks [NAME ...]`: run the named benchmarks, or all of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial

from benchmarks import declare, fold, load, rebase, rebuild, simulate, startup, undos
from benchmarks.measure import Result, scratch_database

Benchmark = Callable[[str, float], Iterator[Result]]
BENCHMARKS: dict[str, Benchmark] = {
    "declare": declare.run,
    "fold": fold.run,
    "rebase": rebase.run,
    "rebuild": rebuild.run,
    "simulate": simulate.run,
    "load": load.run,
    "startup": startup.run,
    "undos": undos.run,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *BENCHMARKS], metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--seconds", type=float, default=4.0, help="how long each side is measured")
    parser.add_argument("--events", type=int, default=rebuild.EVENTS, help="the size of the ledger that is rebuilt")
    arguments = parser.parse_args()
    benchmarks: dict[str, Benchmark] = {**BENCHMARKS, "rebuild": partial(rebuild.run, events=arguments.events)}
    reached = True
    with scratch_database() as url:
        for name in arguments.names or BENCHMARKS:
            for result in benchmarks[name](url, arguments.seconds):
                print(result)
                reached = reached and result.reached
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
