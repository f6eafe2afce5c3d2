"""A process that opens the ledger once, and declares and corrects with it whatever happens to the database.

`python -m tests.faults.long_lived PLACE ENCOUNTER FIRST COUNT` notes something COUNT times, and takes every note back
or amends it. The ids of its commands follow from their number, so that a second process repeats what the first one
did. Each command is repeated until it is acknowledged. Prints the id of every command that was.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from uuid import UUID

import combatlog
from combatlog import Amend, Undo
from ledger.errors import Problem
from ledger.events import Declared
from tests.faults.worker import ATTEMPTS, NOTE, locate

AMENDED = {"set": {"hp": 7}}


def note_of(number: int) -> UUID:
    return UUID(int=2 * number)


def correction_of(number: int) -> UUID:
    return UUID(int=2 * number + 1)


def takes_back(correction: UUID) -> bool:
    """Every other note is taken back; the rest is amended."""
    return correction.int % 4 == 1


def main(place: str, encounter: str, first: str, count: str) -> None:
    with combatlog.open(locate(place)) as ledger:
        fight = ledger.fight(encounter)
        print("ready", flush=True)
        sys.stdin.readline()
        for number in range(int(first), int(first) + int(count)):
            _until_acknowledged(place, note_of(number), lambda command: _note(fight, command))
            _until_acknowledged(place, correction_of(number), lambda command: _correct(fight, command))


def _until_acknowledged(place: str, command: UUID, attempt: Callable[[UUID], None]) -> None:
    for _ in range(ATTEMPTS):
        try:
            attempt(command)
        except Problem as problem:
            print(problem.code, flush=True)
            with suppress(Problem):  # the server may be killed again while it starts
                locate(place)
        else:
            print(command, flush=True)
            return
    raise SystemExit(f"{command} was refused {ATTEMPTS} times")


def _note(fight: combatlog.RecordedFight, command: UUID) -> None:
    fight.ledger.referee.declare(str(fight.id), NOTE, command=command)


def _correct(fight: combatlog.RecordedFight, command: UUID) -> None:
    noted = UUID(int=command.int - 1)
    seq = next(event.seq for event in fight.events() if isinstance(event, Declared) and event.command == noted)
    if takes_back(command):
        fight.backend.apply(fight.backend.plan(Undo(seq), command))
    else:
        fight.backend.apply(fight.backend.plan(Amend(seq, options=AMENDED), command))


if __name__ == "__main__":
    main(*sys.argv[1:])
