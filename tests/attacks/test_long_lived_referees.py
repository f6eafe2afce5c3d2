"""Referees that live long, beside others that write to the same fights."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

import combatlog
from combatlog.rules.engine.commands import Declaration, Opening, Reply
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.engine.resolution.session_cache import FightCache
from combatlog.rules.verification.verify import verify
from ledger.errors import Problem
from ledger.events import TurnEnded
from ledger.store.ledger import LedgerStore
from tests.attacks.bridge import END_TURN, NAME, NOTE, attack, begin

ORDER = ["snig", "rurik", "osric"]


@pytest.fixture
def other(ledger: LedgerStore) -> Referee:
    """Another referee that has known the fight since before the test's first command."""
    begin(Referee(ledger))
    other = Referee(ledger)
    other.fight(NAME)
    return other


def end_turn(referee: Referee, whose: str) -> None:
    referee.declare(NAME, Declaration(actor=whose, action=END_TURN))


def test_a_command_that_has_become_legal_is_carried_out(referee: Referee, other: Referee) -> None:
    for number in range(6):
        end_turn((referee, other)[number % 2], ORDER[number % 3])
    assert other.fight(NAME).battle.clock.round == 3


def test_an_answer_that_has_become_possible_is_given(referee: Referee, other: Referee) -> None:
    attack(referee)
    assert other.answer(NAME, Reply(reactor="osric", reaction="protection")).events
    assert referee.fight(NAME).battle.window is None


def test_what_is_refused_is_refused_on_the_newest_state(referee: Referee, other: Referee) -> None:
    end_turn(referee, "snig")
    with pytest.raises(Refusal) as refused:
        end_turn(other, "osric")
    assert refused.value.facts["turn"] == "rurik"


def test_whatever_is_read_is_current(referee: Referee, other: Referee) -> None:
    end_turn(referee, "snig")
    assert other.fight(NAME).battle.clock.turn == "rurik"
    end_turn(referee, "rurik")
    assert other.battle(NAME).clock.turn == "osric"
    end_turn(referee, "osric")
    plan = other.plan(NAME, lambda fight: undo.plan_undo(fight, undo.last(fight), by="gm", reason="test"))
    assert (plan.before.clock.turn, plan.after.clock.turn) == ("snig", "osric")


def test_the_state_of_a_fight_in_a_ledger_is_current(database: str, referee: Referee) -> None:
    begin(referee)
    with combatlog.open(database) as opened:
        fight = opened.fight(NAME)
        assert fight.battle.clock.turn == "snig"
        end_turn(referee, "snig")
        assert fight.battle.clock.turn == "rurik"


def test_corrections_of_others_are_taken_in(referee: Referee, other: Referee) -> None:
    end_turn(referee, "snig")
    end_turn(other, "rurik")
    referee.apply(referee.plan(NAME, lambda fight: undo.plan_undo(fight, undo.last(fight), by="gm", reason="test")))
    end_turn(other, "rurik")
    assert referee.fight(NAME).battle.clock.turn == "osric"


def take_turns(url: str, mine: str, turns: int) -> None:
    """End the turns of one combatant. Whenever it is refused because another one's turn is on, try again."""
    with LedgerStore.open(url) as ledger:
        referee = Referee(ledger)
        while turns:
            try:
                end_turn(referee, mine)
                turns -= 1
            except Refusal as refusal:
                if refusal.code != "turn/other":
                    raise


def test_in_threads(database: str, ledger: LedgerStore, referee: Referee) -> None:
    begin(referee)
    with ThreadPoolExecutor(len(ORDER)) as pool:
        list(pool.map(lambda whose: take_turns(database, whose, 5), ORDER))
    ended = [event.combatant for event in ledger.find(NAME).events if isinstance(event, TurnEnded)]
    assert ended == ORDER * 5
    assert verify(ledger, NAME).findings == []


@pytest.mark.slow
def test_in_processes(database: str, ledger: LedgerStore, referee: Referee) -> None:
    begin(referee)
    code = "import sys; from tests.attacks.test_long_lived_referees import take_turns as t; t(*sys.argv[1:3], 5)"
    root = Path(__file__).parents[2]
    workers = [subprocess.Popen([sys.executable, "-c", code, database, whose], cwd=root) for whose in ORDER]
    assert [worker.wait(timeout=60) for worker in workers] == [0, 0, 0]
    ended = [event.combatant for event in ledger.find(NAME).events if isinstance(event, TurnEnded)]
    assert ended == ORDER * 5
    assert verify(ledger, NAME).findings == []


def test_a_fight_that_cannot_be_caught_up_with_is_read_again(database: str, referee: Referee, other: Referee) -> None:
    """An administrator puts back an older state of the fight, as a restore does."""
    end_turn(referee, "snig")
    end_turn(other, "rurik")
    with psycopg.connect(database) as conn:
        conn.execute("ALTER TABLE combatlog.ledger_events DISABLE TRIGGER append_only")
        conn.execute("DELETE FROM combatlog.ledger_events WHERE originator_version > %s", [_turn_of(other, "rurik")])
        conn.execute("ALTER TABLE combatlog.ledger_events ENABLE TRIGGER append_only")
    with pytest.raises(Problem) as caught:
        other.fight(NAME)
    assert caught.value.code == "ledger/changed"
    assert other.fight(NAME).battle.clock.turn == "rurik"
    end_turn(other, "rurik")


def _turn_of(referee: Referee, who: str) -> int:
    events = referee.fight(NAME).events
    return next(e.seq for e in events if e.kind == "turn_started" and e.model_dump()["combatant"] == who)


def test_only_so_many_fights_are_remembered(ledger: LedgerStore) -> None:
    remembered = FightCache(fights=3)
    referee = Referee(ledger, remembered=remembered)
    for number in range(6):
        referee.open(Opening(name=f"fight {number}"))
        referee.declare("fight 0", NOTE)
        assert len(remembered) <= 3
    kept = [name for number in range(6) if remembered.get(referee.battle(name := f"fight {number}").id)]
    assert kept == ["fight 0", "fight 4", "fight 5"]


def test_only_so_many_events_are_remembered(ledger: LedgerStore) -> None:
    remembered = FightCache(events=40)
    referee = Referee(ledger, remembered=remembered)
    names = [f"fight {number}" for number in range(5)]
    for name in names:
        referee.open(Opening(name=name))
    for number in range(60):
        referee.declare(names[number % 4], NOTE)
        assert remembered.events <= 40
    for _ in range(30):
        referee.declare(names[4], NOTE)
    assert len(remembered) == 1, "the fight in use is kept, however long it is"
    assert [len(referee.fight(name).events) for name in names] == [31, 31, 31, 31, 61]
