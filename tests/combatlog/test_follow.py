"""Following: every event as it is recorded, in order and without gaps, across processes, until it is stopped."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import takewhile

import psycopg
import pytest

import combatlog
from combatlog.events import Event

WRITERS, TURNS = 3, 8

_WRITE = """
import sys, combatlog
url, name, turns = sys.argv[1], sys.argv[2], int(sys.argv[3])
with combatlog.open(url) as ledger:
    fight = ledger.fight(name)
    while turns:
        try:
            fight.end_turn("rurik")
            turns -= 1
        except combatlog.Refusal as refusal:  # somebody else has ended that turn
            assert refusal.code == "turn/other-round"
"""


def writer(url: str, name: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", _WRITE, url, name, str(TURNS)])


@pytest.fixture
def fights(opened: combatlog.Ledger) -> list[combatlog.RecordedFight]:
    """Fights with somebody whose turns can be ended."""
    made = [opened.new(f"fight {number}", dice="seed:1") for number in range(WRITERS)]
    for fight in made:
        fight.join("fighter", "Rurik")
        fight.start()
    return made


def until_closed(events: Iterator[Event], times: int = 1) -> list[Event]:
    """The events up to the last of so many that close a fight."""
    seen: list[Event] = []
    for event in events:
        seen.append(event)
        times -= event.kind == "encounter_closed"
        if times == 0:
            break
    return seen


@pytest.mark.slow
def test_a_fight_is_followed_while_other_processes_write_to_it(
    fights: list[combatlog.RecordedFight], database: str
) -> None:
    fight = fights[0]
    with fight.follow(after=1) as events:
        writers = [writer(database, "fight 0") for _ in range(WRITERS)]
        assert [process.wait(timeout=120) for process in writers] == [0] * WRITERS
        fight.conclude()
        seen = until_closed(events)
    assert seen == fight.history()[1:]
    assert [event.seq for event in seen] == list(range(2, len(seen) + 2))
    assert sum(event.kind == "turn_ended" for event in seen) == WRITERS * TURNS


@pytest.mark.slow
def test_a_ledger_is_followed_while_other_processes_write_to_it(
    opened: combatlog.Ledger, fights: list[combatlog.RecordedFight], database: str
) -> None:
    with opened.follow(after=0) as events:
        writers = [writer(database, f"fight {number}") for number in range(WRITERS)]
        assert [process.wait(timeout=120) for process in writers] == [0] * WRITERS
        for fight in fights:
            fight.conclude()
        seen = until_closed(events, times=WRITERS)
    for fight in fights:
        assert [event for event in seen if event.encounter == fight.id] == fight.history()
    with psycopg.connect(database) as conn:
        recorded = conn.execute(
            "SELECT originator_id, originator_version FROM combatlog.ledger_events ORDER BY notification_id"
        ).fetchall()
    assert [(event.encounter, event.seq) for event in seen] == recorded


def test_only_what_is_new_unless_told_otherwise(
    opened: combatlog.Ledger, fights: list[combatlog.RecordedFight]
) -> None:
    with fights[0].follow() as one, opened.follow() as everything:
        new = [*fights[0].end_turn("rurik"), *fights[0].conclude()]
        assert until_closed(one) == new
        assert until_closed(everything) == new


def test_a_follower_goes_on_where_another_one_stopped(
    opened: combatlog.Ledger, fights: list[combatlog.RecordedFight]
) -> None:
    with opened.follow(after=0) as events:
        first = list(takewhile(lambda event: event.kind != "round_started", events))
        position = events.position
    fights[0].conclude()
    with opened.follow(after=position) as events:
        rest = until_closed(events)
    assert rest[0].seq == first[-1].seq + 2  # the one in between ended the first part
    assert rest[-1] == fights[0].history()[-1]


def test_the_past_of_a_fork_is_its_parents(fights: list[combatlog.RecordedFight]) -> None:
    fork = fights[0].fork("what if")
    with fork.follow(after=0) as events:
        fights[0].end_turn("rurik")
        fork.conclude()
        assert until_closed(events) == fork.history()


def test_it_can_be_stopped_from_another_thread(opened: combatlog.Ledger) -> None:
    """While it waits for an event that never comes."""
    with ThreadPoolExecutor() as pool, opened.follow() as events:
        waiting = pool.submit(list, events)
        events.stop()
        assert waiting.result(timeout=60) == []


def test_closing_the_ledger_stops_it(database: str) -> None:
    with ThreadPoolExecutor() as pool:
        with combatlog.open(database) as ledger:
            waiting = pool.submit(list, ledger.follow())
        assert waiting.result(timeout=60) == []


def test_leaving_the_loop_leaves_no_thread_behind(fights: list[combatlog.RecordedFight]) -> None:
    before = threading.active_count()
    for event in fights[0].follow(after=0):
        assert event.seq == 1
        break
    assert threading.active_count() == before
