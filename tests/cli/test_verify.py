"""Sealing and verifying from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest

from tests.cli.conftest import Run


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMBATLOG_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def seal(bridge: Run, tmp_path: Path) -> Path:
    file = tmp_path / "bridge.seal.json"
    assert bridge("seal", "bridge", "--out", str(file)).status == 0
    return file


def test_a_seal_agrees_with_the_fight_and_with_what_comes_later(bridge: Run, seal: Path) -> None:
    bridge("do", "bridge", "snig", "dash")
    assert "It matches 1 seal." in bridge("verify", "bridge", "--seal", str(seal)).out
    assert bridge("verify", "--seal", str(seal)).status == 0
    assert json.loads(bridge("verify", "--all", "--seal", str(seal), "--json").out)[0]["seals"] == 1


def test_a_fight_that_is_gone_is_missed(bridge: Run, seal: Path, cli_database: str) -> None:
    with psycopg.connect(cli_database) as conn:
        conn.execute("DROP SCHEMA combatlog CASCADE")
    for arguments in (("bridge",), ("--all",), ()):
        ran = bridge("verify", *arguments, "--seal", str(seal))
        assert ran.status == 1
        assert "Event 1: it and all later events are missing: the seal of" in ran.out


def test_a_seal_without_a_file_goes_to_standard_output(bridge: Run) -> None:
    assert json.loads(bridge("seal", "bridge").out)["name"] == "bridge"


def test_a_seal_of_another_machine_needs_its_key(bridge: Run, seal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMBATLOG_HOME", str(seal.parent / "elsewhere"))
    assert bridge("verify", "--seal", str(seal)).code == "seal/unknown-key"
    key = json.loads(seal.read_text())["public_key"]
    assert bridge("verify", "--seal", str(seal), "--trust", key).status == 0


def test_a_seal_is_of_the_encounter_that_is_verified(bridge: Run, seal: Path) -> None:
    bridge("new", "other")
    assert bridge("verify", "other", "--seal", str(seal)).code == "seal/other-encounter"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("verify", "--seal", "no-such-file"), "seal/unreadable"),
        (("seal", "nowhere"), "ledger/unknown-encounter"),
        (("seal", "bridge", "--out", "/no/such/folder/seal"), "file/unwritable"),
    ],
)
def test_refusals(bridge: Run, arguments: tuple[str, ...], code: str) -> None:
    refused = bridge(*arguments)
    assert (refused.status, refused.code) == (1, code)
