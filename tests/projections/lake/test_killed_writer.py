"""A writer that is killed, at any moment: the lake stays as it was, and the next run completes it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from ledger.store import Ledger
from projections.lake.compaction import compact_lake
from projections.lake.manifest import read_manifest
from projections.lake.writing import write_lake
from tests.projections.lake.support import events_in_lake, events_in_ledger, rows_in_lake, rows_in_read_models
from tests.projections.readmodels.support import History

_DYING = """
import os, signal, sys
from pathlib import Path

from ledger.store import Ledger
from projections import parquet
from projections.lake import compaction, manifest, writing

os.fsync = lambda handle: None
folder, url, what, at, after = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5])
calls = 0

def dying(function, before):
    def run(*arguments):
        global calls
        calls += 1
        if before and calls == after:
            os.kill(os.getpid(), signal.SIGKILL)
        function(*arguments)
        if calls == after:
            os.kill(os.getpid(), signal.SIGKILL)
    return run

if at == "file":
    parquet.write_rows = compaction.write_rows = dying(parquet.write_rows, before=False)
elif at == "list":
    Path.replace = dying(Path.replace, before=True)
else:
    writing.replace_manifest = compaction.replace_manifest = dying(manifest.replace_manifest, before=False)

if what == "compact":
    compaction.compact_lake(folder)
else:
    with Ledger.open(url) as ledger:
        writing.write_lake(ledger, folder, batch=60)
"""


def kill(folder: Path, ledger: Ledger, what: str, at: str, after: int) -> None:
    arguments = (str(folder), ledger.url, what, at, str(after))
    ran = subprocess.run([sys.executable, "-c", _DYING, *arguments], capture_output=True, text=True, timeout=120)
    assert ran.returncode == -signal.SIGKILL, ran.stderr


WHILE_WRITING = [("list", 1), ("file", 9), ("list", 2), ("lists", 1), ("file", 40)]
"""Before the first list of files is in place, after some file, when a list is written but not in place, and after."""


@pytest.mark.parametrize("server", ["embedded", "citus"], indirect=True)
def test_killed_while_writing_nothing_is_missing_or_there_twice(ledger: Ledger, tmp_path: Path) -> None:
    history = History(ledger, "one", Random(5))
    while len(events_in_ledger(ledger)) < 200:
        history.play()
    for at, after in WHILE_WRITING:
        folder = tmp_path / f"{at}-{after}"
        kill(folder, ledger, "write", at, after)
        write_lake(ledger, folder)
        assert events_in_lake(folder) == events_in_ledger(ledger), (at, after)
        assert rows_in_lake(folder) == rows_in_read_models(ledger), (at, after)
        assert not_listed(folder) == [], (at, after)


@pytest.mark.parametrize(("at", "after"), [("file", 3), ("list", 1), ("lists", 1)])
def test_killed_while_compacting_nothing_is_lost(ledger: Ledger, tmp_path: Path, at: str, after: int) -> None:
    history = History(ledger, "one", Random(5))
    for _ in range(2):
        history.play()
        write_lake(ledger, tmp_path)
    kill(tmp_path, ledger, "compact", at, after)
    assert rows_in_lake(tmp_path) == rows_in_read_models(ledger)
    compact_lake(tmp_path)
    assert events_in_lake(tmp_path) == events_in_ledger(ledger)
    assert rows_in_lake(tmp_path) == rows_in_read_models(ledger)
    compact_lake(tmp_path)
    assert not_listed(tmp_path) == []


def not_listed(folder: Path) -> list[Path]:
    """What a killed run left behind."""
    listed = {folder / file.path for file in read_manifest(folder).files}
    return [path for path in folder.rglob("*.parquet") if path not in listed] + list(folder.glob(".staging-*"))
