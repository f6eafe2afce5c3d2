"""A fight that faults happen to, its writers, and what must be true of it afterwards."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from uuid import UUID

from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.corrections.undo import declarations
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.verify import verify
from ledger.events import Amended, Declared, Undone
from ledger.store.ledger import LedgerStore
from projections.battle.fold import fold
from tests.faults.long_lived import takes_back

ENCOUNTER = "Bridge in the storm"


def open_fight(ledger: LedgerStore) -> None:
    referee = Referee(ledger)
    referee.open(Opening(name=ENCOUNTER, dice="seed:1"))
    options = {"sheet": rulesets.find("dnd5e").sheet("fighter"), "name": "Rurik", "position": (1, 1)}
    referee.declare(ENCOUNTER, Declaration(actor="gm", action="core:time:join", options=options))


def spawn(place: str, count: int) -> subprocess.Popen[str]:
    """A process that notes something so often, and opens the ledger again when something goes wrong."""
    return _begin("tests.faults.worker", place, ENCOUNTER, str(count))


def spawn_long_lived(place: str, first: int, count: int) -> subprocess.Popen[str]:
    """A process that notes and corrects something so often, with a ledger that it has opened once."""
    return _begin("tests.faults.long_lived", place, ENCOUNTER, str(first), str(count))


def _begin(*module_and_arguments: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", *module_and_arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.stdin.write("go\n")
    process.stdin.flush()
    return process


def wait_for(process: subprocess.Popen[str], lines: int) -> list[str]:
    """What it prints, up to so many lines."""
    assert process.stdout is not None
    return [process.stdout.readline().strip() for _ in range(lines)]


def rest_of(process: subprocess.Popen[str]) -> list[str]:
    """What it prints until it ends. Not by `communicate`, which passes over what `readline` has buffered."""
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin, process.stdout:
        said = process.stdout.read().splitlines()
    process.wait(timeout=60)
    return said


def acknowledged(said: list[str]) -> list[UUID]:
    return [UUID(line) for line in said if "/" not in line]


def check(ledger: LedgerStore, commands: list[UUID]) -> None:
    """Nothing acknowledged is lost or there twice, nothing is half there."""
    events = ledger.find(ENCOUNTER).events
    recorded = Counter(event.command for event in events if isinstance(event, Declared))
    assert [command for command in commands if recorded[command] != 1] == []
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert fold(events).seq == len(events)
    # Resolved again, a group that is half there comes out longer than it is on record.
    assert verify(ledger, ENCOUNTER).findings == []


def check_corrections(ledger: LedgerStore, commands: list[UUID]) -> None:
    """Every correction was made once and as a whole; of the notes, those stand that were not taken back."""
    check(ledger, [])
    fight = FightEngine(ledger.find(ENCOUNTER).events)
    made = Counter(event.command for event in fight.events if isinstance(event, Undone | Amended))
    assert set(made.values()) <= {1}
    corrections = [command for command in commands if command.int % 2]
    assert [command for command in corrections if command not in made] == []
    standing = Counter(declared.command for declared in declarations(fight))
    for correction in corrections:
        assert standing[UUID(int=correction.int - 1)] == (0 if takes_back(correction) else 1)
