"""What seats were shown of the stored fights, as they kept it: `python -m tests.old_ledgers.shown` adds a version.

What is written down for a version is never changed. If what is shown of an event changes, `VERSION` of these lines has
to be raised: otherwise whoever kept a file would be told that the log had been changed.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

import combatlog
from projections.views.seat_view import VERSION
from tests.old_ledgers.record import HERE, LEDGER, generations

SEATS = ("players", "players:foes", "spectator")


def file_of(version: int) -> Path:
    return HERE / "was_shown" / f"{version}.jsonl.gz"


def stored(version: int) -> list[list[str]]:
    """The files, each as its lines; the first line of each says what it is."""
    files: list[list[str]] = []
    for line in gzip.decompress(file_of(version).read_bytes()).decode().splitlines():
        if line.startswith('{"shown"'):
            files.append([])
        files[-1].append(line)
    return files


def take_in(ledger: combatlog.Ledger) -> None:
    """The fights of the newest generation."""
    with gzip.open(generations()[-1] / LEDGER, "rb") as file:
        ledger.import_events(file)  # type: ignore[arg-type]


def shown_now(ledger: combatlog.Ledger) -> Iterator[str]:
    for fight in map(ledger.fight, ledger.begun()):
        for seat in SEATS:
            yield from fight.seen_by(seat).export()


def main() -> None:
    from tests.old_ledgers.record import fresh_ledger

    file = file_of(VERSION)
    if file.exists():
        sys.exit(f"{file.name} is there already.")
    with fresh_ledger() as store:
        ledger = combatlog.Ledger(store)
        take_in(ledger)
        text = "".join(f"{line}\n" for line in shown_now(ledger))
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
