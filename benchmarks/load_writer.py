"""One writer of the load benchmark, as a process. It writes for some seconds and prints what it recorded, and when."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from random import Random
from time import perf_counter
from uuid import UUID, uuid4

import psycopg

from benchmarks.sample_fights import STRIKE
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.referee import Referee
from ledger.store.ledger import LedgerStore

_COPY = "COPY bare_events (originator_id, originator_version, topic, state, hash) FROM STDIN"
_ROWS = "SELECT topic, state, hash FROM bare_rows"
_MOST_APPENDS = 1_500
"""A second: more than one writer can make."""

Work = Iterator[UUID]


def main(kind: str, url: str, seconds: str, *encounters: str) -> None:
    work, close = KINDS[kind](url, float(seconds), encounters)
    print("ready", flush=True)
    sys.stdin.readline()
    done, end = [], perf_counter() + float(seconds)
    while (start := perf_counter()) < end:
        command = next(work)
        done.append((str(command), perf_counter() - start))
    close()
    print(json.dumps(done))


Writer = Callable[[str, float, tuple[str, ...]], tuple[Work, Callable[[], None]]]


def _declare(url: str, seconds: float, encounters: tuple[str, ...]) -> tuple[Work, Callable[[], None]]:
    """Everything that a declaration takes: rules, fold, hashes, commit."""
    ledger = LedgerStore.open(url)
    referee, chance = Referee(ledger), Random(1)

    def work() -> Work:
        while True:
            command = uuid4()
            referee.declare(chance.choice(encounters), STRIKE, command=command)
            yield command

    return work(), ledger.close


def _append(url: str, seconds: float, encounters: tuple[str, ...]) -> tuple[Work, Callable[[], None]]:
    """The ledger without the rules: the declarations were resolved before."""
    ledger = LedgerStore.open(url)
    stream = ledger.find(encounters[0])
    fight = FightEngine(stream.events)
    commands = [uuid4() for _ in range(int(seconds * _MOST_APPENDS))]
    groups = [fight.declare(STRIKE, command=command) for command in commands]

    def work() -> Work:
        head = stream.head
        for command, events in zip(commands, groups, strict=True):
            head = ledger.append(events, head)
            yield command

    return work(), ledger.close


def _bare(url: str, seconds: float, encounters: tuple[str, ...]) -> tuple[Work, Callable[[], None]]:
    """Nothing but the commits: the same rows, each time under another id."""
    conn = psycopg.connect(url, autocommit=True)
    rows = conn.execute(_ROWS).fetchall()

    def work() -> Work:
        while True:
            command = uuid4()
            with conn.transaction(), conn.cursor() as cursor, cursor.copy(_COPY) as stream:
                for place, row in enumerate(rows, start=1):
                    stream.write_row((command, place, *row))
            yield command

    return work(), conn.close


KINDS: dict[str, Writer] = {"declare": _declare, "append": _append, "bare": _bare}


if __name__ == "__main__":
    main(*sys.argv[1:])
