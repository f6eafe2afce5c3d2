"""A service that is killed, whose database goes away, whose readers do not read, and that has very many of them."""

from __future__ import annotations

import re
import selectors
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event

import httpx
import pytest

from ledger.store.database import EmbeddedPostgres
from tests.effort import often
from tests.faults.customers import Customers, check_once, open_fights
from tests.faults.servers import kill_server
from tests.service.conftest import FIGHT, set_up
from tests.service.processes import Running, free_port, running
from tests.service.test_streams import messages

pytestmark = pytest.mark.slow

KILLS = often(1, 3, soak=200)
RESTARTS = often(1, 2, soak=10)
STREAMS = often(20, 60, soak=1000)
EVENTS = 20
_NOT_OPEN = ("06", "0A")
"""Connections that are over and only waited out, and sockets that listen, as Linux numbers them."""
_ID = re.compile(rb"^id: (\d+)$", re.MULTILINE)


def test_killing_the_service(database: str) -> None:
    """At a random moment, again and again. Clients repeat by key what was not acknowledged."""
    token, fights = open_fights(database, 4)
    port, chance = free_port(), Random(KILLS)
    service = Running(database, port)
    people = Customers(service.url, token, fights)
    try:
        for _ in range(KILLS):
            people.wait_for(chance.randrange(1, 40))
            service.kill()
            service = Running(database, port)
        people.wait_for(10)
    finally:
        acknowledged = people.leave()
        service.stop()
    assert len(acknowledged) > KILLS
    check_once(database, fights, acknowledged)


def test_restarting_the_database(own_server: EmbeddedPostgres) -> None:
    """Commands are answered with 503 and repeated; a stream stays open and misses nothing."""
    database = own_server.start()
    token, fights = open_fights(database, 2)
    with running(database) as service:
        path = f"{service.url}/v1/encounters/{fights[0]}"
        headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
        people = Customers(service.url, token, fights)
        try:
            with httpx.stream("GET", f"{path}/events?after=1", headers=headers, timeout=60) as answer:
                stream = messages(answer)
                for chance in range(RESTARTS):
                    people.wait_for(Random(chance).randrange(1, 20))
                    kill_server(own_server)
                    assert own_server.start() == database
                people.wait_for(20)
                acknowledged = people.leave()
                last = httpx.get(f"{path}/state", headers=headers).json()["seq"]
                seqs = [1]
                while seqs[-1] < last:
                    seqs.append(next(stream).id or seqs[-1])
        finally:
            people.leave()
        assert httpx.get(f"{service.url}/readyz").status_code == 200
    assert seqs == list(range(1, last + 1))
    check_once(database, fights, acknowledged)


class Readers:
    """Connections that each read a stream, without a thread for each."""

    def __init__(self, url: str, token: str, count: int, *, buffer: int | None = None) -> None:
        self._selector = selectors.DefaultSelector()
        self.got: dict[socket.socket, bytes] = {}
        address = httpx.URL(url)
        request = (
            f"GET /v1/encounters/{FIGHT}/events?after=1 HTTP/1.1\r\nHost: {address.host}\r\n"
            f"Authorization: Bearer {token}\r\nAccept: text/event-stream\r\n\r\n"
        ).encode()
        for _ in range(count):
            made = socket.socket()
            if buffer is not None:
                made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
            made.settimeout(60)
            made.connect((address.host, address.port))
            made.sendall(request)
            self.got[made] = made.recv(512)
            assert self.got[made].startswith(b"HTTP/1.1 200"), self.got[made]
            self._selector.register(made, selectors.EVENT_READ)

    def read_until(self, seq: int) -> None:
        """Until everybody has got the event with this number."""
        left, last = set(self.got), b"\nid: %d\n" % seq
        while left:
            ready = self._selector.select(timeout=60)
            assert ready, f"{len(left)} readers got nothing any more"
            for key, _ in ready:
                reader = key.fileobj
                assert isinstance(reader, socket.socket)
                self.got[reader] += reader.recv(1 << 20)
                if last in self.got[reader]:
                    left.discard(reader)

    def close(self) -> None:
        for reader in self.got:
            reader.close()
        self._selector.close()


@contextmanager
def reading(service: Running, token: str, count: int, *, buffer: int | None = None) -> Iterator[Readers]:
    readers = Readers(service.url, token, count, buffer=buffer)
    try:
        yield readers
    finally:
        readers.close()


def record(service: Running, token: str, text: str, times: int) -> int:
    """Some notes by the GM; the number of the last event."""
    with httpx.Client(base_url=service.url, headers={"Authorization": f"Bearer {token}"}, timeout=60) as client:
        answers = [client.post(f"/v1/encounters/{FIGHT}/notes", json={"text": text}) for _ in range(times)]
    assert {answer.status_code for answer in answers} == {200}
    return int(answers[-1].json()["seq"])


def test_many_streams_get_every_event(database: str) -> None:
    """In one process, each of them once and in order."""
    token = set_up(database)["gm"]
    settings = f'{{"streams_per_seat": {STREAMS}, "burst": {2 * STREAMS}}}'
    with running(database, COMBATLOG_SERVE=settings) as service, reading(service, token, STREAMS) as readers:
        last = record(service, token, "it rains", EVENTS)
        readers.read_until(last)
        for got in readers.got.values():
            assert [int(number) for number in _ID.findall(got)] == list(range(2, last + 1))


def test_readers_that_never_read_are_disconnected(database: str) -> None:
    """With all that waits for them. Others get everything meanwhile, and the silent can resume."""
    token, text = set_up(database)["gm"], "x" * 2000
    with running(database, COMBATLOG_SERVE='{"send_within": 1, "most_waiting": 200000, "burst": 1000}') as service:
        with reading(service, token, 5, buffer=2048) as silent, reading(service, token, 1) as attentive:
            for _ in range(30):  # more than a megabyte for each of them
                last = record(service, token, text, 10)
                attentive.read_until(last)
            assert _until(lambda: _streams(service) == 1)
            assert _until(lambda: _connections(service) == 1)  # let go of, with what waited for them
            assert len(silent.got) == 5
        with reading(service, token, 1) as resumed:
            resumed.read_until(last)


def _streams(service: Running) -> int:
    return int(httpx.get(f"{service.url}/readyz", headers={"Connection": "close"}).json()["streams"])


def _connections(service: Running) -> int:
    """That are open at the service's end."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    port = httpx.URL(service.url).port
    return sum(int(local.rpartition(":")[2], 16) == port and state not in _NOT_OPEN for _, local, _, state, *_ in lines)


def _until(happened: Callable[[], bool]) -> bool:
    """Whether it happens within a minute."""
    pause = Event()
    return any(happened() or pause.wait(0.2) for _ in range(300))
