"""Every command works through a service as it does beside the ledger, or is refused there in one sentence."""

from __future__ import annotations

import gzip
import json
import re
import shlex
from collections.abc import Iterator
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import psycopg
import pytest
import typer

from cli.app import app
from cli.service_login import LOCAL_ONLY
from tests.cli.conftest import Prepare, Ran, Run
from tests.cli.test_server import ANYWHERE, PLAYED, READING, SCENARIOS
from tests.rules.logs.foundry_world import combat, evening
from tests.rules.logs.test_foundry import write
from tests.service.test_exchange import EXPORTED, SESSION

FILES: tuple[tuple[str, ...], ...] = (
    ("abilities", "list", "--json"),
    ("abilities", "show", "Wild Attack"),
    ("abilities", "check", "{folder}/none.json"),
    ("creatures", "list", "--pack", "{folder}/none"),
    ("creatures", "show", "nobody"),
    ("lake", "status", "{folder}/none"),
    ("lake", "compact", "{folder}/none"),
    ("lake", "verify", "{folder}/none"),
    ("pack", "archetypes"),
    ("pack", "check", "{folder}/none"),
    ("pack", "import", "{folder}/none"),
    ("schema", "status"),
    ("simulate", "{folder}/none.yaml"),
    ("run", "{scenario}", "--as", "Another", "--dry-run"),
    ("dice", "chain", "{scenario}/chain.json"),
    ("logout", "http://127.0.0.1:1"),
    ("use", "nothing"),
)
"""Commands that only need files, or nothing at all: the service is not asked, or refuses as the ledger does."""
TOGETHER: tuple[tuple[str, ...], ...] = (
    ("roster", "Reeds"),
    ("roster", "Reeds", "--json"),
    ("report", "--campaign", "Reeds", "--format", "html"),
    ("report", "--campaign", "Reeds", "--format", "md"),
    ("report", "--campaign", "Reeds", "--json"),
    ("report", "--campaign", "nothing"),
    ("export", "--all"),
    ("export", "--all", "--format", "markdown"),
    ("export", "Fight", "--format", "html"),
    ("seal", "Fight", "--out", "{scenario}/seal.json"),
    ("time-up", "Fight"),
    ("aim", "Fight", "goblin", "no-such-area", "3,3"),
    ("cast", "Fight", "no-such-spell"),
    ("dice", "show", "Fight"),
    ("dice", "sit", "Fight", "goblin"),
    ("dice", "link", "Fight"),
    ("agree", "Fight", "goblin"),
    ("overrule", "Fight", "--reason", "a test"),
)
"""What is the same here and there, in a fight of the campaign."""
ELSEWHERE = {"demo", "import", "import-log", "play", "watch", "login"}
"""Tested by tests of their own, here or in test_server_seats.py, play/test_at_a_service.py."""


def _commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    if not hasattr(command, "commands"):
        yield " ".join(path)
        return
    for name, below in command.commands.items():
        yield from _commands(below, (*path, name))


def test_every_command_is_tried_or_refused() -> None:
    known = set(_commands(typer.main.get_command(app)))
    played = [line for lines in PLAYED.values() for line in lines]
    tried = {
        name for line in (*READING, *ANYWHERE, *played, *FILES, *TOGETHER) for name in (line[0], " ".join(line[:2]))
    }
    refused = {name for name in known if name in LOCAL_ONLY or name.split()[0] in LOCAL_ONLY}
    assert known - tried - refused - ELSEWHERE == set()
    assert {name if name in LOCAL_ONLY else name.split()[0] for name in refused} == LOCAL_ONLY.keys()
    assert all(LOCAL_ONLY.values())


@pytest.fixture
def fight(prepare: Prepare) -> str:
    prepare(
        ("run", str(SCENARIOS / "dnd5e/full_combat_turn.yaml"), "--as", "Fight", "--quiet"),
        ("new", "Reeds", "--option", "campaign=Reeds"),
        ("join", "Reeds", "fighter", "--as", "Rurik"),
        ("join", "Reeds", "paladin", "--as", "Osric"),
    )
    return "Fight"


@pytest.mark.slow
def test_what_needs_no_fight_and_what_is_about_several(run: Run, away: Run, fight: str, tmp_path: Path) -> None:
    scenario = SCENARIOS / "dnd5e/full_combat_turn.yaml"
    lines = [[part.format(folder=tmp_path, scenario=scenario) for part in line] for line in (*FILES, *TOGETHER)]
    there, here = ({shlex.join(line): _any_minute(ask(*line)) for line in lines} for ask in (away, run))
    assert there == here


def _any_minute(ran: Ran) -> Ran:
    """A page says when it was checked, and a minute may end between two commands."""
    return ran._replace(out=re.sub(r'"at":"[^"]* UTC"', '"at":"-"', ran.out))


@pytest.mark.slow
def test_tables(run: Run, away: Run, fight: str, tmp_path: Path) -> None:
    """They are the same files, byte by byte."""
    for form, what in product(("csv", "parquet"), (fight, "--all")):
        folders = tmp_path / f"{form}-{what}-here", tmp_path / f"{form}-{what}-there"
        for export, folder in zip((run, away), folders, strict=True):
            assert export("export", what, "--format", form, "--output", str(folder)).status == 0
        here, there = ({file.name: file.read_bytes() for file in folder.iterdir()} for folder in folders)
        assert there == here != {}
    blocked = tmp_path / "file"
    blocked.touch()
    assert away("export", fight, "--format", "csv", "--output", str(blocked)).code == "file/unusable"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["svg", "png"])
def test_figures(run: Run, away: Run, fight: str, tmp_path: Path, form: str) -> None:
    """They are the same files, byte by byte; what cannot be drawn is refused in the same words."""
    for name, what in (
        ("hits", ("hits",)),
        ("heat", ("hits", fight, "--figure", "heat-map")),
        ("turns", ("turns", fight)),
    ):
        files = tmp_path / f"{name}-here.{form}", tmp_path / f"{name}-there.{form}"
        here, there = (draw("stats", *what, "--plot", str(file)) for draw, file in zip((run, away), files, strict=True))
        assert (here.status, there) == (0, here)
        assert files[0].read_bytes() == files[1].read_bytes() != b""
    for wrong in (("turns",), ("economy",), ("hits", "--campaign", "Reeds"), ("hits", "--figure", "nonsense")):
        drawn = ("stats", *wrong, "--plot", str(tmp_path / f"wrong.{form}"))
        assert (away(*drawn).status, away(*drawn)) == (run(*drawn).status, run(*drawn))
    assert not (tmp_path / f"wrong.{form}").exists()


def test_verifying_everything(run: Run, away: Run, fight: str, cli_database: str) -> None:
    """Also what guards the ledger, and a fight that nobody can read any more."""
    for form in ((), ("--json",)):
        here = run("verify", "--all", *form)
        assert (here.status, away("verify", "--all", *form)) == (0, here)
    with psycopg.connect(cli_database, autocommit=True) as conn:
        conn.execute("ALTER TABLE combatlog.ledger_events DISABLE TRIGGER append_only")
        conn.execute("UPDATE combatlog.ledger_events SET topic = 'manual' WHERE originator_version = 4")
    here = run("verify", "--all")
    assert (here.status, away("verify", "--all")) == (1, here)
    assert "Event 4" in here.out


def test_fights_of_another_ledger(run: Run, away: Run, tmp_path: Path) -> None:
    file = tmp_path / "exported.jsonl"
    file.write_bytes(gzip.decompress(EXPORTED.read_bytes()))
    done = json.loads(away("import", str(file), "--json").out)
    assert (done["events"], done["known"]) == (len(file.read_bytes().splitlines()), 0)
    again = run("import", str(file))
    assert (again.status, away("import", str(file))) == (0, again)
    name = json.loads(run("list", "--all", "--json").out)["encounters"][0]["name"]
    assert away("import", str(file), "--rename", f"{name}=Other") == run(
        "import", str(file), "--rename", f"{name}=Other"
    )
    for wrong in (tmp_path / "none", tmp_path):
        assert away("import", str(wrong)).code == run("import", str(wrong)).code == "file/unusable"
    file.write_text("no json\n")
    refused = away("import", str(file))
    assert (refused.status, refused) == (1, run("import", str(file)))


def test_a_log_of_another_tool(run: Run, away: Run, tmp_path: Path) -> None:
    file = tmp_path / "session one.txt"
    file.write_text(SESSION)
    tried = away("import-log", "dice", str(file), "--dry-run")
    assert (tried.status, tried) == (0, run("import-log", "dice", str(file), "--dry-run"))
    assert away("import-log", "dice", str(file), "--campaign", "Riverlands").status == 0
    assert "nothing new" in away("import-log", "dice", str(file)).out
    assert json.loads(run("report", "--campaign", "Riverlands", "--json").out)["fights"]
    assert away("import-log", "nonsense", str(file)).code == run("import-log", "nonsense", str(file)).code
    assert away("import-log", "dice", str(tmp_path / "none")).code == "file/unusable"


def test_several_logs_and_folders(run: Run, away: Run, tmp_path: Path) -> None:
    """Those of one name stay apart, an odd name stays as it is, and a folder is sent with everything in it."""
    for folder in ("morning", "evening"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "at the [old] mill.txt").write_text(SESSION.replace("Rurik", folder.title()), "utf-8")
    files = [str(tmp_path / folder / "at the [old] mill.txt") for folder in ("morning", "evening")]
    tried = away("import-log", "dice", *files, "--dry-run")
    assert (tried.status, tried) == (0, run("import-log", "dice", *files, "--dry-run"))
    assert away("import-log", "dice", *files).status == 0
    assert "nothing new" in run("import-log", "dice", *files).out
    write("leveldb", [*evening(), combat()], tmp_path)
    world = str(tmp_path / "world" / "data")
    assert away("import-log", "foundry", world, files[0], "--dry-run").code is None
    assert away("import-log", "foundry", world).status == 0
    assert "nothing new" in run("import-log", "foundry", world).out


def test_simulated_fights_are_recorded_there(run: Run, away: Run, host: tuple[str, str], tmp_path: Path) -> None:
    """They are the same fights, labelled in the same way; the same ones again are refused as they are here."""
    line = ("simulate", str(SCENARIOS / "dnd5e/full_combat_turn.yaml"), "--runs", "3", "--jobs", "2", "--json")
    there = away(*line, "--record")
    assert (there.status, there.out) == (0, run(*line).out)
    listed = json.loads(run("list", "--json").out)["encounters"]
    assert [one["labels"] for one in listed] == [["practice"]] * 3
    assert all(run("verify", one["name"]).status == 0 for one in listed)
    again = away(*line, "--record")
    assert (again, json.loads(again.err)["code"]) == (run(*line, "--record"), "ledger/name-taken")
    token = re.findall(r"token  (\S+)", run("seat", listed[0]["name"], "--gm").out)[0]
    refused = run("--server", host[0], "--token", token, *line, "--record")
    assert (refused.status, "seat/not-here" in refused.err) == (1, True)


def test_a_demonstration_and_a_shell_without_a_terminal(run: Run, away: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert away("demo").status == 0
    name = json.loads(run("list", "--all", "--json").out)["encounters"][0]["name"]
    assert run("verify", name).status == 0
    monkeypatch.setattr("sys.stdin", StringIO("status\nwhy\nquit\n"))
    there = away("play", name)
    monkeypatch.setattr("sys.stdin", StringIO("status\nwhy\nquit\n"))
    assert (there.status, there) == (0, run("play", name))
