"""`python -m benchmarks [NAME ...]`: run the named benchmarks, or all of them."""

from __future__ import annotations

import argparse
import sys

from benchmarks import declare, fold, load, rebase, startup
from benchmarks.measure import scratch_database

BENCHMARKS = {"declare": declare.run, "fold": fold.run, "rebase": rebase.run, "load": load.run, "startup": startup.run}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *BENCHMARKS], metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--seconds", type=float, default=4.0, help="how long each side is measured")
    arguments = parser.parse_args()
    reached = True
    with scratch_database() as url:
        for name in arguments.names or BENCHMARKS:
            for result in BENCHMARKS[name](url, arguments.seconds):
                print(result)
                reached = reached and result.reached
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
