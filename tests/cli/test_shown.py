"""What players were shown can be checked against the whole log, and tells nothing before."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import combatlog
from tests.cli.conftest import Run
from tests.cli.test_secrets import from_the_dark
from tests.rules.veils_ruleset import VeiledDnd5e

Lines = list[dict[str, Any]]


@pytest.fixture(params=["dnd5e"])
def shown(run: Run, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """What the players saw of the fight at the bridge."""
    from_the_dark(run, request.param)
    file = tmp_path / "shown.jsonl"
    run("export", "Bridge", "--as", "players", "--output", str(file))
    return file


def lines_of(file: Path) -> Lines:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("shown", "reveal"),
    [("dnd5e", "reveal Bridge grak"), (VeiledDnd5e.name, "rule Bridge grak --remove veiled --reason gone")],
    indirect=["shown"],
)
def test_what_was_shown_is_in_the_log_also_after_the_reveal(run: Run, shown: Path, reveal: str) -> None:
    assert run(*reveal.split()).status == 0
    run("end-turn", "Bridge", "grak")
    assert "Grak" in run("status", "Bridge", "--as", "players").out
    verified = run("verify", "Bridge", "--shown", str(shown))
    assert verified.status == 0
    assert f"It is what was shown: {len(lines_of(shown)) - 1} events." in verified.out


def another_face(lines: Lines) -> None:
    next(line for line in lines if line.get("event", {}).get("kind") == "rolled")["event"]["faces"] = [20]


def another_proof(lines: Lines) -> None:
    lines[4]["proof"] = "0" * 64


def one_more(lines: Lines) -> None:
    lines.append(lines[-1])


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (another_face, "differs from the log"),
        (another_proof, "is the same, but the log before it was different"),
        (one_more, "is not in the log"),
    ],
)
def test_a_difference_is_found(run: Run, shown: Path, change: Callable[[Lines], None], problem: str) -> None:
    lines = lines_of(shown)
    change(lines)
    shown.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    verified = run("verify", "Bridge", "--shown", str(shown))
    assert verified.status == 1
    assert problem in verified.out


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "shown/unreadable"),
        ("[]", "shown/unreadable"),
        ('{"shown": 1}', "shown/unreadable"),
        ('{"shown": 99, "encounter": "%s", "name": "x", "seat": "players"}' % ("0" * 32), "shown/other-version"),
        ('{"shown": 1, "encounter": "%s", "name": "x", "seat": "players"}' % ("0" * 32), "shown/other-fight"),
    ],
)
def test_other_files_are_refused(run: Run, tmp_path: Path, text: str, code: str) -> None:
    run("new", "Bridge")
    (tmp_path / "file").write_text(text, encoding="utf-8")
    assert run("verify", "Bridge", "--shown", str(tmp_path / "file")).code == code


def test_proofs_can_be_computed_from_the_whole_log_alone(run: Run, shown: Path, cli_database: str) -> None:
    """As docs/views.md says, without this program."""
    exported = [json.loads(line) for line in run("export", "Bridge").out.splitlines()]
    salt = bytes.fromhex(json.loads(exported[0]["state"])["options"]["salt"])

    def proof(line: dict[str, Any]) -> str:
        own = hmac.digest(salt, line["seq"].to_bytes(8, "big"), "sha256")
        return sha256(own + bytes.fromhex(line["hash"])).hexdigest()

    possible = {proof(line) for line in exported}
    proofs = [line["proof"] for line in lines_of(shown)[1:]]
    assert set(proofs) <= possible
    with combatlog.open(cli_database) as ledger:
        seen = ledger.fight("Bridge").seen_by("players")
        last = seen.recorded(seen.last)
    assert proofs[-1] == proof(exported[last - 1])


def test_players_never_get_the_salt_or_a_hash(run: Run, shown: Path) -> None:
    exported = [json.loads(line) for line in run("export", "Bridge").out.splitlines()]
    text = shown.read_text(encoding="utf-8")
    assert json.loads(exported[0]["state"])["options"]["salt"] not in text
    assert not any(line["hash"] in text for line in exported)
