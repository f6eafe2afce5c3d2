"""Whole screens, kept in files: a person looked at each of them at 60, 80 and 120 columns.

`python -m tests.cli.golden` writes the files again. Look at what changed before you commit it.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path

import pytest

from cli.app import main
from cli.render.terminal import console
from ledger.store.database import URL_VARIABLE, EmbeddedPostgres
from tests.cli.golden_fights import SCREENS, play
from tests.cli.golden_replay import REPLAYS, replayed

FOLDER = Path(__file__).parent / "golden"
COLUMNS = (60, 80, 120)
_DATE = re.compile(r"\b20\d\d-\d\d-\d\d")
_TIME = re.compile(r"\b\d\d:\d\d\b")
_ID = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")


def shown(args: Sequence[str], columns: int) -> str:
    """What a command prints in this process, without colour, with the same date, time and id each time."""
    printed = StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed), suppress(SystemExit):
        for name, value in (("COLUMNS", str(columns)), ("NO_COLOR", "1"), ("TERM", "dumb")):
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["combatlog", *args])
        console.cache_clear()
        main()
    console.cache_clear()
    steady = _ID.sub("0" * 8 + "-0000" * 3 + "-" + "0" * 12, printed.getvalue())
    steady = _TIME.sub("20:15", _DATE.sub("2026-11-17", steady))
    return "".join(f"{line.rstrip()}\n" for line in steady.splitlines())


def screens() -> Iterator[tuple[Path, str]]:
    """Every screen with the file that it is kept in."""
    for columns in COLUMNS:
        for name, args in SCREENS.items():
            yield FOLDER / f"{name}-{columns}.txt", shown(args, columns)
        for name, (fight, keys) in REPLAYS.items():
            yield FOLDER / f"{name}-{columns}.txt", replayed(fight, keys, columns)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="combatlog-", ignore_cleanup_errors=True) as folder:
        server = EmbeddedPostgres(Path(folder) / "postgres")
        os.environ[URL_VARIABLE] = server.start()
        play()
        for path, screen in screens():
            path.write_text(screen, "utf-8")
        server.stop()
