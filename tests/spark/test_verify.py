"""Whatever somebody changes in the files of a lake, a cluster finds it like one machine."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import combatlog
from combatlog.rules.verification.verify import VerificationReport
from ledger.store.ledger import LedgerStore
from projections.lake.location import MANIFEST, FolderLocation, location_of
from projections.lake.manifest import read_manifest
from tests.projections.lake.support import read_file, replace_file
from tests.rules.engine.test_lake_verify import CHANGES, LAST, Change, edit_file, fight_twice, run

pytestmark = pytest.mark.usefixtures("master")


@pytest.fixture
def written(ledger: LedgerStore, where: str) -> str:
    fight_twice(ledger)
    combatlog.Ledger(ledger).write_lake(where)
    return where


def reports(where: str, master: str | None, **how: object) -> list[VerificationReport]:
    with combatlog.open_lake(where, spark=master) as lake:
        return list(lake.verify(**how))  # type: ignore[arg-type]


def edit(where: str, table: str, change: Change, room: Path) -> None:
    (file,) = read_manifest(where).of(table)
    local = room / "edited.parquet"
    local.write_bytes(read_file(where, file.path))
    edit_file(local, change)
    replace_file(where, file.path, local.read_bytes())


def copied(where: str, what: str) -> str:
    other = f"{where} {what}"
    if isinstance(location_of(where), FolderLocation):
        shutil.copytree(where, other)
    else:
        for path in (MANIFEST, *location_of(where).files()):
            replace_file(other, path, read_file(where, path))
    return other


def test_a_cluster_finds_what_one_machine_finds(written: str, tmp_path: Path, master: str) -> None:
    with combatlog.open_lake(written, spark=master) as connected:
        assert list(connected.verify()) == reports(written, None)
        for what, (table, change, _, _) in CHANGES.items():
            changed = copied(written, what)
            edit(changed, table, change, tmp_path)
            expected = reports(changed, None)
            assert not all(report.stands for report in expected)
            assert reports(changed, master) == expected, what


def test_a_seal_is_checked_even_if_its_fight_is_gone(
    ledger: LedgerStore, written: str, tmp_path: Path, master: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMBATLOG_HOME", str(tmp_path / "home"))
    seals = [combatlog.Ledger(ledger).fight("one").seal()]
    assert all(report.stands for report in reports(written, master, seals=seals))
    edit(written, "events", run(f"DELETE FROM t WHERE {LAST}"), tmp_path)
    edit(written, "fights", run("DELETE FROM t"), tmp_path)
    found = reports(written, master, seals=seals)
    assert found == reports(written, None, seals=seals)
    assert any("the seal of" in finding.problem for report in found for finding in report.findings)
