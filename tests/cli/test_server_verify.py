"""Verifying at a distance: against seals, and against what a seat was shown; each seat as far as it may."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from ledger.store.ledger import encounter_id
from tests.cli.conftest import Ran, Run
from tests.service.conftest import BOUNDLESS, FIGHT, listening, set_up

Away = Callable[..., Ran]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMBATLOG_HOME", str(tmp_path / "home"))


@pytest.fixture
def tokens(cli_database: str) -> dict[str, str]:
    return set_up(cli_database)


@pytest.fixture
def away(run: Run, cli_database: str, tokens: dict[str, str]) -> Iterator[Away]:
    with listening(replace(BOUNDLESS, database=cli_database)) as url:
        yield lambda seat, *line: run("--server", url, "--token", tokens[seat], *line)


@pytest.fixture
def seal(away: Away, tmp_path: Path) -> str:
    file = str(tmp_path / "bridge.seal.json")
    assert away("auditor", "seal", FIGHT, "--out", file).status == 0
    return file


@pytest.fixture
def shown(away: Away, tmp_path: Path) -> Callable[[str], Path]:
    def write(seat: str) -> Path:
        file = tmp_path / f"{seat}.jsonl"
        assert away(seat, "export", FIGHT, "--output", str(file)).status == 0
        return file

    return write


# Seals


@pytest.mark.slow
@pytest.mark.parametrize("what", [(FIGHT,), (), ("--all",), (FIGHT, "--json")])
def test_a_seal_holds_as_it_does_beside_the_ledger(run: Run, away: Away, seal: str, what: tuple[str, ...]) -> None:
    assert away("host", "do", FIGHT, "snig", "dash").status == 0
    there = away("host", "verify", *what, "--seal", seal)
    assert there.status == 0
    assert there == run("verify", *what, "--seal", seal)


@pytest.mark.parametrize("seat", ["gm", "auditor"])
def test_those_at_one_fight_hold_seals_against_that_one(run: Run, away: Away, seal: str, seat: str) -> None:
    assert "It matches 1 seal." in away(seat, "verify", FIGHT, "--seal", seal).out
    assert "It matches 1 seal." in away(seat, "verify", "--seal", seal).out
    other = str(Path(seal).with_name("other.json"))
    assert run("seal", "elsewhere", "--out", other).status == 0
    assert away(seat, "verify", FIGHT, "--seal", other).code == "seal/other-encounter"


@pytest.mark.parametrize("seat", ["rurik", "spectator"])
def test_others_verify_nothing_but_what_they_were_shown(away: Away, seal: str, seat: str) -> None:
    assert away(seat, "verify", FIGHT, "--seal", seal).code == "seat/not-allowed"
    assert away(seat, "verify", FIGHT).code == "seat/not-allowed"


def test_a_fight_that_is_gone_is_missed_at_a_distance(away: Away, seal: str, cli_database: str) -> None:
    with psycopg.connect(cli_database) as conn:
        conn.execute("ALTER TABLE combatlog.ledger_events DISABLE TRIGGER USER")
        conn.execute("DELETE FROM combatlog.ledger_events WHERE originator_id = %s", [encounter_id(FIGHT)])
    for what in ((FIGHT,), (), ("--all",)):
        ran = away("host", "verify", *what, "--seal", seal)
        assert ran.status == 1
        assert "Event 1: it and all later events are missing: the seal of" in ran.out


def test_a_seal_that_was_altered_or_that_nobody_trusts(
    away: Away, seal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMBATLOG_HOME", str(tmp_path / "another"))
    assert away("host", "verify", "--seal", seal).code == "seal/unknown-key"
    data = json.loads(Path(seal).read_text())
    assert away("host", "verify", "--seal", seal, "--trust", data["public_key"]).status == 0
    Path(seal).write_text(json.dumps({**data, "seq": data["seq"] - 1}))
    assert away("host", "verify", "--seal", seal, "--trust", data["public_key"]).code == "seal/altered"


# What was shown


@pytest.mark.parametrize("seat", ["rurik", "spectator"])
def test_a_seat_checks_what_it_was_shown(away: Away, shown: Callable[[str], Path], seat: str) -> None:
    file = shown(seat)
    events = len(file.read_text().splitlines()) - 1
    assert away("host", "reveal", FIGHT, "grimjaw").status == 0
    checked = away(seat, "verify", FIGHT, "--shown", str(file))
    words = {"rurik": "player:rurik"}.get(seat, seat)
    assert checked == Ran(0, f"bridge is what was shown to {words}: {events} events. All hashes are right.\n", "")


def test_what_another_seat_was_shown_is_for_those_who_see_everything(
    run: Run, away: Away, shown: Callable[[str], Path]
) -> None:
    file = str(shown("rurik"))
    assert away("spectator", "verify", FIGHT, "--shown", file).code == "shown/other-seat"
    assert away("osric", "verify", FIGHT, "--shown", file).code == "shown/other-seat"
    for seat in ("host", "gm", "auditor"):
        checked = away(seat, "verify", FIGHT, "--shown", file)
        assert checked.status == 0
        assert checked == run("verify", FIGHT, "--shown", file)


def test_a_difference_has_the_number_that_the_seat_knows(run: Run, away: Away, shown: Callable[[str], Path]) -> None:
    assert run("rule", FIGHT, "--note", "it rains", "--reason", "mood", "--secret").status == 0
    assert run("note", FIGHT, "it is dark").status == 0
    file = shown("rurik")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    lines[-1]["event"]["text"] = "it is bright"
    file.write_text("\n".join(map(json.dumps, lines)))
    there = away("rurik", "verify", FIGHT, "--shown", str(file))
    assert there.status == 1
    assert f"Event {len(lines) - 1}: Event {len(lines) - 1} as shown to player:rurik differs" in there.out
    assert "it is dark" in there.out
    whole = away("gm", "verify", FIGHT, "--shown", str(file))
    assert whole.status == 1
    assert f"Event {len(lines) - 1}: " not in whole.out


def test_a_player_is_told_that_the_log_was_changed_and_not_where(
    away: Away, shown: Callable[[str], Path], cli_database: str
) -> None:
    file = shown("rurik")
    with psycopg.connect(cli_database) as conn:
        conn.execute("ALTER TABLE combatlog.ledger_events DISABLE TRIGGER USER")
        conn.execute("UPDATE combatlog.ledger_events SET state = state || ' ' WHERE position('Grimjaw' in state) > 0")
    found = away("rurik", "verify", FIGHT, "--shown", str(file))
    assert found.status == 1
    assert "the log has changed since it was recorded" in found.out
    assert "grim" not in (found.out + found.err).lower()


def test_two_fights_that_differ_in_secrets_are_told_alike(run: Run, away: Away, shown: Callable[[str], Path]) -> None:
    file = str(shown("rurik"))
    before = away("rurik", "verify", FIGHT, "--shown", file, "--json")
    assert run("hurt", FIGHT, "grimjaw", "3").status == 0
    assert run("note", FIGHT, "an ambush", "--secret").status == 0
    assert away("rurik", "verify", FIGHT, "--shown", file, "--json") == before
    assert before.status == 0
