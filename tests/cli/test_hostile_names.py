"""Names and words that would take over a terminal, through every command there is: none of them is let through.

A new command is in the table below, or this fails.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import typer
from psycopg.conninfo import make_conninfo

from cli.app import app, main
from ledger.store.database import URL_VARIABLE
from tests.cli.conftest import Ran

ENCOUNTER = "Käse \"[red]x[/red] %s {} $\\frac{1 \N{DRAGON}'"
EVIL = "O'B\"[bold]\\$\\frac{x\x1b[31m\x1b]0;t\x07\u202e\u200f\N{DRAGON}\r\nFORGED"
SIDE = "f\x1b[2J\u202e\n[red]"
ACTOR = "o-b-bold-frac-x-31m-0-t-forged"
FORBIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Control codes, marks that change the direction of writing, halves of surrogates, what is no character."""

Run = Callable[..., Ran]

FORK = "{fork}"
FILE = "{file}"
COMMANDS: dict[str, list[tuple[str, ...]]] = {
    "new": [("{fork} 2", "--option", f"campaign={json.dumps(EVIL, ensure_ascii=False)}")],
    "join": [(FORK, "goblin", "--as", EVIL + "2", "--side", SIDE, "--at", "9,9")],
    "start": [(FORK,)],
    "do": [(FORK, ACTOR, "dash", "--by", EVIL), (FORK, EVIL, EVIL), (FORK, ACTOR, "strike", "--with", EVIL)],
    "react": [(FORK, EVIL, EVIL)],
    "time-up": [(FORK,), (EVIL,)],
    "dice sit": [(FORK, ACTOR, "--by", EVIL), (FORK, EVIL)],
    "dice link": [(FORK,), (FORK, "--secret", EVIL), (FORK, "--withhold", "--by", EVIL)],
    "dice show": [(FORK,), (FORK, "--as", EVIL)],
    "dice chain": [(EVIL, "--for", EVIL)],
    "end-turn": [(FORK,), (FORK, EVIL), (FORK, ACTOR)],
    "leave": [(FORK, "rurik", "--reason", EVIL)],
    "label": [(FORK, "practice", "--reason", EVIL)],
    "conclude": [(FORK, "--reason", EVIL)],
    "rest short": [(FORK, ACTOR, "--hit-dice", f"{EVIL}=1"), (FORK, EVIL)],
    "rest long": [(FORK, ACTOR), (FORK, EVIL)],
    "play": [(EVIL,)],
    "use": [(ENCOUNTER,), (), (EVIL,), ("--clear",)],
    "hit": [(FORK, "rurik"), (FORK, EVIL), (FORK, "rurik", EVIL)],
    "cast": [(FORK, EVIL), (FORK, EVIL, EVIL)],
    "move": [(FORK, "5,2", "--dry-run"), (FORK, "5,2"), (FORK, EVIL)],
    "hurt": [(FORK, ACTOR, "1", "--reason", EVIL), (FORK, EVIL, "1"), (FORK, ACTOR, "1", EVIL)],
    "heal": [(FORK, ACTOR, "1", "--reason", EVIL), (FORK, EVIL, "1"), (FORK, ACTOR, "1", EVIL)],
    "initiative": [(FORK, f"{ACTOR}=3"), (FORK, f"{EVIL}=3")],
    "reactions": [(FORK, ACTOR, "opportunity_attack=never"), (FORK, EVIL, f"{EVIL}=never"), (FORK, ACTOR, EVIL)],
    "conceal": [(FORK, ACTOR), (FORK, EVIL)],
    "proposal": [(ENCOUNTER,), (ENCOUNTER, "--as", EVIL)],
    "agree": [(ENCOUNTER, ACTOR, "--reason", EVIL), (ENCOUNTER, EVIL)],
    "overrule": [(ENCOUNTER, "--reason", EVIL)],
    "roll": [(FORK, "1d20", "--for", EVIL, "--of", ACTOR, "--dice", "7"), (FORK, EVIL)],
    "note": [(FORK, EVIL, "--about", ACTOR, "--by", EVIL), (FORK, EVIL, "--secret")],
    "reveal": [(FORK, ACTOR), (FORK, EVIL)],
    "serve": [("--host", EVIL, "--port", "0"), ("--port", EVIL)],
    "webhook": [(FORK, "--add", "https://example.org/x"), (FORK, "--add", EVIL), (FORK, "--remove", EVIL), (FORK,)],
    "seat": [(FORK, "--player", ACTOR), (FORK, "--gm", "--name", EVIL), (FORK, "--revoke", EVIL), (FORK,)],
    "login": [(EVIL,), (f"http://{EVIL}",)],
    "logout": [(EVIL,), ("http://127.0.0.1:1/" + EVIL,)],
    "aim": [(ENCOUNTER, ACTOR, EVIL, "3,3"), (ENCOUNTER, EVIL, "fireball", "3,3")],
    "insert": [(FORK, "--after", "12", ACTOR, EVIL, "--reason", EVIL), (FORK, "--after", "12", EVIL, "dash", "--yes")],
    "watch": [(EVIL,), (ENCOUNTER, "--as", f"player:{EVIL}x", "--plain")],
    "roster": [(EVIL,)],
    "rule": [(FORK, ACTOR, "--note", EVIL, "--reason", EVIL), (FORK, ACTOR, "--add", EVIL, "--reason", EVIL)],
    "status": [(ENCOUNTER,), (EVIL,)],
    "log": [(ENCOUNTER,), (ENCOUNTER, "--actor", EVIL)],
    "list": [()],
    "actions": [(ENCOUNTER, ACTOR), (ENCOUNTER, EVIL), (ENCOUNTER, ACTOR, EVIL), (ENCOUNTER, ACTOR, "--options")],
    "reference": [(), (EVIL,), ("--ruleset", EVIL)],
    "schema": [(), (EVIL,)],
    "advise": [(ENCOUNTER, ACTOR), (ENCOUNTER, EVIL)],
    "difficulty": [(ENCOUNTER,), (ENCOUNTER, "--side", EVIL)],
    "economy": [(ENCOUNTER, ACTOR), (ENCOUNTER, ACTOR, "--resource", EVIL)],
    "explain": [(ENCOUNTER, "3"), (ENCOUNTER, "12"), (ENCOUNTER, "12", "--why-not", EVIL)],
    "replay": [(ENCOUNTER, "--plain"), (ENCOUNTER, "--plain", "--undone")],
    "seal": [(ENCOUNTER,)],
    "verify": [(ENCOUNTER,), ("--all",), (EVIL,)],
    "undo": [(FORK, "--dry-run", "--reason", EVIL), (FORK, "--yes", "--reason", EVIL, "--by", EVIL)],
    "redo": [(FORK, "--dry-run", "--reason", EVIL), (FORK, "--reason", EVIL)],
    "amend": [(FORK, "1", "--target", EVIL, "--reason", EVIL), (FORK, "1", "--add", EVIL, "--reason", EVIL)],
    "fork": [(ENCOUNTER, "--as", "{fork} 3", "--by", EVIL), (ENCOUNTER, "--as", EVIL)],
    "diff": [(ENCOUNTER, FORK), (ENCOUNTER, "--at", "3", "--and", "20"), (ENCOUNTER, EVIL)],
    "corrections": [(ENCOUNTER,)],
    "auto": [(FORK, "--turns", "1"), (FORK, "--side", EVIL)],
    "simulate": [(FILE, "--runs", "2", "--jobs", "1")],
    "stats": [
        ("hits", "--by", "side"),
        ("corrections",),
        ("damage", "--campaign", EVIL),
        ("luck", "--plot", "{folder}/luck.svg"),
        ("hits", ENCOUNTER, "--plot", "{folder}/hp.svg", "--figure", "hp"),
    ],
    "report": [
        (ENCOUNTER,),
        (ENCOUNTER, "--format", "html"),
        (ENCOUNTER, "--format", "md"),
        ("--campaign", EVIL),
    ],
    "sql": [("SELECT name, side FROM combatants",), (f"SELECT '{EVIL}' AS \"{EVIL[:9]}\"".replace("'B", "''B"),)],
    "export": [
        (ENCOUNTER, "--format", "markdown"),
        (ENCOUNTER, "--format", "html"),
        (ENCOUNTER, "--format", "html", "--as", "players", "--output", "{folder}/" + EVIL[:9]),
        (ENCOUNTER, "--format", "csv", "--output", "{folder}/csv"),
        (EVIL,),
    ],
    "import": [(FILE,)],
    "import-log": [("dice", FILE, "--campaign", EVIL), (EVIL, FILE)],
    "run": [(FILE,), (FILE, "--dry")],
    "demo": [()],
    "projections status": [()],
    "projections run": [("--once",)],
    "projections rebuild": [()],
    "lake write": [("{folder}/lake " + "\x1b[31m\u202e",)],
    "lake compact": [("{folder}/lake " + "\x1b[31m\u202e",), (FILE,)],
    "lake verify": [("{folder}/lake " + "\x1b[31m\u202e", "--jobs", "1"), (FILE,)],
    "lake status": [("{folder}/lake " + "\x1b[31m\u202e",), (FILE,)],
    "db status": [()],
    "db start": [],
    "db stop": [],
    "db path": [()],
    "db roles": [()],
    "db upgrade": [()],
    "db distribute": [("--yes",)],
    "db backup": [("{folder}/" + "\x1b[31m\u202e",)],
    "db restore": [(FILE,)],
    "abilities list": [("--library", "{library}")],
    "abilities show": [("Evil Card", "--library", "{library}"), (EVIL,)],
    "abilities check": [("{library}",), (FILE,)],
    "pack check": [("{folder}",), (FILE,), ("{folder}/" + "\x1b[31m\u202e",)],
    "pack import": [(FILE,), ("{folder}",), ("srd", "--format", EVIL)],
    "creatures list": [(EVIL,), ("--pack", "{folder}"), ("--type", EVIL)],
    "creatures show": [(EVIL,), (EVIL, "--pack", "{folder}")],
    "pack archetypes": [(EVIL,), ("--ruleset", EVIL)],
}
"""Arguments for each command. Those that write do so in a fork of their own."""


def all_commands(command: object, path: tuple[str, ...] = ()) -> Iterator[str]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield " ".join(path)
        return
    for name, sub in inner.items():
        yield from all_commands(sub, (*path, name))


def test_every_command_is_in_the_table() -> None:
    assert set(COMMANDS) == set(all_commands(typer.main.get_command(app)))


@pytest.fixture(scope="module")
def evil_database(embedded: str) -> Iterator[str]:
    """A database of one fight that is full of evil, made once."""
    name = "evil_names"
    with psycopg.connect(embedded, autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE {name}")  # type: ignore[call-overload]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(URL_VARIABLE, make_conninfo(embedded, dbname=name))
        for arguments in (
            ("new", ENCOUNTER, "--dice", "seed:7", "--option", f"campaign={json.dumps(EVIL, ensure_ascii=False)}"),
            ("join", ENCOUNTER, "goblin", "--as", EVIL, "--side", SIDE, "--at", "4,2"),
            ("join", ENCOUNTER, "fighter", "--as", "Rurik", "--at", "3,2"),
            ("start", ENCOUNTER, "--dice", "20,1"),
            ("do", ENCOUNTER, ACTOR, "attack", "--by", EVIL),
            ("do", ENCOUNTER, ACTOR, "strike", "--target", "rurik"),
            ("rule", ENCOUNTER, ACTOR, "--note", EVIL, "--reason", EVIL),
            ("undo", ENCOUNTER, "--yes", "--reason", EVIL, "--by", EVIL),
        ):
            assert called(patch, arguments) == 0, arguments
    yield make_conninfo(embedded, dbname=name)
    with psycopg.connect(embedded, autocommit=True) as conn:
        conn.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[call-overload]


def called(patch: pytest.MonkeyPatch, arguments: tuple[str, ...]) -> int:
    patch.setattr("sys.argv", ["combatlog", *arguments])
    with pytest.raises(SystemExit) as exited:
        main()
    return int(exited.value.code or 0)


@pytest.fixture
def run(evil_database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv(URL_VARIABLE, evil_database)
    monkeypatch.delenv("COLUMNS", raising=False)  # folding a long name may begin a line anywhere

    def run(*arguments: str) -> Ran:
        status = called(monkeypatch, arguments)
        return Ran(status, *capsys.readouterr())

    return run


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Files with evil in them."""
    monkeypatch.setenv("COMBATLOG_HOME", str(tmp_path / "home"))
    scenario = {
        "encounter": f"scenario {tmp_path.name}",
        "dice": "seed:1",
        "combatants": [
            {"sheet": "goblin", "as": EVIL, "side": SIDE, "at": [1, 1]},
            {"sheet": "fighter", "as": "Rurik", "at": [2, 1]},
        ],
        "script": [{"do": "start", "note": EVIL}, {"do": EVIL, "actor": EVIL, "refused": EVIL}],
    }
    file = tmp_path / "evil\u202e\x1b[31m.yaml"
    file.write_text(json.dumps(scenario, ensure_ascii=False))
    library = tmp_path / "library.json"
    library.write_text(json.dumps({"abilities": {"Evil Card": {"type": "ccEffect", "label": EVIL, EVIL: EVIL}}}))
    return {"{folder}": str(tmp_path), "{file}": str(file), "{library}": str(library), "{fork}": tmp_path.name}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_evil_gets_through(run: Run, places: dict[str, str], command: str) -> None:
    if any("{fork}" in argument for arguments in COMMANDS[command] for argument in arguments):
        assert run("fork", ENCOUNTER, "--as", places["{fork}"]).status == 0
    for arguments in COMMANDS[command]:
        filled = [_filled(argument, places) for argument in arguments]
        ran = run(*command.split(), *filled)
        assert ran.status in (0, 1, 2), ran
        shown = f"{ran.out}{ran.err}"
        assert [char for char in shown if char != "\n" and unicodedata.category(char) in FORBIDDEN] == []
        assert "Traceback" not in shown
        assert not any(line.startswith("FORGED") for line in shown.splitlines())


JSON_OF = (("status",), ("log",), ("log", "--all"), ("corrections",), ("economy", ACTOR), ("explain", "3"), ("report",))


@pytest.mark.parametrize("command", JSON_OF, ids=" ".join)
def test_nothing_evil_gets_through_as_json_either(run: Run, command: tuple[str, ...]) -> None:
    """It is escaped, so that a program reads what was written."""
    ran = run(command[0], ENCOUNTER, *command[1:], "--json")
    assert [char for char in ran.out if char != "\n" and unicodedata.category(char) in FORBIDDEN] == []
    assert json.loads(ran.out)


def test_a_program_reads_in_json_what_was_written(run: Run) -> None:
    combatants = json.loads(run("status", ENCOUNTER, "--json").out)["combatants"]
    assert combatants[ACTOR]["name"] == json.loads(run("log", ENCOUNTER, "--json").out)[2]["name"]
    assert "\u202e" in combatants[ACTOR]["name"]


def _filled(argument: str, places: dict[str, str]) -> str:
    for name, value in places.items():
        argument = argument.replace(name, value)
    return argument
