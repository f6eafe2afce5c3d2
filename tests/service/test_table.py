"""A GM, two players and a spectator play a fight over real sockets, and the server is restarted in the middle.

The server is a process of its own, stopped as an operator stops it. Everybody resumes where they were.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Condition, Event, Thread

import httpx
import pytest

import combatlog
from ledger.store.database import URL_VARIABLE
from tests.service.conftest import FIGHT, set_up
from tests.service.test_streams import Message, messages

pytestmark = pytest.mark.slow

SEATS = ("gm", "rurik", "osric", "spectator")
STRIKE = {"actor": "snig", "action": "strike", "targets": ["rurik"]}
ANSWER = {"reactor": "osric", "reaction": "protection", "dice": [17, 3]}
"""Osric gets in the way, so the strike has disadvantage: 17 and 3, and the 3 misses."""


class Player:
    """Somebody at the table: commands, and one stream, which is resumed whenever it ends."""

    def __init__(self, url: str, token: str, seen: int) -> None:
        self.got: list[Message] = []
        self.last = seen
        self._url = url
        self._headers = {"Authorization": f"Bearer {token}"}
        self._news = Condition()
        self._done = Event()
        self._thread = Thread(target=self._watch)
        self._thread.start()

    def wait_for(self, seq: int) -> None:
        with self._news:
            assert self._news.wait_for(lambda: self.last >= seq, timeout=60)

    def leave(self) -> None:
        self._done.set()
        self._thread.join(timeout=60)
        assert not self._thread.is_alive()

    def _watch(self) -> None:
        while not self._done.wait(0.1):
            with suppress(httpx.TransportError):  # the server is away; it comes back
                self._read()

    def _read(self) -> None:
        headers = {**self._headers, "Accept": "text/event-stream", "Last-Event-ID": str(self.last)}
        with httpx.stream("GET", f"{self._url}/events", headers=headers, timeout=60) as answer:
            for message in messages(answer):
                with self._news:
                    self.got.append(message)
                    self.last = message.id or self.last
                    self._news.notify_all()

    def post(self, path: str, body: object, key: str) -> httpx.Response:
        headers = {**self._headers, "Idempotency-Key": key}
        return httpx.post(f"{self._url}/{path}", json=body, headers=headers, timeout=60)


@contextmanager
def served(database: str, port: int) -> Iterator[subprocess.Popen[str]]:
    """`combatlog serve` until the end of the block, once it answers."""
    command = [sys.executable, "-m", "cli.app", "serve", "--port", str(port)]
    environment = {**os.environ, URL_VARIABLE: database}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr is not None
            assert any("Application startup complete" in line for line in process.stderr)
            Thread(target=process.stderr.read, daemon=True).start()
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_fight_across_a_restart(database: str, port: int) -> None:
    tokens = set_up(database)
    url = f"http://127.0.0.1:{port}/v1/encounters/{FIGHT}"
    begun = {seat: seen[-1] for seat, seen in _seen(database, tokens).items()}
    people: dict[str, Player] = {}
    with served(database, port) as process:
        assert process.stdout is not None
        assert "/join?token=" in process.stdout.readline() + process.stdout.readline()
        people |= {seat: Player(url, tokens[seat], begun[seat]) for seat in SEATS}
        gm, rurik, osric = people["gm"], people["rurik"], people["osric"]
        assert gm.post("declarations", {"actor": "snig", "action": "attack"}, "1").status_code == 200
        asked = gm.post("declarations", STRIKE, "2").json()
        assert asked["window"]["waiting"]["reactor"] == "osric"
        gm.wait_for(asked["seq"])
        process.send_signal(signal.SIGTERM)  # while the fight waits for an answer, and streams are open
        process.wait(timeout=30)
    with served(database, port):
        assert gm.post("declarations", STRIKE, "2").json() == {**asked, "repeated": True}
        assert rurik.post("reactions", ANSWER, "3").status_code == 403
        assert osric.post("reactions", ANSWER, "3").status_code == 200
        assert gm.post("turns", {"who": "snig"}, "4").status_code == 200
        assert rurik.post("turns", {"who": "rurik"}, "5").status_code == 200
        assert gm.post("corrections", {"correction": "undo", "reason": "not yet"}, "6").status_code == 200
        assert gm.post("conclude", {"reason": "peace"}, "7").status_code == 200
        seen = _seen(database, tokens)
        for seat, person in people.items():
            person.wait_for(seen[seat][-1])
    for seat, person in people.items():
        person.leave()
        expected = [seq for seq in seen[seat] if seq > begun[seat]]
        assert [message.id for message in person.got if message.id is not None] == expected, seat
    assert any(message.event == "asked" for message in osric.got)
    assert all(message.event != "asked" for message in rurik.got)


def _seen(database: str, tokens: dict[str, str]) -> dict[str, list[int]]:
    """What each of them may see of the fight, in which nothing is wrong."""
    with combatlog.open(database) as ledger:
        fight = ledger.fight(FIGHT)
        assert fight.verify().stands
        held = {seat: ledger.seats.find(tokens[seat]) for seat in SEATS}
        return {seat: [event.seq for event in fight.seen_by(one.seat).seen] for seat, one in held.items() if one}
