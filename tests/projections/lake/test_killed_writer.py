"""A writer that is killed, at any moment: the lake stays as it was, and the next run completes it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from ledger.store.ledger import LedgerStore
from projections.lake.location import location_of
from projections.lake.writing import compact_lake, write_lake
from tests.projections.lake.support import (
    events_in_lake,
    events_in_ledger,
    not_listed,
    rows_in_lake,
    rows_in_read_models,
)
from tests.projections.readmodels.support import History

pytestmark = pytest.mark.slow

_DYING = """
import os, signal, sys
from itertools import count
from pathlib import Path

from ledger.store.ledger import LedgerStore
from projections.lake import folding, manifest, object_store, writing
from projections.readmodels import table_files

os.fsync = lambda handle: None
where, url, what, at, after = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5])
calls = count(1)

def dying(function, before):
    def run(*arguments, **named):
        call = next(calls)  # files are uploaded by several threads
        if before and call == after:
            os.kill(os.getpid(), signal.SIGKILL)
        answer = function(*arguments, **named)
        if call == after:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer
    return run

if at == "file":
    table_files.write_rows = writing.write_rows = folding.write_rows = dying(table_files.write_rows, before=False)
elif at == "list":
    Path.replace = dying(Path.replace, before=True)
    object_store.put_list = dying(object_store.put_list, before=True)
elif at == "upload":
    object_store.StoreTurn._upload = dying(object_store.StoreTurn._upload, before=False)
else:
    manifest.LakeWriter.replace = dying(manifest.LakeWriter.replace, before=False)

if what == "compact":
    writing.compact_lake(where)
else:
    with LedgerStore.open(url) as ledger:
        writing.write_lake(ledger, where, batch=60)
"""


def kill(where: str, ledger: LedgerStore, what: str, at: str, after: int) -> None:
    arguments = (where, ledger.url, what, at, str(after))
    ran = subprocess.run([sys.executable, "-c", _DYING, *arguments], capture_output=True, text=True, timeout=120)
    assert ran.returncode == -signal.SIGKILL, ran.stderr


WHILE_WRITING = [("list", 1), ("file", 3), ("list", 2), ("lists", 1), ("file", 40), ("lists", 6), ("list", 8)]
"""Before the first list of files is in place, after some file, when a list is written but not in place, and after. The
last three are while facts are written."""
IN_A_STORE = [("list", 1), ("upload", 3), ("list", 2), ("lists", 1), ("upload", 30), ("lists", 7)]


@pytest.mark.parametrize("server", ["embedded", "citus"], indirect=True)
def test_killed_while_writing_nothing_is_missing_or_there_twice(ledger: LedgerStore, tmp_path: Path) -> None:
    play(ledger)
    for at, after in WHILE_WRITING:
        require_completed(ledger, str(tmp_path / f"{at}-{after}"), at, after)


def test_killed_while_writing_to_a_store_nothing_is_missing_or_there_twice(ledger: LedgerStore, s3: str) -> None:
    play(ledger)
    for at, after in IN_A_STORE:
        require_completed(ledger, f"{s3}/{at}-{after}", at, after)


def play(ledger: LedgerStore) -> None:
    histories = [History(ledger, name, Random(name)) for name in ("one", "two", "three")]
    while len(events_in_ledger(ledger)) < 200:
        for history in histories:
            history.play()


def require_completed(ledger: LedgerStore, where: str, at: str, after: int) -> None:
    kill(where, ledger, "write", at, after)
    if location_of(where).read_list() is not None:
        assert events_in_lake(where) == [], (at, after)
    write_lake(ledger, where)
    assert events_in_lake(where) == events_in_ledger(ledger), (at, after)
    assert rows_in_lake(where) == rows_in_read_models(ledger), (at, after)
    assert not_listed(where) == [], (at, after)


@pytest.mark.parametrize(
    ("where", "at", "after"),
    [
        *[("folder", "file", 3), ("folder", "list", 1), ("folder", "lists", 1)],
        *[("s3", "upload", 3), ("s3", "list", 2), ("s3", "lists", 2)],  # a writer's first list says that it has begun
    ],
    indirect=["where"],
)
def test_killed_while_compacting_nothing_is_lost(ledger: LedgerStore, where: str, at: str, after: int) -> None:
    history = History(ledger, "one", Random(5))
    for _ in range(2):
        history.play()
        write_lake(ledger, where)
    kill(where, ledger, "compact", at, after)
    assert rows_in_lake(where) == rows_in_read_models(ledger)
    compact_lake(where)
    assert events_in_lake(where) == events_in_ledger(ledger)
    assert rows_in_lake(where) == rows_in_read_models(ledger)
    compact_lake(where)
    assert not_listed(where) == []
