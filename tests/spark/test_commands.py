"""Commands with `--spark` print what they print without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from projections.lake.reading import LakeReader
from tests.cli.conftest import Run
from tests.cli.conftest import run as run

BRIDGE = Path(__file__).parents[1] / "projections" / "statistics" / "bridge.yaml"


def test_they_print_the_same_and_leave_the_events_to_spark(
    master: str, run: Run, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("run", str(BRIDGE)).status == 0
    run("new", "another")
    assert run("lake", "write", folder).status == 0
    asked = (
        ("lake", "verify", folder),
        ("lake", "verify", folder, "--json"),
        ("stats", "hits", "--by", "side", "--lake", folder),
    )
    alone = [run(*arguments) for arguments in asked]
    assert alone[0].out == "Verified 2 encounters: all as recorded.\n"

    def refuse(lake: LakeReader) -> None:
        pytest.fail("this machine has looked for the encounters in the events")

    monkeypatch.setattr(LakeReader, "ids", refuse)
    assert [run(*arguments, "--spark", master) for arguments in asked] == alone
