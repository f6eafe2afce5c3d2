"""One writer of the load, as a process: declares for some seconds and prints what it was told, and when.

`python -m benchmarks.writer ours|bare URL SECONDS ENCOUNTER ...`
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from random import Random
from time import perf_counter
from uuid import UUID, uuid4

import psycopg

from benchmarks.duel import STRIKE
from ledger.store import Ledger
from rules.referee import Referee

_COPY = "COPY bare_events (originator_id, originator_version, topic, state, hash) FROM STDIN"
_ROWS = "SELECT topic, state, hash FROM bare_rows"


def main(kind: str, url: str, seconds: str, *encounters: str) -> None:
    work, close = (_ours if kind == "ours" else _bare)(url, encounters)
    print("ready", flush=True)
    sys.stdin.readline()
    done, end = [], perf_counter() + float(seconds)
    while (start := perf_counter()) < end:
        command = work()
        done.append((str(command), perf_counter() - start))
    close()
    print(json.dumps(done))


def _ours(url: str, encounters: tuple[str, ...]) -> tuple[Callable[[], UUID], Callable[[], None]]:
    ledger = Ledger.open(url)
    referee, chance = Referee(ledger), Random(1)

    def declare() -> UUID:
        command = uuid4()
        referee.declare(chance.choice(encounters), STRIKE, command=command)
        return command

    return declare, ledger.close


def _bare(url: str, encounters: tuple[str, ...]) -> tuple[Callable[[], UUID], Callable[[], None]]:
    """Nothing but the commits: the same rows, each time under another id."""
    conn = psycopg.connect(url, autocommit=True)
    rows = conn.execute(_ROWS).fetchall()

    def copy() -> UUID:
        command = uuid4()
        with conn.transaction(), conn.cursor() as cursor, cursor.copy(_COPY) as stream:
            for place, row in enumerate(rows, start=1):
                stream.write_row((command, place, *row))
        return command

    return copy, conn.close


if __name__ == "__main__":
    main(*sys.argv[1:])
