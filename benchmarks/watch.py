"""Watching: how long it takes from a commit in another process until the screen shows it, against what people notice.

The bare side is a fixed patience, not a rival: somebody who watches a table on a second screen does not notice a fifth
of a second. Most of the time is waiting for the next look at the ledger.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from statistics import quantiles
from time import monotonic

import combatlog
from benchmarks.databases import empty_ledger
from benchmarks.measure import Result
from cli.render.screens import WatchScreen
from combatlog.watching import Watching

PATIENCE = 0.2
TURNS = 40

_WRITE = """
import sys, time, combatlog
with combatlog.open(sys.argv[1]) as ledger:
    fight = ledger.fight("watched")
    for _ in range(int(sys.argv[2])):
        seq = fight.end_turn("rurik").events[-1].seq
        print(seq, time.monotonic(), flush=True)
        time.sleep(0.1)
"""


class Timed(WatchScreen):
    """Notes when each event was on the screen."""

    def __init__(self, watching: Watching) -> None:
        super().__init__(watching, "gm")
        self.shown: dict[int, float] = {}

    def show(self) -> None:
        super().show()
        now, last = monotonic(), self.watching.onlooker.whole.seq
        self.shown.update(dict.fromkeys(range(len(self.shown) + 1, last + 1), now))


def run_watch(url: str, seconds: float) -> Iterator[Result]:
    with empty_ledger(url) as target, combatlog.open(target) as ledger:
        fight = ledger.new("watched", dice="seed:1")
        fight.join("fighter", "Rurik", (1, 1))
        fight.start()
        delays = asyncio.run(_delays(target, fight))
    slowest = quantiles(delays, n=20)[-1]
    yield Result(
        "from a commit in another process to the watching screen, 19 of 20 times, against what people notice",
        "times",
        1 / slowest,
        1 / PATIENCE,
        1.0,
    )


async def _delays(url: str, fight: combatlog.RecordedFight) -> list[float]:
    screen = Timed(fight.seen_by().watch())
    async with screen.run_test(size=(100, 40)) as pilot:
        command = [sys.executable, "-c", _WRITE, url, str(TURNS)]
        writing = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
        said, _ = await writing.communicate()
        written = [(int(seq), float(at)) for seq, at in (line.split() for line in said.decode().splitlines())]
        while screen.watching.onlooker.whole.seq < written[-1][0]:
            await pilot.pause(0.01)
    return [max(0.0, screen.shown[seq] - at) for seq, at in written]
