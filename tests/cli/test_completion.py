"""What the shell offers while a command is typed; in Bash through the script that typer installs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
import typer

from cli.app import app, main
from cli.completion import inserted, pairs, rejoined
from combatlog.rules.engine.options_and_validation import Options
from tests.cases import each
from tests.cli.conftest import Run
from tests.optional import need

Offer = Callable[[str], list[str]]
COMBATLOG = Path(sys.executable).with_name("combatlog")


@pytest.fixture
def offered(bridge: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Offer:
    """What zsh is told for a line that ends where the cursor is."""

    def offered(line: str) -> list[str]:
        with monkeypatch.context() as patch:
            patch.setenv("_COMBATLOG_COMPLETE", "complete_zsh")
            patch.setenv("_TYPER_COMPLETE_ARGS", f"combatlog {line}")
            patch.setattr("sys.argv", ["combatlog"])
            with pytest.raises(SystemExit) as exited:
                main()
        assert not exited.value.code
        return re.findall(r'"([^"]*)"', capsys.readouterr().out)

    return offered


@each(
    ("line", "expected"),
    [
        ("status br", ["bridge"]),
        ("do bridge o", ["osric"]),
        ("do bridge snig dis", ["disengage"]),
        ("do bridge snig strike --target r", ["rurik"]),
        ("do bridge snig strike --with ", ["scimitar", "shortbow"]),
        ("do bridge snig ready -o ", ["trigger=", "action=", "slot=", "for="]),
        ("do bridge snig ready --target rurik --option trigger=a", ["trigger=approaches", "trigger=attacks"]),
        ("do bridge snig ready -o trigger=casts -o act", ["action=", "action=strike"]),
        ("do bridge snig dash -o ", []),
        ("do bridge snig nonsense -o ", []),
        ("do nowhere snig ready -o ", []),
        ("react bridge ", []),
        ("new x --ruleset s", ["skirmish"]),
        ("new x -o d", ["diagonals=", "delay="]),
        ("new x -o di", ["diagonals=", "diagonals=5", "diagonals=5-10-5"]),
        ("new x -o diagonals=", ["diagonals=5", "diagonals=5-10-5"]),
        ("new x --ruleset skirmish -o v", ["victory=", "victory=40"]),
        ("join bridge gob", ["goblin"]),
        ("rest short bridge o", ["osric"]),
        ("join bridge --from br", ["bridge"]),
        ("join mill --from bridge ru", ["rurik"]),
        ("join mill --from bridge rurik o", ["osric"]),
        ("rule bridge rurik --add pro", ["prone"]),
        ("log bridge --kind attack", ["attack_resolved"]),
        ("reference magic", ["magic_missile"]),
        ("reference --ruleset action_points cas", ["cast"]),
        ("actions bridge snig stri", ["strike"]),
        ("pack check --ruleset d", ["dnd5e"]),
        ("pack archetypes ar", ["area"]),
        ("abilities show 'Battle", ["Battle Scars"]),
        ("end-turn bridge ", ["snig"]),
        ("do bridge snig fire", ["fireball", "fire_bolt"]),  # it has neither, and may still ask for them
        (
            "do bridge snig s",
            ["search", "stabilize", "shove", "stand_up", "strike"],
        ),  # not second_wind
        ("do bridge Sni", ["Snig"]),
        ("do bridge Snig strike --with sh", ["shortbow"]),
        ("do bridge snig strike --reply ", ["rurik=", "osric=", "snig="]),
        ("do bridge snig strike --reply osric=pr", ["osric=protection"]),
        ("join bridge goblin --side f", ["foes"]),
        ("join bridge goblin --controller p", ["player"]),
        (
            "join bridge paladin --reaction prot",
            [f"protection={when}" for when in ("", "ask", "always", "never", "when useful")],
        ),
        ("rule bridge rurik --set temp", ["temp_hp=", "temp_hp=0"]),
        ("rule bridge Rurik --set h", ["hp=", "hp=12"]),
        ("auto bridge --side h", ["heroes"]),
        ("hit bridge r", ["rurik"]),
        ("hit bridge rurik --with sh", ["shortbow"]),
        ("play bridge --as o", ["osric"]),
        ("economy bridge snig --resource re", ["reaction"]),
        ("explain bridge 5 --why-not prot", ["protection"]),
        ("undo bridge --impossible d", ["drop"]),
        ("undo bridge --reply 34:osric=pr", [r"34\\:osric=protection"]),
        ("log bridge --actor r", ["rurik"]),
    ],
)
def test_what_is_offered(offered: Offer, line: str, expected: list[str]) -> None:
    assert offered(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("--with sh", ["shortbow"]),
        ("--owner os", ["osric"]),
        ("--drop d", ["dex"]),
        ("--chain a", ["attack"]),
        ("--target r", ["rurik"]),
        ("--reply osric=pa", ["osric=parry", "osric=pass"]),
    ],
)
def test_what_is_offered_for_an_amendment(bridge: Run, offered: Offer, line: str, expected: list[str]) -> None:
    bridge("do", "bridge", "snig", "attack")
    bridge("do", "bridge", "snig", "strike", "--target", "rurik", "--reply", "osric=pass", "--dice", "2")
    seq = json.loads(bridge("log", "bridge", "--json").out)[-1]["declaration"]
    assert offered(f"amend bridge {seq} {line}") == expected


def test_every_argument_that_takes_a_name_is_completed() -> None:
    """Apart from numbers, dice, free words, files and new names; typer itself knows the values of enumerations."""
    missing = {
        param.name
        for command in commands(typer.main.get_command(app))
        for param in command.params
        if getattr(param, "_custom_shell_complete", None) is None and not getattr(param, "is_flag", False)
    }
    assert missing <= FREE


FREE = {
    "webhook_network",
    "remove",
    "shown",
    "notation",
    "purpose",
    "text",
    "faces",
    *(
        "seq",
        "first",
        "last",
        "latest",
        "at",
        "terrain",
        "to",
        "other_at",
        "before",
        "after",
        "number",
        "limit",
        "count",
        "answers",
        "speed",
        "turns",
        "round_",
    ),
    *("rounds", "runs", "seed", "jobs", "seconds", "dice", "face", "since", "until", "add", "overrides"),
    *("files", "why", "reason", "by", "note", "source", "query", "command_id", "name", "database_url"),
    *("map_file", "library", "pack", "folder", "file", "scenario", "out", "output", "plot", "seals", "trust", "lake"),
    *("spark", "replica", "shards", "webhook_ca"),
    *("statistic", "figure", "form", "impossible", "campaign", "amount", "initiative", "via", "rename", "cr"),
    *("secret", "roll"),
    *("delay", "days", "revoke", "url", "host", "port", "workers"),
    *("server", "token", "token_file"),
}


def commands(command: Any) -> Iterator[Any]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield command
    for sub in (inner or {}).values():
        yield from commands(sub)


def test_a_reaction_that_is_offered_now(bridge: Run, offered: Offer) -> None:
    bridge("do", "bridge", "snig", "attack")
    bridge("do", "bridge", "snig", "strike", "--target", "rurik")
    assert offered("react bridge ") == ["osric"]
    assert offered("react bridge osric ") == ["protection", "pass"]


class _Manner(StrEnum):
    FAST = "fast"
    SLOW = "slow"


class _Dancing(Options):
    manner: _Manner
    alone: bool = False
    steps: int = 4
    partner: str | None = None


@each(
    ("incomplete", "expected"),
    [
        ("", ["manner=", "alone=", "steps=", "partner="]),
        ("m", ["manner=", "manner=fast", "manner=slow"]),
        ("p", ["partner=", "partner=VALUE"]),
        ("manner=", ["manner=fast", "manner=slow"]),
        ("alone=", ["alone=true", "alone=false"]),
        ("steps=", ["steps=4"]),
        ("partner=", []),
        ("nonsense=", []),
    ],
)
def test_names_of_options_and_then_their_values(incomplete: str, expected: list[str]) -> None:
    assert pairs(_Dancing, incomplete) == expected


@pytest.mark.parametrize(
    ("words", "whole"),
    [
        (["combatlog", "do", "x", "-o", "slot", "=", "2"], ["combatlog", "do", "x", "-o", "slot=2"]),
        (["combatlog", "do", "x", "-o", "slot", "="], ["combatlog", "do", "x", "-o", "slot="]),
        (["combatlog", "new", "x", "--dice", "seed", ":", "7"], ["combatlog", "new", "x", "--dice", "seed:7"]),
        (["combatlog", "do", "x", "--option", "=", "slot", "=", "2"], ["combatlog", "do", "x", "--option=slot=2"]),
        (["combatlog", "do", "x", "-o", "slot", "=", ""], ["combatlog", "do", "x", "-o", "slot=", ""]),
        (["combatlog", "do", "x", "--option", ""], ["combatlog", "do", "x", "--option", ""]),
    ],
)
def test_bash_broke_these_words(words: list[str], whole: list[str]) -> None:
    assert rejoined(words) == whole


@pytest.mark.parametrize(
    ("value", "word", "text"),
    [
        ("trigger=attacks", "trigger=at", "attacks"),
        ("trigger=", "trig", "trigger="),
        ("Bridge ambush", "Br", r"Bridge\ ambush"),
        ("Bridge ambush", "'Br", "Bridge ambush"),
        ("O'Brien", "", r"O\'Brien"),
    ],
)
def test_what_bash_inserts(value: str, word: str, text: str) -> None:
    assert inserted(value, word) == text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            ("do", "bridge", "snig", "ready", "-o", "trig"),
            ["trigger=", "trigger=approaches", "trigger=attacks", "trigger=casts"],
        ),
        (("do", "bridge", "snig", "ready", "-o", "trigger", "=", "at"), ["attacks"]),
        (("do", "bridge", "snig", "ready", "-o", "trigger", "="), ["approaches", "attacks", "casts"]),
        (("status", "Night"), [r"Night\ ambush"]),
        (("status", r"Night\ amb"), [r"Night\ ambush"]),
        (("do", r"Night\ ambush", "Sis"), [r"Sister\ Ilse"]),
        (("do", r"Night\ ambush", "sis"), ["sister-ilse"]),
        (("do", r"Night\ ambush", r"Sister\ Ilse", "bl"), ["bless"]),
        (("do", r"Night\ ambush", r"Sister\ Ilse", "strike", "--with", "jav"), ["javelin"]),
        (("end-turn", r"Night\ ambush", ""), ["sister-ilse"]),
        (("abilities", "show", "Battle"), [r"Battle\ Scars"]),
    ],
    ids=" ".join,
)
def test_in_bash_itself(bridge: Run, cli_database: str, words: tuple[str, ...], expected: list[str]) -> None:
    bridge("new", "Night ambush", "--dice", "table")
    bridge("join", "Night ambush", "paladin", "--as", "Sister Ilse")
    bridge("start", "Night ambush", "--dice", "9")
    quoted = " ".join(f"'{word}'" for word in ("combatlog", *words))
    script = f"""
        source <(_COMBATLOG_COMPLETE=source_bash combatlog)
        COMP_WORDS=({quoted}) COMP_CWORD={len(words)}
        _combatlog_completion combatlog
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    environment = {**os.environ, "PATH": f"{COMBATLOG.parent}{os.pathsep}{os.environ['PATH']}"}
    ran = subprocess.run([need("bash"), "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.split("\n")[:-1] == expected
