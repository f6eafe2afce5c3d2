"""Seals find what the chain of hashes alone cannot: a history that was rewritten, cut short or rolled back."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.seals_and_seat_records import seal_encounter
from combatlog.rules.verification.verify import VerificationFinding, verify
from ledger.errors import Problem
from ledger.exchange.seal import MAX_SEAL, Seal, check_seal, own_key, public_hex, read_seal
from ledger.registry import GENESIS, chained_hash
from ledger.store.ledger import LedgerStore, encounter_id
from tests.attacks.damage import unguarded
from tests.cases import each

NOW = datetime(2026, 1, 7, 20, 15, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMBATLOG_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def fight(referee: Referee) -> str:
    referee.open(Opening(name="bridge"))
    return note(referee, 5)


def note(referee: Referee, times: int) -> str:
    """Each note is two events: what was declared and the ruling."""
    for number in range(times):
        options = {"note": f"hour {number}", "reason": "the sun"}
        referee.declare("bridge", Declaration(actor="gm", action="core:ruling:rule", options=options))
    return "bridge"


def seal_of(ledger: LedgerStore) -> Seal:
    return seal_encounter(ledger, "bridge", now=lambda: NOW)


def behind_its_back(url: str, *statements: str) -> None:
    with unguarded(url) as conn:
        for statement in statements:
            conn.execute(statement)  # type: ignore[call-overload]


def rewrite(url: str, old: bytes, new: bytes) -> None:
    """Change what was said and compute every hash after it anew, as a clever forger would."""
    encounter, head = encounter_id("bridge"), GENESIS
    with unguarded(url) as conn:
        rows = conn.execute(
            "SELECT originator_version, topic, state FROM combatlog.ledger_events ORDER BY originator_version"
        ).fetchall()
        for seq, topic, state in rows:
            forged = state.replace(old, new)
            head = chained_hash(head, encounter, seq, topic, forged)
            conn.execute(
                "UPDATE combatlog.ledger_events SET state = %s, hash = %s WHERE originator_version = %s",
                (forged, head, seq),
            )


def findings(ledger: LedgerStore, *seals: Seal) -> list[VerificationFinding]:
    return verify(ledger, "bridge", seals).findings


def test_an_untouched_history_agrees_with_all_its_seals(ledger: LedgerStore, referee: Referee, fight: str) -> None:
    early = seal_of(ledger)
    note(referee, 2)
    assert findings(ledger, seal_of(ledger), early) == []


def test_a_chain_that_was_rewritten_whole_is_found_by_the_seal_alone(
    ledger: LedgerStore, database: str, fight: str
) -> None:
    seal = seal_of(ledger)
    rewrite(database, b"hour 2", b"hour 9")
    assert findings(ledger) == []
    assert [finding.seq for finding in findings(ledger, seal)] == [1]


def test_several_seals_narrow_down_where_it_was_rewritten(
    ledger: LedgerStore, referee: Referee, database: str, fight: str
) -> None:
    early = seal_of(ledger)
    note(referee, 6)
    late = seal_of(ledger)
    rewrite(database, b"hour 5", b"hour 7")
    (finding,) = findings(ledger, late, early)
    assert finding.seq == 12
    assert "a later one up to 23" in finding.problem


def test_events_cut_off_the_end_are_missed(ledger: LedgerStore, database: str, fight: str) -> None:
    seal = seal_of(ledger)
    behind_its_back(database, "DELETE FROM combatlog.ledger_events WHERE originator_version > 7")
    assert findings(ledger) == []
    assert [finding.seq for finding in findings(ledger, seal)] == [8]


@pytest.mark.parametrize("how", ["TRUNCATE combatlog.ledger_events", "DELETE FROM combatlog.ledger_events"])
def test_an_encounter_that_is_gone_altogether_is_missed(
    ledger: LedgerStore, database: str, fight: str, how: str
) -> None:
    seal = seal_of(ledger)
    behind_its_back(database, how)
    assert [finding.seq for finding in findings(ledger, seal)] == [1]


def test_an_old_snapshot_in_place_of_the_ledger_is_found(
    ledger: LedgerStore, referee: Referee, database: str, fight: str
) -> None:
    behind_its_back(database, "CREATE TABLE snapshot AS TABLE combatlog.ledger_events")
    note(referee, 1)
    seal = seal_of(ledger)
    behind_its_back(
        database,
        "TRUNCATE combatlog.ledger_events",
        "INSERT INTO combatlog.ledger_events SELECT * FROM snapshot",
    )
    assert findings(ledger) == []
    assert [finding.seq for finding in findings(ledger, seal)] == [12]


def test_a_snapshot_that_was_played_on_from_is_found(
    ledger: LedgerStore, referee: Referee, database: str, fight: str
) -> None:
    early = seal_of(ledger)
    behind_its_back(database, "CREATE TABLE snapshot AS TABLE combatlog.ledger_events")
    note(referee, 1)
    seal = seal_of(ledger)
    behind_its_back(
        database, "TRUNCATE combatlog.ledger_events", "INSERT INTO combatlog.ledger_events SELECT * FROM snapshot"
    )
    note(Referee(ledger), 3)
    assert [finding.seq for finding in findings(ledger, early, seal)] == [12]


def test_what_does_not_verify_is_not_sealed(ledger: LedgerStore, database: str, fight: str) -> None:
    behind_its_back(database, "UPDATE combatlog.ledger_events SET state = state || ' ' WHERE originator_version = 4")
    with pytest.raises(Problem) as caught:
        seal_of(ledger)
    assert caught.value.code == "seal/not-as-recorded"


def test_a_fork_can_be_sealed_with_the_past_it_shares(
    ledger: LedgerStore, referee: Referee, database: str, fight: str
) -> None:
    referee.fork(fight, 5, "what if", by="gm")
    seal = seal_encounter(ledger, "what if")
    assert (seal.name, seal.seq) == ("what if", 6)
    assert verify(ledger, "what if", [seal]).findings == []


@each(
    "change",
    [{"seq": 3}, {"head": "ab" * 32}, {"name": "other"}, {"signature": "00" * 64}, {"encounter": encounter_id("x")}],
    ids=lambda change: next(iter(change)),
)
def test_a_seal_that_was_altered_is_refused(ledger: LedgerStore, fight: str, change: dict[str, object]) -> None:
    seal = seal_of(ledger)
    with pytest.raises(Problem) as caught:
        check_seal(seal.model_copy(update=change), {seal.public_key})
    assert caught.value.code == "seal/altered"


def test_a_seal_that_somebody_else_signed_is_refused(ledger: LedgerStore, fight: str, tmp_path: Path) -> None:
    stranger = public_hex(own_key(tmp_path / "elsewhere"))
    with pytest.raises(Problem) as caught:
        check_seal(seal_of(ledger), {stranger})
    assert caught.value.code == "seal/unknown-key"


def test_the_key_is_made_once_and_is_for_its_user_only(home: Path) -> None:
    first = public_hex(own_key(home))
    assert public_hex(own_key(home)) == first
    assert (home / "seal.key").stat().st_mode & 0o777 == 0o600
    assert [file.name for file in home.iterdir()] == ["seal.key"]


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"", "seal/malformed"), (b"{}", "seal/malformed"), (b"[" * 9000, "seal/malformed"), (b"\xff", "seal/malformed")],
    ids=["empty", "no fields", "deep", "not text"],
)
def test_a_file_that_is_no_seal_is_refused(tmp_path: Path, content: bytes, code: str) -> None:
    file = tmp_path / "seal.json"
    file.write_bytes(content)
    with pytest.raises(Problem) as caught:
        read_seal(file)
    assert caught.value.code == code


def test_a_seal_that_is_too_long_is_not_read_whole(ledger: LedgerStore, fight: str, tmp_path: Path) -> None:
    file = tmp_path / "seal.json"
    file.write_text(seal_of(ledger).model_dump_json() + " " * MAX_SEAL + "x")
    assert read_seal(file).seq == 11
    file.write_text(" " * MAX_SEAL + seal_of(ledger).model_dump_json())
    with pytest.raises(Problem) as caught:
        read_seal(file)
    assert caught.value.code == "seal/malformed"
