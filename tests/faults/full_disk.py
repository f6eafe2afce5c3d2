"""A fight on a disk that fills up, in a process of its own: `python -m tests.faults.full_disk FOLDER`.

Prints what the tool said while the disk was full, and exits with 0 if nothing was lost by it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from uuid import UUID, uuid4

from combatlog.rules.engine.resolution.referee import Referee
from ledger.errors import Problem
from ledger.store.database import EmbeddedPostgres
from ledger.store.ledger import LedgerStore
from tests.faults.scene import ENCOUNTER, check, open_fight
from tests.faults.worker import NOTE

CHUNK = 1 << 16


def main(folder: Path) -> None:
    os.chmod(folder, 0o755)
    server = EmbeddedPostgres(folder / "postgres")
    with LedgerStore.open(server.start()) as ledger:
        open_fight(ledger)
    done: list[UUID] = []
    filler = folder / "filler"
    fill(filler)
    print(until_refused(server, done))
    filler.unlink()
    with LedgerStore.open(server.start()) as ledger:
        command = uuid4()
        Referee(ledger).declare(ENCOUNTER, NOTE, command=command)
        check(ledger, [*done, command])
    server.stop()


def fill(filler: Path) -> None:
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(CHUNK)):
                pass
        except OSError:
            return


def until_refused(server: EmbeddedPostgres, done: list[UUID]) -> str:
    while True:
        try:
            with LedgerStore.open(server.start()) as ledger:
                for _ in range(10_000):
                    done.append(uuid4())
                    Referee(ledger).declare(ENCOUNTER, NOTE, command=done[-1])
        except Problem as problem:
            done.pop()
            return problem.code


if __name__ == "__main__":
    main(Path(sys.argv[1]))
