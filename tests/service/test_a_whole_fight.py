"""A fight over real sockets: a GM, two players and a spectator, two worker processes, and restarts in the middle."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import httpx
import pytest

from combatlog.service.settings import VARIABLE
from combatlog.service.workers import gm_token
from tests.service.conftest import BOUNDLESS
from tests.service.test_streams import Message, messages

pytestmark = pytest.mark.slow

FIGHT = "/v1/encounters/Bridge%20ambush"


@dataclass
class Server:
    """Worker processes behind a socket that stays open while they are replaced, as a proxy's does."""

    database: str
    listener: socket.socket
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def start(self) -> None:
        settings = json.dumps(asdict(replace(BOUNDLESS, database=self.database)))
        fd = str(self.listener.fileno())
        options = [
            "--factory",
            "--fd",
            fd,
            "--workers",
            "2",
            "--timeout-graceful-shutdown",
            "5",
            "--log-level",
            "error",
        ]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", "combatlog.service.app:create_worker", *options],
            env={**os.environ, VARIABLE: settings},
            pass_fds=[self.listener.fileno()],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def stop(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)

    def restart(self) -> None:
        self.stop()
        self.start()


@dataclass
class Person:
    """Somebody with a token and a stream, who remembers all that the stream has told."""

    url: str
    token: str
    told: list[Message] = field(default_factory=list)
    client: httpx.Client = field(init=False)
    _stream: Iterator[Message] = field(default_factory=lambda: iter(()))
    _open: Any = None

    def __post_init__(self) -> None:
        self.client = httpx.Client(
            base_url=self.url, headers={"Authorization": f"Bearer {self.token}"}, timeout=120, follow_redirects=False
        )

    def say(self, path: str, **body: Any) -> dict[str, Any]:
        answer = self.client.post(f"{FIGHT}/{path}", json=body)
        assert answer.status_code < 300, answer.text
        said: dict[str, Any] = answer.json()
        return said

    def watch(self) -> None:
        """Begin, or resume after the last event that came."""
        headers = {"Accept": "text/event-stream"}
        if last := [message.id for message in self.told if message.id is not None]:
            headers["Last-Event-ID"] = str(last[-1])
        self.leave()
        self._open = self.client.stream("GET", f"{FIGHT}/events", headers=headers)
        self._stream = messages(self._open.__enter__())

    def leave(self) -> None:
        if self._open is not None:
            self._open.__exit__(None, None, None)
            self._open = None

    def read_to_the_end(self) -> None:
        """Until the server ends the stream."""
        self.told += self._stream

    def hears(self, wanted: Callable[[Message], bool]) -> Message:
        for message in self._stream:
            self.told.append(message)
            if wanted(message):
                return message
        raise AssertionError("the stream ended before it came")

    @property
    def events(self) -> list[Message]:
        return [message for message in self.told if message.event is None]


def kind(name: str) -> Callable[[Message], bool]:
    return lambda message: message.event is None and message.data["kind"] == name


def question(name: str) -> Callable[[Message], bool]:
    return lambda message: message.event == name


@contextmanager
def serving(database: str) -> Iterator[Server]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        server = Server(database, listener)
        server.start()
        try:
            yield server
        finally:
            server.stop()


def open_fight(gm: Person) -> None:
    opened = gm.client.post(
        "/v1/encounters", json={"name": "Bridge ambush", "dice": "table", "options": {"consent": "table"}}
    )
    assert opened.status_code == 201, opened.text
    gm.say("combatants", sheet="goblin", name="Snig", at=[2, 1], side="foes")
    gm.say("combatants", sheet="fighter", name="Rurik", at=[1, 1])
    gm.say("combatants", sheet="paladin", name="Osric", at=[1, 2])
    gm.say("start", dice=[20, 10, 5])


def invited(gm: Person, **seat: Any) -> Person:
    return Person(gm.url, gm.say("seats", **seat)["token"])


def test_a_gm_two_players_and_a_spectator(database: str) -> None:
    with serving(database) as server:
        gm = Person(server.url, gm_token(database))
        open_fight(gm)
        rurik = invited(gm, role="player", combatants=["rurik"], name="Rurik")
        osric = invited(gm, role="player", combatants=["osric"], name="Osric")
        everybody = [gm, rurik, osric, invited(gm, role="spectator", name="Sam")]
        for person in everybody:
            person.watch()
            assert person.hears(question("state")).data["turn"] == "snig"

        # A reaction that is answered from another seat
        gm.say("declarations", actor="snig", action="attack")
        gm.say("declarations", actor="snig", action="strike", targets=["rurik"])
        asked = osric.hears(question("asked")).data
        assert [cost["resource"] for cost in asked["choices"][0]["prices"][0]["costs"]] == ["reaction"]
        osric.say("reactions", reactor="osric", reaction="protection", dice=[15, 4])
        for person in everybody:
            assert person.hears(kind("attack_resolved")).data["hit"] is False

        # A restart while a correction waits for an answer; something happens before anybody is back
        gm.say("hurt", who=["rurik"], amount=5)
        gm.say("proposals", correction="undo", reason="a misunderstanding")
        assert rurik.hears(question("consent")).data["waiting"] == ["rurik"]
        server.restart()
        for person in everybody:
            person.read_to_the_end()
        gm.say("notes", text="where were we?")
        for person in everybody:
            person.watch()
        proposal = rurik.hears(question("consent")).data["proposal"]
        made = rurik.say(f"proposals/{proposal}/answers", who="rurik")
        assert "undone" in [event["kind"] for event in made["events"]]

        # To the end, with another restart
        gm.say("turns", who="snig")
        rurik.say("declarations", actor="rurik", action="dodge")
        server.restart()
        for person in everybody:
            person.read_to_the_end()
            person.watch()
        gm.say("conclude", reason="a truce")
        for person in everybody:
            person.hears(kind("encounter_closed"))
            person.leave()

        for person in everybody:
            check_no_gap(person)
        assert gm.client.get(f"{FIGHT}/verification").json()["findings"] == []
        state = gm.client.get(f"{FIGHT}/state").json()
        assert state["combatants"]["rurik"]["vitals"]["hp"]["current"] == 12
        for person in everybody:
            person.client.close()


def check_no_gap(person: Person) -> None:
    """From the state on, every event came once and in order, and is what a page of events has."""
    began = person.told[0].id
    assert began is not None
    recorded = person.client.get(f"{FIGHT}/events", params={"after": began, "limit": 5000}).json()["events"]
    assert [message.id for message in person.events] == list(range(began + 1, began + 1 + len(recorded)))
    assert [message.data for message in person.events] == recorded
