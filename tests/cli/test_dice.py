"""Shared dice on the command line, played from two terminals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from combatlog.hash_chains import FOLDER_VARIABLE
from tests.cli.conftest import Ran, Run

Terminal = Callable[..., Ran]


@pytest.fixture
def terminals(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Terminal, Terminal]:
    """The GM's and Anna's. Anna plays Rurik, and has sat down."""

    def terminal(name: str) -> Terminal:
        def typed(*arguments: str) -> Ran:
            monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / name))
            return run(*arguments)

        return typed

    gm, anna = terminal("gm"), terminal("anna")
    gm("new", "Duel", "--dice", "shared")
    gm("join", "Duel", "fighter", "--as", "Rurik", "--at", "3,2")
    gm("join", "Duel", "goblin", "--as", "Snig", "--side", "foes", "--at", "4,2", "--set", "hp=500")
    assert "dice sit" in gm("start", "Duel").err
    assert anna("dice", "sit", "Duel", "rurik", "--by", "Anna").status == 0
    gm("start", "Duel", "--dice", "20,1")
    return gm, anna


def test_two_terminals(terminals: tuple[Terminal, Terminal]) -> None:
    gm, anna = terminals
    assert anna("do", "Duel", "rurik", "attack").status == 0
    assert "rolls 1d20 for attack" in anna("do", "Duel", "rurik", "strike", "--target", "snig").out
    anna("end-turn", "Duel", "rurik")
    gm("do", "Duel", "snig", "attack")
    waiting = gm("do", "Duel", "snig", "strike", "--target", "rurik")
    assert "combatlog dice link Duel" in waiting.out
    assert "chain/not-here" in gm("dice", "link", "Duel").err
    assert "Snig rolls 1d20 for attack" in anna("dice", "link", "Duel").out
    gm("conclude", "Duel")
    assert "follow from the links" in gm("verify", "Duel").out


def test_withholding(terminals: tuple[Terminal, Terminal]) -> None:
    gm, anna = terminals
    gm("roll", "Duel", "1d20", "--of", "rurik", "--for", "luck")
    assert gm("dice", "link", "Duel", "--dice", "3").status == 2
    assert gm("dice", "link", "Duel", "--withhold", "--by", "gm").status == 0
    assert "withheld a link (says gm)" in " ".join(gm("verify", "Duel").out.split())
    assert "dice/no-question" in anna("dice", "link", "Duel").err


def test_who_sits_there_and_what_waits(terminals: tuple[Terminal, Terminal]) -> None:
    gm, anna = terminals
    gm("roll", "Duel", "1d20", "--for", "luck", "--secret")
    shown = json.loads(anna("dice", "show", "Duel", "--as", "rurik", "--json").out)
    assert list(shown["parties"]) == ["rurik"]
    assert (shown["waiting"]["party"], shown["waiting"]["roller"]) == ("rurik", "gm")


def test_a_chain_for_http(run: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "anna.json")
    anchor = run("dice", "chain", file).out
    assert run("dice", "chain", file).out == anchor
    first = run("dice", "chain", file, "--for", "ab" * 32).out
    assert run("dice", "chain", file, "--for", "ab" * 32).out == first
    assert run("dice", "chain", file, "--for", "cd" * 32).out != first
    assert "chain/binding" in run("dice", "chain", file, "--for", "nonsense").err
    (tmp_path / "broken").write_text("{}")
    assert "chain/malformed" in run("dice", "chain", str(tmp_path / "broken")).err
