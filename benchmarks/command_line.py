"""How soon commands start, the shell answers, and the encounters of a large ledger are listed."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from statistics import quantiles
from time import perf_counter

import combatlog
from benchmarks.measure import BenchmarkResult, compare, empty_ledger
from benchmarks.sample_fights import STRIKE, fill, open_duel, templates
from combatlog.rules.engine.resolution.referee import Referee
from ledger.store.database import HOME_VARIABLE, URL_VARIABLE
from ledger.store.ledger import LedgerStore

STARTUP_AIM = 0.25
"""The command takes no more than four times as long: it loads the rules, which know everybody's armour class."""

_BARE = "import sys, psycopg, pydantic, typer; psycopg.connect(sys.argv[1]).close()"


def run_startup(url: str, seconds: float) -> Iterator[BenchmarkResult]:
    with LedgerStore.open(url) as ledger:
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
    yield BenchmarkResult("a warm `combatlog status`", "starts", ours, theirs, STARTUP_AIM)


@contextmanager
def compiled() -> Iterator[dict[str, str]]:
    """An environment in which Python compiles each module once, as whoever installs a package does.

    With PYTHONDONTWRITEBYTECODE, libraries would be compiled already and a working copy would never be.
    """
    with tempfile.TemporaryDirectory() as cache:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        yield {**kept, "PYTHONPYCACHEPREFIX": cache}


READY_AIM = 1 / 1.5
"""The shell is ready within one and a half times a warm `status`."""
LINE_AIM = 0.25
"""A line takes no more than four times as long as what it declares: reading, looking ahead, telling, drawing."""
UNNOTICED = 0.050
"""Seconds. At the table nobody notices that a line takes this long; a machine that is busy may need more."""
EVENTS = 1000
LINES = 60
_PROMPT = re.compile(rb"Snig>")
_ANSWERED = re.compile(rb"miss.*Snig>", re.DOTALL)
_LINE = b"hit rurik 2 3\r"


def run_play(url: str, seconds: float) -> Iterator[BenchmarkResult]:
    name = _long_fight(url)
    with compiled() as environment:
        environment |= {URL_VARIABLE: url, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
        environment[HOME_VARIABLE] = environment["PYTHONPYCACHEPREFIX"]

        def status() -> int:
            command = [sys.executable, "-m", "cli.app", "status", name]
            subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
            return 1

        def ready() -> int:
            with _shell(name, environment):
                return 1

        ours, theirs = compare(ready, status, max(seconds, 8.0))
        yield BenchmarkResult(
            "`play` until it asks for a line, against a warm `status`", "starts", ours, theirs, READY_AIM
        )
        line = _p95(_lines(name, environment))
    declared = _p95(_declarations(url, name))
    print(f"  p95 of a line: {line * 1000:.1f} ms, of its declaration: {declared * 1000:.1f} ms")
    what = f"p95 of a line in a fight of {EVENTS} events, against its declaration through the API"
    yield BenchmarkResult(what, "", 1 / line, 1 / declared, LINE_AIM)
    yield BenchmarkResult("  the same against what nobody notices", "", 1 / line, 1 / UNNOTICED, 1.0)


def _long_fight(url: str) -> str:
    with LedgerStore.open(url) as ledger:
        referee = Referee(ledger)
        name = open_duel(referee)
        while referee.fight(name).battle.seq < EVENTS:
            referee.declare(name, STRIKE, dice=[2, 3])
    return name


def _p95(times: list[float]) -> float:
    return quantiles(times, n=20)[-1]


def _declarations(url: str, name: str) -> list[float]:
    times = []
    with combatlog.open(url) as ledger:
        fight = ledger.fight(name)
        fight.hit("rurik", dice=[2, 3])
        for _ in range(LINES):
            begun = perf_counter()
            fight.declare(STRIKE, dice=[2, 3])
            times.append(perf_counter() - begun)
    return times


def _lines(name: str, environment: Mapping[str, str]) -> list[float]:
    """How long each line takes, from Enter to the prompt after it."""
    times = []
    with _shell(name, environment) as terminal:
        for number in range(LINES + 1):
            os.write(terminal, _LINE[:-1])
            _read_until(terminal, re.compile(rb"2 3"))
            begun = perf_counter()
            os.write(terminal, _LINE[-1:])
            _read_until(terminal, _ANSWERED)
            if number:  # the first line loads what the others need
                times.append(perf_counter() - begun)
    return times


@contextmanager
def _shell(name: str, environment: Mapping[str, str]) -> Iterator[int]:
    """A terminal in which the shell has shown its prompt."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(sys.executable, [sys.executable, "-m", "cli.app", "play", name], dict(environment))
    try:
        _read_until(terminal, _PROMPT)
        yield terminal
    finally:
        os.close(terminal)
        os.waitpid(child, 0)


def _read_until(terminal: int, wanted: re.Pattern[bytes], patience: float = 60.0) -> None:
    shown = b""
    while not wanted.search(shown):
        if not select.select([terminal], [], [], patience)[0]:
            raise TimeoutError(f"{wanted.pattern!r} is not shown: {shown[-300:]!r}")
        shown += os.read(terminal, 65536)


LISTING_EVENTS = 100_000
LISTING_AIM = 0.5
"""`list` takes less than twice as long as `status`."""


def run_listing(url: str, seconds: float, events: int = LISTING_EVENTS) -> Iterator[BenchmarkResult]:
    with empty_ledger(url) as target:
        count = fill(target, events, templates())
        with LedgerStore.open(target) as ledger:
            page = ledger.page(1)
        status = _command(target, "status", page[0].name)
        for what, arguments in (
            ("list", ("list",)),
            ("list --json --limit 200", ("list", "--json", "--limit", "200")),
        ):
            ours, bare = compare(_command(target, *arguments), status, max(seconds, 4.0))
            about = f"`{what}` with {page.total:,} encounters of {count:,} events, against `status`"
            yield BenchmarkResult(about, "commands", ours, bare, LISTING_AIM)


def _command(url: str, *arguments: str) -> Callable[[], int]:
    environment = {**os.environ, URL_VARIABLE: url}

    def run_once() -> int:
        command = [sys.executable, "-m", "cli.app", *arguments]
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
        return 1

    return run_once
