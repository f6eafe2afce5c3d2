"""Threads that share one ledger: nothing is lost or recorded twice, and nothing that is legal is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import TypeVar
from uuid import UUID, uuid4

import pytest

import combatlog
from combatlog.testing import all_of
from ledger.events import Declared, Event, Rolled
from projections.battle.fold import fold
from projections.battle.snapshots import battle_to_bytes
from tests.service.conftest import BOUNDLESS, listening

HP = 1000
T = TypeVar("T")
Acknowledged = dict[UUID, combatlog.Outcome]


def at_once(threads: int, work: Callable[[int], T]) -> list[T]:
    """The results of threads that start at the same moment; an error in one of them fails the test."""
    ready = Barrier(threads)

    def start(number: int) -> T:
        ready.wait()
        return work(number)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(start, range(threads)))


def open_fights(ledger: combatlog.Ledger, count: int) -> list[combatlog.RecordedFight]:
    fights = [ledger.new(f"bridge {number}", dice="seed:1") for number in range(count)]
    for fight in fights:
        fight.join("fighter", "Rurik", (1, 1), overrides={"hp": HP})
        fight.join("goblin", "Snig", (2, 1), side="foes")
        fight.start()
    return fights


def play(fight: combatlog.RecordedFight, commands: int) -> Acknowledged:
    """Hurt Rurik by 1 with every second command, and look at the fight in between."""
    given: Acknowledged = {}
    for number in range(commands):
        command = uuid4()
        if number % 2:
            given[command] = fight.note(f"note {number}", about="rurik", command_id=command)
        else:
            given[command] = fight.hurt("rurik", 1, command_id=command)
        assert fight.seen_by().who("sni") == "snig"
        assert fight.seen_by().actions("rurik")
        assert len(fight.backend.latest(3)) == 3
    return given


def check(fight: combatlog.RecordedFight, given: Acknowledged) -> None:
    history = fight.history()
    assert [event.seq for event in history] == list(range(1, len(history) + 1))
    recorded = Counter(event.command for event in history if isinstance(event, Declared))
    acknowledged = [event.command for outcome in given.values() for event in outcome if isinstance(event, Declared)]
    assert len(acknowledged) == len(given)
    assert {command: recorded[command] for command in acknowledged} == dict.fromkeys(acknowledged, 1)
    for outcome in given.values():
        assert _is_part_of(history, outcome.events)
        assert battle_to_bytes(outcome.state) == battle_to_bytes(fold(history[: outcome.events[-1].seq]))
    assert battle_to_bytes(fight.battle) == battle_to_bytes(fight.state()) == battle_to_bytes(fold(history))
    hurt = sum(any(event.kind == "damaged" for event in outcome) for outcome in given.values())
    assert fight.battle.combatants["rurik"].vitals["hp"].current == HP - hurt
    assert 2 * hurt == len(given)
    assert fight.verify().findings == []


def _is_part_of(history: Sequence[Event], events: Sequence[Event]) -> bool:
    return history[events[0].seq - 1 : events[-1].seq] == list(events)


def play_at_once(ledger: combatlog.Ledger, fights: int, threads: int, commands: int) -> None:
    """Spread the threads over the fights, and check each fight when all of them are done."""
    opened = open_fights(ledger, fights)
    given = at_once(threads, lambda number: play(opened[number % fights], commands))
    for place, fight in enumerate(opened):
        mine = [acknowledged for number, acknowledged in enumerate(given) if number % fights == place]
        check(fight, {command: outcome for one in mine for command, outcome in one.items()})


@pytest.fixture
def remote(database: str) -> Iterator[combatlog.RemoteLedger]:
    """The same ledger, behind a service."""
    with combatlog.open(database) as ledger:
        token = ledger.seats.invite("gm").token
    with listening(replace(BOUNDLESS, database=database)) as url, combatlog.connect(url, token) as ledger:
        yield ledger


@pytest.mark.parametrize("fights", [1, 2])
def test_threads_play_in_one_ledger(opened: combatlog.Ledger, fights: int) -> None:
    play_at_once(opened, fights, threads=4, commands=8)


def test_threads_play_in_one_remote_ledger(remote: combatlog.RemoteLedger) -> None:
    play_at_once(remote, 1, threads=4, commands=8)


@pytest.mark.slow
@pytest.mark.parametrize("fights", [1, 4])
def test_eight_threads_play_in_one_ledger(opened: combatlog.Ledger, fights: int) -> None:
    play_at_once(opened, fights, threads=8, commands=50)


@pytest.mark.slow
@pytest.mark.parametrize("fights", [1, 4])
def test_eight_threads_play_in_one_remote_ledger(remote: combatlog.RemoteLedger, fights: int) -> None:
    play_at_once(remote, fights, threads=8, commands=50)


def test_a_follower_sees_all_that_threads_record(opened: combatlog.Ledger) -> None:
    (fight,) = open_fights(opened, 1)
    with fight.follow(after=0) as following:
        at_once(4, lambda _: play(fight, 2))
        recorded = fight.history()
        assert [next(following) for _ in recorded] == recorded


def test_automatic_play_goes_on_while_other_threads_write(opened: combatlog.Ledger) -> None:
    """It waits between two steps for as long as its reader likes, and nobody waits for it meanwhile."""
    (fight,) = open_fights(opened, 1)
    steps = fight.auto(rounds=1)
    next(steps)
    at_once(2, lambda _: play(fight, 4))
    list(steps)
    assert fight.battle.clock.round == 2
    assert battle_to_bytes(fight.battle) == battle_to_bytes(fold(fight.history()))
    assert fight.verify().findings == []


def test_threads_that_open_the_same_fight_get_one(opened: combatlog.Ledger) -> None:
    command = uuid4()
    made = at_once(4, lambda _: opened.new("bridge", command_id=command))
    assert {fight.id for fight in made} == {made[0].id}
    assert len(made[0].history()) == 1


def test_a_fight_has_its_keeper_while_the_keeper_answers(opened: combatlog.Ledger, tmp_path: Path) -> None:
    """Other threads that use the same fight need it at that moment, too."""
    fight = opened.new("duel", dice="shared")
    during: list[combatlog.Keeper | None] = []

    class Looking(combatlog.Keeper):
        def answer(self, fight_of_keeper: combatlog.Fight, *, by: str | None = None) -> list[combatlog.Outcome]:
            during.append(fight.keeper)
            return super().answer(fight_of_keeper, by=by)

    fight.join("fighter", "Rurik")
    keeper = fight.keeper = Looking(tmp_path)
    keeper.sit(fight, "rurik")
    outcome = fight.roll("1d20", "luck", who="rurik")
    assert during == [keeper]
    assert len(all_of(outcome, Rolled)) == 1
    assert fight.outcome is outcome
