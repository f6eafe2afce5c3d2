"""What `verify` says when hashes hold and the rules come to something else."""

from __future__ import annotations

import pytest

from combatlog.rules.dnd5e.actions.dash_disengage_dodge_hide import Dodge
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.seals_and_seat_records import seal_encounter
from combatlog.rules.verification.verify import FindingKind, VerificationReport, verify
from ledger.store.ledger import LedgerStore

UNTOUCHED = "All hashes are right, so the record is unchanged"


@pytest.fixture
def recorded(ledger: LedgerStore, referee: Referee) -> LedgerStore:
    """Somebody dodges, as dnd5e 7 has it."""
    referee.open(Opening(name="bridge"))
    options = {"sheet": rulesets.find("dnd5e").sheet("fighter"), "name": "Rurik", "position": (1, 1)}
    referee.declare("bridge", Declaration(actor="gm", action="core:time:join", options=options))
    referee.declare("bridge", Declaration(actor="gm", action="core:time:start"))
    referee.declare("bridge", Declaration(actor="rurik", action="dodge"))
    return ledger


def with_other_rules(ledger: LedgerStore, monkeypatch: pytest.MonkeyPatch) -> VerificationReport:
    """Dodging does nothing any more."""
    monkeypatch.setattr(Dodge, "perform", lambda *_: None)
    return verify(ledger, "bridge")


def kinds(report: VerificationReport) -> set[FindingKind]:
    return {finding.kind for finding in report.findings}


def test_there_is_nothing_to_remark_on_what_comes_out_as_recorded(recorded: LedgerStore) -> None:
    assert verify(recorded, "bridge").remark is None


def test_rules_that_changed_without_a_new_version(recorded: LedgerStore, monkeypatch: pytest.MonkeyPatch) -> None:
    report = with_other_rules(recorded, monkeypatch)
    assert [finding.problem for finding in report.findings] == ["resolving the declaration again does not produce it"]
    assert kinds(report) == {FindingKind.UNEXPLAINED}
    assert not report.stands
    assert report.remark is not None
    assert report.remark.startswith(f"{UNTOUCHED}, and the version of the rules is the same (dnd5e 7).")


def test_rules_of_another_version(recorded: LedgerStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulesets.find("dnd5e"), "version", "changed")
    report = with_other_rules(recorded, monkeypatch)
    assert kinds(report) == {FindingKind.RULES_CHANGED}
    assert report.stands
    assert seal_encounter(recorded, "bridge").seq == report.events
    assert report.remark == (
        f"{UNTOUCHED}: it was recorded with dnd5e 7, and this installation has dnd5e changed. The record stands."
    )


def test_a_changed_row_is_no_matter_of_rules(recorded: LedgerStore, database: str) -> None:
    import psycopg

    with psycopg.connect(database) as conn:
        conn.execute("ALTER TABLE combatlog.ledger_events DISABLE TRIGGER append_only")
        conn.execute("UPDATE combatlog.ledger_events SET state = state || ' ' WHERE originator_version = 2")
    report = verify(recorded, "bridge")
    assert [finding.seq for finding in report.findings] == [2]
    assert kinds(report) == {FindingKind.TAMPERED}
    assert not report.stands
    assert report.remark is None
