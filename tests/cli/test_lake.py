"""Lakes from the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run

BRIDGE = Path(__file__).parents[1] / "projections" / "statistics" / "bridge.yaml"


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(tmp_path / "lake")


def test_a_lake_is_written_extended_and_put_together(bridge: Run, folder: str) -> None:
    written = bridge("lake", "write", folder)
    assert written.status == 0
    assert written.out.startswith("Wrote ")
    assert bridge("lake", "write", folder).out == f"Nothing is new; {folder} is current.\n"
    bridge("do", "bridge", "snig", "attack")
    added = json.loads(bridge("lake", "write", folder, "--json").out)
    assert (added["events"], added["encounters"]) == (4, 1)
    before = json.loads(bridge("lake", "status", folder, "--json").out)
    compacted = json.loads(bridge("lake", "compact", folder, "--json").out)
    assert compacted["files_before"] == before["files"] > compacted["files_after"]
    after = json.loads(bridge("lake", "status", folder, "--json").out)
    assert after == {**before, "files": compacted["files_after"]}
    assert after["tables"]["events"] == after["events"] == added["position"]
    assert "combatants" in bridge("lake", "status", folder).out


def test_a_lake_is_verified_without_its_ledger(bridge: Run, folder: str) -> None:
    bridge("lake", "write", folder)
    verified = bridge("lake", "verify", folder)
    assert verified.status == 0
    assert "bridge is as recorded" in verified.out
    (report,) = json.loads(bridge("lake", "verify", folder, "--jobs", "1", "--json").out)
    assert (report["name"], report["findings"]) == ("bridge", [])
    (events,) = Path(folder).glob("events/**/*.parquet")
    (others,) = Path(folder).glob("combatants/**/*.parquet")
    shutil.copy(others, events)
    damaged = bridge("lake", "verify", folder)
    assert (damaged.status, damaged.code) == (1, "lake/damaged-file")


def test_a_lake_answers_like_the_ledger(run: Run, folder: str) -> None:
    assert run("run", str(BRIDGE)).status == 0
    run("lake", "write", folder)
    asked = ("stats", "hits", "--by", "side", "--csv")
    assert run(*asked, "--lake", folder) == run(*asked)
    query = ("sql", "SELECT attacker, count(*) AS n FROM attacks GROUP BY 1 ORDER BY 1", "--json")
    assert run(*query, "--lake", folder) == run(*query)
    assert "events: Every event as it is stored." in run("sql", "--schema", "--lake", folder).out
    assert run("sql", "SELECT * FROM read_text('/etc/hostname')", "--lake", folder).code == "sql/read-only"
    assert run("stats", "hits", "--lake", folder, "--plot", "x.svg").status == 2


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("status", "nowhere"), "lake/none"),
        (("compact", "nowhere"), "lake/none"),
        (("write", "/dev/null/lake"), "file/unusable"),
    ],
)
def test_what_is_refused(run: Run, arguments: tuple[str, ...], code: str) -> None:
    assert run("lake", *arguments).code == code
