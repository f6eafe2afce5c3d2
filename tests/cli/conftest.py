"""Running the command line in this process, on a database of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import psycopg
import pytest

from benchmarks.sample_fights import STORED, StoredRow, record
from cli.app import main
from cli.render.terminal import console


class Ran(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def code(self) -> str | None:
        """The code of a refusal, which stands in brackets after its sentence."""
        found = re.search(r" \[([a-z0-9_-]+/[a-z0-9-]+)\]$", self.err, re.MULTILINE)
        return found[1] if found else None


Run = Callable[..., Ran]
Commands = tuple[tuple[str, ...], ...]
Prepare = Callable[..., Run]


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Output is as wide as it likes, whatever the screen and whatever width the test before had set."""
    for name in ("COLUMNS", "LINES", "FORCE_COLOR", "COMBATLOG_FIGHT"):
        monkeypatch.delenv(name, raising=False)
    console.cache_clear()
    yield
    console.cache_clear()


@pytest.fixture
def run(cli_database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> Ran:
        monkeypatch.setattr("sys.argv", ["combatlog", *arguments])
        with pytest.raises(SystemExit) as exited:
            main()
        captured = capsys.readouterr()
        return Ran(int(exited.value.code or 0), captured.out, captured.err)

    return run


@pytest.fixture(scope="session")
def recordings() -> dict[Commands, list[StoredRow]]:
    return {}


@pytest.fixture
def prepare(run: Run, cli_database: str, recordings: dict[Commands, list[StoredRow]]) -> Prepare:
    """Has a new ledger hold what commands record. They run once; later tests get a copy of the events."""

    def prepare(*commands: tuple[str, ...]) -> Run:
        if commands in recordings:
            record(cli_database, recordings[commands])
            return run
        for arguments in commands:
            ran = run(*arguments)
            assert ran.status == 0, ran.err
        with psycopg.connect(cli_database) as conn:
            recordings[commands] = conn.execute(STORED).fetchall()
        return run

    return prepare


BRIDGE: Commands = (
    ("new", "bridge", "--dice", "table"),
    ("join", "bridge", "fighter", "--as", "Rurik", "--at", "3,2"),
    ("join", "bridge", "paladin", "--as", "Osric", "--at", "3,3"),
    ("join", "bridge", "goblin", "--as", "Snig", "--side", "foes", "--at", "4,2"),
    ("start", "bridge", "--dice", "11,6,17"),
)


@pytest.fixture
def bridge(prepare: Prepare) -> Run:
    """A fight at the bridge where it is the goblin's turn; the arguments after the command and the name."""
    return prepare(*BRIDGE)


@pytest.fixture
def host(cli_database: str) -> Iterator[tuple[str, str]]:
    """The address of a service for the ledger of the command line, and the token of a GM at all fights."""
    import combatlog
    from tests.service.conftest import BOUNDLESS, listening

    with combatlog.open(cli_database) as ledger:
        token = ledger.seats.invite("gm").token
    with listening(replace(BOUNDLESS, database=cli_database)) as url:
        yield url, token


@pytest.fixture
def away(run: Run, host: tuple[str, str]) -> Run:
    """Runs a command with --server, as the GM."""
    url, token = host

    def run_there(*arguments: str) -> Ran:
        return run("--server", url, "--token", token, *arguments)

    return run_there
