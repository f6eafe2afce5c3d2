"""Listing the encounters of a large ledger, against a warm `combatlog status` of one of them.

Both are whole commands. A page costs what it shows, so the ledger's size makes no difference.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

from benchmarks.databases import empty_ledger
from benchmarks.measure import Result, compare
from benchmarks.simulated import fill, templates
from ledger.database import URL_VARIABLE
from ledger.store import Ledger

EVENTS = 100_000
AIM = 0.5
"""`list` takes less than twice as long as `status`."""


def run_listing(url: str, seconds: float, events: int = EVENTS) -> Iterator[Result]:
    with empty_ledger(url) as target:
        count = fill(target, events, templates())
        with Ledger.open(target) as ledger:
            page = ledger.page(1)
        status = _command(target, "status", page[0].name)
        for what, arguments in (
            ("list", ("list",)),
            ("list --json --limit 200", ("list", "--json", "--limit", "200")),
        ):
            ours, bare = compare(_command(target, *arguments), status, max(seconds, 4.0))
            about = f"`{what}` with {page.total:,} encounters of {count:,} events, against `status`"
            yield Result(about, "commands", ours, bare, AIM)


def _command(url: str, *arguments: str) -> Callable[[], int]:
    environment = {**os.environ, URL_VARIABLE: url}

    def run_once() -> int:
        command = [sys.executable, "-m", "cli.app", *arguments]
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
        return 1

    return run_once
