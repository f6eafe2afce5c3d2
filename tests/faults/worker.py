"""A process that declares and, whatever happens to the database, repeats each command until it is acknowledged.

Prints the id of every command that was. With a folder it starts the embedded server again when that is down.
"""

from __future__ import annotations

import sys
from pathlib import Path
from uuid import UUID, uuid4

from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.resolution.referee import Referee
from ledger.errors import DatabaseProblem, Problem
from ledger.store.database import EmbeddedPostgres
from ledger.store.ledger import LedgerStore

ATTEMPTS = 200
NOTE = Declaration(
    actor="gm",
    action="core:ruling:rule",
    options={"note": "rain", "reason": "it rains", "set": {"hp": 9}},
    targets=("rurik",),
)


def main(place: str, encounter: str, count: str) -> None:
    print("ready", flush=True)
    sys.stdin.readline()
    left = [uuid4() for _ in range(int(count))]
    for _ in range(ATTEMPTS):
        try:
            with LedgerStore.open(locate(place)) as ledger:
                declare_all(Referee(ledger), encounter, left)
        except (DatabaseProblem, Problem) as problem:
            print(problem.code, flush=True)
        if not left:
            return


def locate(place: str) -> str:
    return place if place.startswith("postgresql://") or "=" in place else EmbeddedPostgres(Path(place)).start()


def declare_all(referee: Referee, encounter: str, left: list[UUID]) -> None:
    while left:
        referee.declare(encounter, NOTE, command=left[0])
        print(left.pop(0), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
