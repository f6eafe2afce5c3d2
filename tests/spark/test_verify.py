"""Whatever somebody changes in the files of a lake, a cluster finds it like one machine."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

import combatlog
from ledger.store import Ledger
from rules.engine.verify import Report
from tests.projections.readmodels.support import History
from tests.rules.engine.test_lake_verify import CHANGES, LAST, edit, run

pytestmark = pytest.mark.usefixtures("master")


@pytest.fixture
def written(ledger: Ledger, tmp_path: Path) -> Path:
    for name in ("one", "two"):
        history = History(ledger, name, Random(name))
        for _ in range(4):
            history.grow()
    combatlog.Ledger(ledger).write_lake(tmp_path / "lake")
    return tmp_path / "lake"


def reports(folder: Path, master: str | None, **how: object) -> list[Report]:
    with combatlog.open_lake(folder, spark=master) as lake:
        return list(lake.verify(**how))  # type: ignore[arg-type]


def test_a_cluster_finds_what_one_machine_finds(written: Path, tmp_path: Path, master: str) -> None:
    with combatlog.open_lake(written, spark=master) as connected:
        assert list(connected.verify()) == reports(written, None)
        for what, (table, change, _, _) in CHANGES.items():
            changed = tmp_path / what
            shutil.copytree(written, changed)
            edit(changed, table, change)
            expected = reports(changed, None)
            assert not all(report.stands for report in expected)
            assert reports(changed, master) == expected, what


def test_a_seal_is_checked_even_if_its_fight_is_gone(
    ledger: Ledger, written: Path, tmp_path: Path, master: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMBATLOG_HOME", str(tmp_path / "home"))
    seals = [combatlog.Ledger(ledger).fight("one").seal()]
    assert all(report.stands for report in reports(written, master, seals=seals))
    edit(written, "events", run(f"DELETE FROM t WHERE {LAST}"))
    edit(written, "fights", run("DELETE FROM t"))
    found = reports(written, master, seals=seals)
    assert found == reports(written, None, seals=seals)
    assert any("the seal of" in finding.problem for report in found for finding in report.findings)
