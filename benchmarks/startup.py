"""Start-up: a warm `combatlog status`, against a Python that only imports psycopg, pydantic and typer and connects."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.duel import open_duel
from benchmarks.measure import Result, compare
from combatlog.rules.engine.referee import Referee
from ledger.database import URL_VARIABLE
from ledger.store import Ledger

AIM = 0.25
"""The command takes no more than four times as long: it loads the rules, which know everybody's armour class."""

_BARE = "import sys, psycopg, pydantic, typer; psycopg.connect(sys.argv[1]).close()"


def run_startup(url: str, seconds: float) -> Iterator[Result]:
    with Ledger.open(url) as ledger:
        name = open_duel(Referee(ledger))
    with compiled() as environment:
        environment[URL_VARIABLE] = url

        def status() -> int:
            command = [sys.executable, "-m", "cli.app", "status", name]
            subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
            return 1

        def bare() -> int:
            subprocess.run([sys.executable, "-c", _BARE, url], env=environment, check=True)
            return 1

        ours, theirs = compare(status, bare, max(seconds, 8.0))
    yield Result("a warm `combatlog status`", "starts", ours, theirs, AIM)


@contextmanager
def compiled() -> Iterator[dict[str, str]]:
    """An environment in which Python compiles each module once, as whoever installs a package does.

    With PYTHONDONTWRITEBYTECODE, libraries would be compiled already and a working copy would never be.
    """
    with tempfile.TemporaryDirectory() as cache:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        yield {**kept, "PYTHONPYCACHEPREFIX": cache}
