"""Verifying many fights in several processes: what they find is what one process finds, in the same order."""

from __future__ import annotations

from pathlib import Path

import pytest

import combatlog
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification import verify
from combatlog.rules.verification.verify import verify_encounters
from ledger.errors import Problem
from ledger.store.ledger import LedgerStore
from tests.ledger.test_tampering import tamper

NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "rain", "reason": "it rains"})
NAMES = ["bridge", "cave", "tower"]


@pytest.fixture(params=["embedded", "citus"])
def server(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(request.param))


@pytest.fixture(autouse=True)
def small_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "AT_ONCE", 1)


@pytest.fixture
def fights(ledger: LedgerStore) -> list[str]:
    for name in NAMES:
        Referee(ledger).open(Opening(name=name))
        Referee(ledger).declare(name, NOTE)
    return NAMES


def test_several_processes_find_what_one_finds(
    ledger: LedgerStore, fights: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMBATLOG_HOME", str(tmp_path / "home"))
    seal = combatlog.Ledger(ledger).fight("cave").seal()
    found = list(verify_encounters(ledger, fights, [seal], jobs=2))
    assert [(report.name, report.events, report.seals, report.findings) for report in found] == [
        ("bridge", 3, 0, []),
        ("cave", 3, 1, []),
        ("tower", 3, 0, []),
    ]
    assert found == list(verify_encounters(ledger, fights, [seal]))


def test_a_problem_comes_back_from_another_process(ledger: LedgerStore, fights: list[str]) -> None:
    with pytest.raises(Problem) as caught:
        list(verify_encounters(ledger, ["bridge", "nowhere"], jobs=2))
    assert caught.value.code == "ledger/unknown-encounter"


@pytest.mark.parametrize("server", ["embedded"], indirect=True)
def test_another_process_names_the_event_that_was_changed(
    ledger: LedgerStore, database: str, fights: list[str]
) -> None:
    tamper(
        database,
        "UPDATE combatlog.ledger_events SET topic = 'manual' WHERE originator_version = 3 AND originator_id = %(id)s",
    )
    changed, *others = verify_encounters(ledger, fights, jobs=2)
    assert [finding.seq for finding in changed.findings] == [3]
    assert [report.findings for report in others] == [[], []]
