"""Watching: a second screen shows what other processes record, once and in order, from any seat."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from textual.pilot import Pilot

import combatlog
from cli.render.full_screens import WatchScreen
from ledger.store.database import URL_VARIABLE, EmbeddedPostgres
from tests.cli.conftest import Run
from tests.cli.golden_watch import FOLDER, bridge, screens, text_of, until, watched


@pytest.fixture
def ledger(cli_database: str) -> Iterator[combatlog.Ledger]:
    with combatlog.open(cli_database) as opened:
        yield opened


def command(url: str, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, URL_VARIABLE: url}
    return subprocess.Popen(
        [sys.executable, "-m", "cli.app", *arguments],
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_every_screen_is_the_one_that_was_looked_at(ledger: combatlog.Ledger) -> None:
    kept = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.txt")}
    assert {path.name: screen for path, screen in screens(bridge(ledger))} == kept


@pytest.mark.slow
def test_what_another_process_declares_appears_on_the_screen(ledger: combatlog.Ledger, cli_database: str) -> None:
    fight = bridge(ledger)

    async def look(screen: WatchScreen, pilot: Pilot[None]) -> None:
        assert "Osric's turn" not in text_of(screen)
        process = command(cli_database, "end-turn", "Bridge ambush", "snig")
        await until(pilot, lambda: "Osric's turn" in text_of(screen))
        process.communicate()
        assert process.returncode == 0
        assert "▶ Osric" in text_of(screen)

    watched(fight, "players", 80, look)


def test_it_is_drawn_again_when_the_window_changes_its_size(ledger: combatlog.Ledger) -> None:
    async def look(screen: WatchScreen, pilot: Pilot[None]) -> None:
        await pilot.resize_terminal(60, 30)
        await until(pilot, lambda: max(map(len, text_of(screen).splitlines())) <= 60)
        await pilot.resize_terminal(120, 30)
        await until(pilot, lambda: max(map(len, text_of(screen).splitlines())) > 100)
        assert "bloodied" in text_of(screen)

    watched(bridge(ledger), "players", 80, look)


NOTES = 20
_WRITE_NOTES = f"""
import sys, combatlog
with combatlog.open(sys.argv[1]) as ledger:
    for number in range({NOTES}):
        ledger.fight("fight 0").rule(note=f"note {{number}}", reason="something happened")
"""


@pytest.mark.slow
def test_two_writers_are_seen_once_and_in_order(ledger: combatlog.Ledger, cli_database: str) -> None:
    fight = ledger.new("fight 0", dice="seed:1")
    fight.join("fighter", "Rurik")
    fight.start()
    watching = command(cli_database, "watch", "fight 0", "--plain", "--from", "1")
    writers = [subprocess.Popen([sys.executable, "-c", _WRITE_NOTES, cli_database]) for _ in range(2)]
    assert [process.wait() for process in writers] == [0, 0]
    last = fight.conclude().events[-1].seq
    lines = lines_until(watching, last)
    assert [int(line.split()[0]) for line in lines] == list(range(1, last + 1))
    assert sum(f"note {NOTES - 1}" in line for line in lines) >= 2
    leave(watching)


def lines_until(watching: subprocess.Popen[str], seq: int) -> list[str]:
    assert watching.stdout is not None
    lines: list[str] = []
    while not lines or int(lines[-1].split()[0]) < seq:
        lines.append(watching.stdout.readline())
    return lines


def leave(watching: subprocess.Popen[str]) -> None:
    """^C ends it without a traceback.

    Python forgets a signal until the next one if it comes in the moment before a thread begins to wait for a lock, and
    here it comes right after a line, when `watch` begins to wait for the next. Whoever sits there would press ^C again.
    """
    for _ in range(10):
        watching.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            rest, errors = watching.communicate(timeout=10)
            break
    assert (watching.returncode, rest, errors) == (0, "", "")


def test_players_are_not_told_of_the_hidden(ledger: combatlog.Ledger, cli_database: str) -> None:
    fight = bridge(ledger)
    watching = command(cli_database, "watch", "Bridge ambush", "--as", "players", "--plain", "--from", "1")
    told = "".join(lines_until(watching, seen_by_players(fight)))
    assert "Snig takes damage and is bloodied" in told
    assert "Grak" not in told
    leave(watching)


def seen_by_players(fight: combatlog.RecordedFight) -> int:
    """The number of the last event that players see, as they count."""
    return fight.seen_by("players").seen[-1].seq


_NOTES_UNTIL_STOPPED = """
import sys, combatlog
with combatlog.open(sys.argv[1]) as ledger:
    while True:
        ledger.fight("Bridge ambush").rule(note="a bell tolls", reason="the hour")
"""


@pytest.mark.slow
def test_players_are_told_what_is_new_by_their_own_numbers(ledger: combatlog.Ledger, cli_database: str) -> None:
    """The ledger counts further than they do, because of what they do not see."""
    fight = bridge(ledger)
    before = seen_by_players(fight)
    assert before < fight.backend.latest(1)[0].seq
    watching = command(cli_database, "watch", "Bridge ambush", "--as", "players", "--plain")
    tolling = subprocess.Popen([sys.executable, "-c", _NOTES_UNTIL_STOPPED, cli_database])
    assert watching.stdout is not None
    first = watching.stdout.readline()
    for process in (tolling, watching):
        process.kill()
        process.communicate()
    assert int(first.split()[0]) > before
    assert "The GM makes a ruling" in first


@pytest.mark.slow
def test_it_waits_for_a_database_that_is_restarted(tmp_path: Path) -> None:
    """When everything has been seen, the database goes away; when that is said, it comes back, and Snig goes on."""
    server = EmbeddedPostgres(tmp_path / "postgres")
    url = server.start()
    said: list[str | None] = []
    seen: list[int] = []
    with combatlog.open(url) as opened:
        fight = bridge(opened)
        last = fight.backend.latest(1)[0].seq
        watching = fight.seen_by("gm").watch()
        for event in watching.events():
            if event is None:
                said.append(watching.problem)
                if watching.problem is not None:
                    server.start()
                    end_turn(url)
                continue
            seen.append(event.seq)
            if event.seq == last:
                server.stop()
            if event.seq == last + 3:
                watching.stop()
    server.stop()
    assert [problem is None for problem in said] == [False, True]
    assert seen[: last + 3] == list(range(1, last + 4))


def end_turn(url: str) -> None:
    with combatlog.open(url) as other:
        other.fight("Bridge ambush").end_turn("snig")


@pytest.mark.parametrize("seat", ["nobody", "player:dragon"])
def test_a_seat_that_there_is_not_is_refused(run: Run, ledger: combatlog.Ledger, seat: str) -> None:
    bridge(ledger)
    ran = run("watch", "Bridge ambush", "--as", seat, "--plain")
    assert ran.status == 1
    assert ran.code in ("view/unknown-seat", "declaration/unknown-combatant")
