"""Real processes: two that write at once, and some that are killed in the middle of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any
from uuid import UUID

import pytest

from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.verify import verify
from ledger.errors import Problem
from ledger.events import Commanded, Declared, ResourceChanged
from ledger.store.ledger import LedgerStore
from projections.battle.fold import fold
from tests.attacks.damage import unguarded

ENCOUNTER = "Contested bridge"


@pytest.fixture
def fight(referee: Referee) -> str:
    """A fighter and a goblin, and it is the fighter's turn."""
    referee.open(Opening(name=ENCOUNTER, dice="seed:1"))
    sheets = rulesets.find("dnd5e")
    for sheet, name, side, place in (("fighter", "Rurik", "heroes", (1, 1)), ("goblin", "Snig", "foes", (2, 1))):
        options = {"sheet": sheets.sheet(sheet), "name": name, "side": side, "position": place}
        referee.declare(ENCOUNTER, Declaration(actor="gm", action="core:time:join", options=options))
    referee.declare(ENCOUNTER, Declaration(actor="gm", action="core:time:start"), dice=[20, 1])
    return ENCOUNTER


def spawn(url: str, what: str, count: int) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.ledger.worker", url, ENCOUNTER, what, str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def race(url: str, what: str, count: int, processes: int) -> list[str]:
    """What the processes printed, all having started to declare at the same moment."""
    racers = [spawn(url, what, count) for _ in range(processes)]
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("go\n")
        racer.stdin.flush()
    lines = [line for racer in racers for line in racer.communicate(timeout=60)[0].splitlines()]
    assert [racer.returncode for racer in racers] == [0] * processes
    return lines


@pytest.mark.slow
def test_two_processes_declaring_at_once_lose_nothing(ledger: LedgerStore, database: str, fight: str) -> None:
    acknowledged = race(database, "note", 30, 2)
    events = ledger.find(fight).events
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    commands = [str(event.command) for event in events if isinstance(event, Commanded)]
    assert len(acknowledged) == 60
    assert sorted(command for command in commands if command in acknowledged) == sorted(acknowledged)
    assert verify(ledger, fight).findings == []


@pytest.mark.slow
def test_two_processes_cannot_spend_the_same_action(ledger: LedgerStore, database: str, fight: str) -> None:
    said = race(database, "dash", 1, 4)
    assert said.count("economy/no-action-left") == 3
    assert len(said) == 4
    events = ledger.find(fight).events
    spent = [e for e in events if isinstance(e, ResourceChanged) and e.resource == "action" and e.why == "dash"]
    assert [(event.before, event.after) for event in spent] == [(1, 0)]


@pytest.mark.slow
def test_two_processes_cannot_end_two_turns(ledger: LedgerStore, database: str, fight: str) -> None:
    said = race(database, "end rurik's turn", 1, 2)
    assert sorted(said)[1] == "turn/other: It is Snig's turn, not Rurik's."  # the other line is the id of a command
    declared = [event for event in ledger.find(fight).events if isinstance(event, Declared)]
    assert [event.action for event in declared].count("core:time:end-turn") == 1
    assert fold(ledger.find(fight).events).clock.turn == "snig"


@pytest.mark.slow
def test_two_processes_cannot_end_two_turns_of_the_only_combatant(
    ledger: LedgerStore, referee: Referee, database: str, fight: str
) -> None:
    """After Rurik's turn comes Rurik's turn, so his name does not say which one is meant; the round does."""
    referee.declare(fight, Declaration(actor="snig", action="core:time:leave"))
    said = race(database, "end rurik's turn in round 1", 1, 2)
    assert [line for line in said if "/" in line] == ["turn/other-round"]
    assert fold(ledger.find(fight).events).clock.round == 2


def test_a_turn_that_somebody_else_ends_meanwhile_is_not_ended_twice(
    ledger: LedgerStore, referee: Referee, fight: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a round, the turn is meant that was in progress when the command was given."""
    referee.declare(fight, Declaration(actor="snig", action="core:time:leave"))
    ending = Declaration(actor="rurik", action="core:time:end-turn")
    slow, append = Referee(ledger), ledger.append

    def append_later(*args: Any, **kwargs: Any) -> bytes:
        monkeypatch.setattr(ledger, "append", append)
        Referee(ledger).declare(fight, ending)
        return append(*args, **kwargs)

    monkeypatch.setattr(ledger, "append", append_later)
    with pytest.raises(Refusal) as refused:
        slow.declare(fight, ending)
    assert (refused.value.code, refused.value.sentence) == ("turn/other-round", "Round 1 is over; it is round 2.")
    slow.declare(fight, ending)  # now the turn in round 2 is meant
    assert fold(ledger.find(fight).events).clock.round == 3


def test_whoever_was_slower_goes_on_from_what_the_other_recorded(ledger: LedgerStore, fight: str) -> None:
    slow, quick = Referee(ledger), Referee(ledger)
    before = slow.fight(fight).battle.seq
    quick.declare(fight, Declaration(actor="rurik", action="dash"))
    with pytest.raises(Refusal) as refused:
        slow.declare(fight, Declaration(actor="rurik", action="dash"))
    assert refused.value.code == "economy/no-action-left"
    done = slow.declare(fight, Declaration(actor="rurik", action="move", destination=(1, 2)))
    events = ledger.find(fight).events
    declared = [event.action for event in events[before:] if isinstance(event, Declared)]
    assert declared == ["dnd5e:ability:dash", "dnd5e:action:move"]
    assert list(done.events) == events[-len(done.events) :]
    assert verify(ledger, fight).findings == []


def forge_hashes(url: str) -> None:
    with unguarded(url) as conn:
        conn.execute("UPDATE combatlog.ledger_events SET hash = sha256('')")


def test_a_ledger_that_was_changed_under_a_fight_is_not_written_on(
    ledger: LedgerStore, database: str, fight: str
) -> None:
    slow, quick = Referee(ledger), Referee(ledger)
    slow.fight(fight)
    quick.declare(fight, Declaration(actor="rurik", action="dash"))
    forge_hashes(database)
    with pytest.raises(Problem) as caught:
        slow.declare(fight, Declaration(actor="rurik", action="move", destination=(1, 2)))
    assert caught.value.code == "ledger/changed"


def test_a_repeated_command_does_nothing(referee: Referee, fight: str) -> None:
    command = UUID(int=7)
    dash = Declaration(actor="rurik", action="dash")
    first = referee.declare(fight, dash, command=command)
    again = referee.declare(fight, dash, command=command)
    assert first.events
    assert not first.repeated
    assert again.repeated
    assert again.events == ()


@pytest.mark.slow
@pytest.mark.parametrize("acknowledged_before_death", [1, 2, 3, 5, 8, 13])
def test_killed_in_the_middle_of_a_command_all_of_it_is_there_or_none(
    ledger: LedgerStore, database: str, fight: str, acknowledged_before_death: int
) -> None:
    process = spawn(database, "end any turn", 100_000)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("go\n")
    process.stdin.flush()
    acknowledged = [process.stdout.readline().strip() for _ in range(acknowledged_before_death)]
    os.kill(process.pid, signal.SIGKILL)
    acknowledged += process.communicate(timeout=60)[0].split()
    events = ledger.find(fight).events
    declared = {str(event.command) for event in events if isinstance(event, Declared)}
    assert declared.issuperset(acknowledged)
    # Resolved again, a group that is half there comes out longer than it is on record.
    assert verify(ledger, fight).findings == []
    assert fold(events).seq == len(events)
