"""A database that cannot be reached, or is gone in the middle of a command: one sentence, never a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from combatlog.rules.engine.resolution.referee import Referee
from ledger.store.database import URL_VARIABLE
from ledger.store.ledger import LedgerStore
from tests.attacks.bridge import NAME, begin
from tests.attacks.dying_server import DyingServer
from tests.cli.conftest import Run
from tests.cli.test_hostile_names import COMMANDS as ALL

ARGUMENTS: dict[str, tuple[str, ...]] = {
    "join": ("goblin",),
    "do": ("snig", "dash"),
    "react": ("snig", "pass"),
    "time-up": (),
    "rule": ("snig", "--note", "rain", "--reason", "it rains"),
    "leave": ("snig",),
    "label": ("practice",),
    "actions": ("snig",),
    "advise": ("snig",),
    "difficulty": (),
    "economy": ("snig",),
    "explain": ("3",),
    "replay": ("--plain",),
    "undo": ("--yes", "--reason", "a mistake"),
    "redo": ("--reason", "a mistake"),
    "amend": ("3", "--target", "rurik", "--reason", "a mistake"),
    "fork": ("--as", "what if"),
    "play": (),
    "hit": ("rurik",),
    "cast": ("bless",),
    "move": ("5,2",),
    "hurt": ("snig", "1"),
    "heal": ("snig", "1"),
    "initiative": ("snig=3",),
    "reactions": ("snig", "opportunity_attack=never"),
    "conceal": ("snig",),
    "roll": ("1d20",),
    "proposal": (),
    "agree": ("rurik",),
    "overrule": ("--reason", "the rules are clear"),
    "note": ("The bridge creaks.",),
    "reveal": ("snig",),
    "seat": ("--gm",),
    "webhook": ("--add", "https://example.org/hook"),
    "aim": ("snig", "fireball", "3,3"),
    "insert": ("--after", "6", "snig", "dash", "--yes"),
    "watch": ("--plain",),
    "diff": ("--at", "3", "--and", "6"),
}
"""What a command takes besides the encounter."""
WITHOUT_ENCOUNTER: dict[str, tuple[str, ...]] = {
    "new": ("another",),
    "list": (),
    "roster": ("Riverlands",),
    "serve": (),
    "import-log": ("dice", "{file}"),
    "rest short": (NAME,),
    "dice sit": (NAME, "rurik"),
    "dice link": (NAME,),
    "dice show": (NAME,),
    "rest long": (NAME,),
    "stats": ("hits",),
    "sql": ("SELECT 1",),
    "import": ("{file}",),
    "demo": (),
    "verify": ("--all",),
    "projections status": (),
    "projections run": ("--once",),
    "projections rebuild": (),
    "lake write": ("{folder}/lake",),
    "db status": (),
    "db roles": ("--apply",),
    "db upgrade": (),
    "db distribute": ("--yes",),
    "db backup": ("{folder}/backup",),
    "db restore": ("{backup}",),
}
NEED_NONE = {
    "reference",
    "dice chain",
    "schema",
    "simulate",
    "run",
    "login",
    "logout",
    "db start",
    "db stop",
    "db path",
    "lake compact",
    "lake status",
    "lake verify",
}
"""Commands that use no database, or only the embedded one; so do those about packs and libraries."""


def line_for(command: str) -> tuple[str, ...]:
    if command in WITHOUT_ENCOUNTER:
        return (*command.split(), *WITHOUT_ENCOUNTER[command])
    return (command, NAME, *ARGUMENTS.get(command, ()))


REACHING = [name for name in ALL if name not in NEED_NONE and not name.startswith(("abilities", "pack", "creatures"))]


@pytest.fixture
def fill_in(run: Run, ledger: LedgerStore, referee: Referee, tmp_path: Path) -> Callable[[str], list[str]]:
    """The command line for a command, with files that are there."""
    begin(referee)
    assert run("export", NAME, "--output", str(tmp_path / "file")).status == 0
    assert run("db", "backup", str(tmp_path / "ledger")).status == 0
    names = {"file": str(tmp_path / "file"), "backup": str(tmp_path / "ledger"), "folder": str(tmp_path)}
    return lambda command: [part.format(**names) for part in line_for(command)]


def test_every_command_says_that_the_database_cannot_be_reached(
    run: Run, fill_in: Callable[[str], list[str]], database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(URL_VARIABLE, make_conninfo(database, host="127.0.0.1", port=1))
    assert {name: run(*fill_in(name)).code for name in REACHING} == dict.fromkeys(REACHING, "database/unreachable")


def test_with_json_it_is_said_as_data(run: Run, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(URL_VARIABLE, make_conninfo(database, host="127.0.0.1", port=1))
    for arguments in (("stats", "hits"), ("sql", "SELECT 1"), ("verify", "--all"), ("list",)):
        assert json.loads(run(*arguments, "--json").err)["code"] == "database/unreachable"


DYING = [
    ("status", range(5, 15)),
    ("stats", (8, 11, 13, 15, 18, 28, 30)),
    ("sql", (8, 12, 30, 37)),
    ("verify", range(13, 50, 4)),
    ("projections rebuild", (8, 11, 20, 60, 150)),
    ("projections status", (8, 12, 30)),
    ("rule", range(11, 18)),
    ("db backup", range(9)),
    ("db upgrade", range(9)),
]
"""Commands, and after how many requests the server is gone."""


@pytest.mark.slow
@pytest.mark.parametrize("server", ["tcp_server"], indirect=True)
@pytest.mark.parametrize(("command", "requests"), DYING, ids=[command for command, _ in DYING])
def test_a_server_that_is_gone_in_the_middle_is_a_problem(
    run: Run,
    fill_in: Callable[[str], list[str]],
    database: str,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    requests: range,
) -> None:
    known = conninfo_to_dict(database)
    for number in requests:
        with DyingServer(str(known["host"]), int(str(known["port"])), number) as dying:
            by_way = make_conninfo(database, host="127.0.0.1", port=dying.port, connect_timeout=2)
            monkeypatch.setenv(URL_VARIABLE, by_way)
            ran = run(*fill_in(command))
        if dying.is_dead and ran.status != 0:  # the last thing that a client says is goodbye
            assert ran.code in {"database/unreachable", "database/no-answer", "sql/no-login"}, (number, ran.err)
