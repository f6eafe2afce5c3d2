"""Whatever somebody changes in the files of a lake, verifying it finds, and says where."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

import combatlog
from combatlog.rules.verification import verify
from combatlog.rules.verification.verify import FindingKind, VerificationReport
from ledger.registry import GENESIS, chained_hash
from ledger.store.ledger import LedgerStore, encounter_id
from projections.lake.manifest import read_manifest
from tests.projections.lake.support import read_file, replace_file
from tests.projections.readmodels.support import History

FIGHT = encounter_id("one")
Change = Callable[[Any], None]


@pytest.fixture
def written(ledger: LedgerStore, tmp_path: Path) -> Path:
    fight_twice(ledger)
    combatlog.Ledger(ledger).write_lake(tmp_path / "lake")
    return tmp_path / "lake"


def fight_twice(ledger: LedgerStore) -> None:
    for name in ("one", "two"):
        history = History(ledger, name, Random(name))
        for _ in range(4):
            history.grow()


def edit(folder: Path, table: str, change: Change) -> None:
    """Somebody reads a file, changes its rows and writes it again."""
    (file,) = read_manifest(folder).of(table)
    edit_file(folder / file.path, change)


def edit_file(path: Path, change: Change) -> None:
    with duckdb.connect() as conn:
        conn.execute("CREATE TABLE t AS SELECT * FROM read_parquet($1, hive_partitioning = false)", [str(path)])
        change(conn)
        conn.execute(f"COPY t TO '{path}' (FORMAT parquet)")


def run(query: str, *values: Any) -> Change:
    return lambda conn: conn.execute(query, list(values))


OF_FIGHT = f"encounter = '{FIGHT}'"
LAST = f"{OF_FIGHT} AND seq = (SELECT max(seq) FROM t WHERE {OF_FIGHT})"


def relink(conn: Any) -> None:
    """Make every hash of the fight right again, as somebody who knows how would."""
    head = GENESIS
    rows = conn.execute(f"SELECT seq, name, state FROM t WHERE {OF_FIGHT} ORDER BY seq").fetchall()
    for seq, name, state in rows:
        head = chained_hash(head, FIGHT, seq, name, state)
        conn.execute(f"UPDATE t SET hash = $1 WHERE {OF_FIGHT} AND seq = $2", [head, seq])


def rewrite(conn: Any) -> None:
    """Another face on the first die, with hashes to go with it."""
    query = f"SELECT seq, state FROM t WHERE {OF_FIGHT} AND name LIKE 'rolled%' ORDER BY seq LIMIT 1"
    ((seq, state),) = conn.execute(query).fetchall()
    changed = state.replace(b'"total":', b'"total":9')
    conn.execute(f"UPDATE t SET state = $1 WHERE {OF_FIGHT} AND seq = $2", [changed, seq])
    relink(conn)


def rename(conn: Any) -> None:
    conn.execute(f"UPDATE t SET name = 'unheard_of' WHERE {OF_FIGHT} AND seq = 5")
    relink(conn)


CHANGES: dict[str, tuple[str, Change, FindingKind, str]] = {
    "content": (
        *("events", run(f"UPDATE t SET state = encode(decode(state) || ' ') WHERE {OF_FIGHT} AND seq = 4")),
        *(FindingKind.TAMPERED, "its hash does not match"),
    ),
    "hash": (
        *("events", run(f"UPDATE t SET hash = $1 WHERE {OF_FIGHT} AND seq = 3", bytes(32))),
        *(FindingKind.TAMPERED, "its hash does not match"),
    ),
    "gap": (
        *("events", run(f"DELETE FROM t WHERE {OF_FIGHT} AND seq = 4")),
        *(FindingKind.TAMPERED, "it is missing; the next event is 5"),
    ),
    "twice": (
        *("events", run(f"INSERT INTO t SELECT * FROM t WHERE {OF_FIGHT} AND seq = 4")),
        *(FindingKind.TAMPERED, "it is missing"),
    ),
    "cut off": (
        *("events", run(f"DELETE FROM t WHERE {LAST}")),
        *(FindingKind.TAMPERED, "it is not the last event of this fight according to the lake"),
    ),
    "gone": (
        *("events", run(f"DELETE FROM t WHERE {OF_FIGHT}")),
        *(FindingKind.TAMPERED, "it and all later events are missing"),
    ),
    "rewritten": ("events", rewrite, FindingKind.UNEXPLAINED, "resolving it again has a different result"),
    "unreadable": ("events", rename, FindingKind.UNREADABLE, "unheard_of"),
    "facts edited": (
        *("rolls", run(f"UPDATE t SET total = total + 1 WHERE {LAST}")),
        *(FindingKind.TAMPERED, "the table rolls does not match the events up to it"),
    ),
    "facts deleted": (
        *("declarations", run(f"DELETE FROM t WHERE {LAST}")),
        *(FindingKind.TAMPERED, "the table declarations does not match the events up to it"),
    ),
    "facts made up": (
        *("dice", run(f"INSERT INTO t SELECT * REPLACE (99 AS place) FROM t WHERE {LAST} LIMIT 1")),
        *(FindingKind.TAMPERED, "the table dice does not match the events up to it"),
    ),
    "state edited": (
        *("encounters", run(f"UPDATE t SET dice = 'table' WHERE {OF_FIGHT}")),
        *(FindingKind.TAMPERED, "the table encounters does not match the events up to it"),
    ),
}


@pytest.mark.slow
def test_a_lake_is_as_recorded_until_somebody_changes_it(written: Path, tmp_path: Path) -> None:
    assert [report.findings for report in reports(written)] == [[]] * len(reports(written))
    for what, (table, change, kind, problem) in CHANGES.items():
        changed = tmp_path / what
        shutil.copytree(written, changed)
        edit(changed, table, change)
        found = [finding for report in reports(changed) if not report.stands for finding in report.findings]
        assert any(finding.kind is kind and problem in finding.problem for finding in found), (what, found)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_was_changed_in_a_store_is_found(
    ledger: LedgerStore, s3: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    fight_twice(ledger)
    combatlog.Ledger(ledger).write_lake(s3)
    monkeypatch.setattr(verify, "AT_ONCE", 1)
    assert all(report.stands for report in reports(s3, jobs=jobs))
    (file,) = read_manifest(s3).of("events")
    local = tmp_path / "events.parquet"
    local.write_bytes(read_file(s3, file.path))
    edit_file(local, run(f"UPDATE t SET hash = $1 WHERE {OF_FIGHT} AND seq = 3", bytes(32)))
    replace_file(s3, file.path, local.read_bytes())
    found = [finding.problem for report in reports(s3, jobs=jobs) for finding in report.findings]
    assert any("its hash does not match" in problem for problem in found)


def reports(folder: str | Path, **how: Any) -> list[VerificationReport]:
    with combatlog.open_lake(folder) as lake:
        return list(lake.verify(**how))


def test_a_seal_finds_what_was_rewritten_with_everything_that_goes_with_it(
    ledger: LedgerStore, written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMBATLOG_HOME", str(tmp_path / "home"))
    seal = combatlog.Ledger(ledger).fight("one").seal()
    assert all(report.stands for report in reports(written, seals=[seal]))

    edit(written, "events", run(f"DELETE FROM t WHERE {LAST}"))
    found = [finding.problem for report in reports(written, seals=[seal]) for finding in report.findings]
    assert any("the seal of" in problem for problem in found)


@pytest.mark.slow
def test_several_processes_find_what_one_finds(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(written, "events", run(f"DELETE FROM t WHERE {OF_FIGHT} AND seq = 4"))
    alone = reports(written)
    monkeypatch.setattr(verify, "AT_ONCE", 1)
    assert reports(written, jobs=2) == alone
