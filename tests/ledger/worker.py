"""A process of its own that declares on an encounter, for tests of concurrency and of sudden death.

Prints a line with the command's id for every command that was acknowledged, and a refusal's code otherwise.
"""

from __future__ import annotations

import sys
from uuid import uuid4

from ledger.errors import Problem
from ledger.store import Ledger
from rules.fight import Declaration
from rules.referee import Referee


def main(url: str, encounter: str, what: str, count: str) -> None:
    with Ledger.open(url) as ledger:
        referee = Referee(ledger)
        print("ready", flush=True)
        sys.stdin.readline()
        for _ in range(int(count)):
            _declare(referee, encounter, what)


def _declare(referee: Referee, encounter: str, what: str) -> None:
    command = uuid4()
    try:
        referee.declare(encounter, DECLARATIONS[what], command=command)
    except Problem as problem:
        print(problem.code, flush=True)
    else:
        print(command, flush=True)


DECLARATIONS = {
    "note": Declaration(
        actor="gm",
        action="core:ruling:rule",
        options={"note": "rain", "reason": "it rains", "set": {"hp": 9}},
        targets=("rurik",),
    ),
    "dash": Declaration(actor="rurik", action="dash"),
    "end-turn": Declaration(actor="gm", action="core:time:end-turn"),
}

if __name__ == "__main__":
    main(*sys.argv[1:])
