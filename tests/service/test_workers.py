"""Several workers on one port, and several services on one database: everything is done once and told once."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from threading import Barrier

import httpx
import pytest

import combatlog
from tests.service.conftest import FIGHT, set_up
from tests.service.processes import Running, running
from tests.service.test_streams import Message, messages

pytestmark = pytest.mark.slow

KEYS = 12
NOTE = {"note": "it rains", "reason": "mood"}
_ATTEMPTS = 300
"""Connections that are tried until each worker has got some: the kernel deals them out as it likes."""


@pytest.fixture
def tokens(database: str) -> dict[str, str]:
    return set_up(database)


@pytest.fixture
def workers(database: str, tokens: dict[str, str]) -> Iterator[Running]:
    with running(database, workers=2) as service:
        yield service


def headers(token: str, **more: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}", **more}


def note(url: str, token: str, key: str) -> httpx.Response:
    sent = headers(token, **{"Idempotency-Key": key})
    return httpx.post(f"{url}/v1/encounters/{FIGHT}/rulings", json=NOTE, headers=sent, timeout=60)


@contextmanager
def watching(url: str, token: str, **more: str) -> Iterator[httpx.Response]:
    sent = headers(token, Accept="text/event-stream", **more)
    with httpx.stream("GET", f"{url}/v1/encounters/{FIGHT}/events", headers=sent, timeout=60) as answer:
        assert answer.status_code == 200
        yield answer


def on_each_worker(stack: ExitStack, service: Running, token: str) -> dict[int, httpx.Response]:
    """A stream at each of the two workers, by process."""
    found: dict[int, httpx.Response] = {}
    for number in range(_ATTEMPTS):
        with ExitStack() as attempt:
            name = f"watch-{number}"
            answer = attempt.enter_context(watching(service.url, token, **{"X-Request-ID": name}))
            if found.setdefault(service.worker_of(name), answer) is answer:
                stack.push(attempt.pop_all())
        if len(found) == 2:
            return found
    raise AssertionError("one worker got all connections")


def told(stream: Iterator[Message], upto: int) -> list[int]:
    """The numbers of the events, up to this one."""
    seqs = [0]
    while seqs[-1] < upto:
        message = next(stream)
        if message.event is None and message.id is not None:
            seqs.append(message.id)
    return seqs[1:]


def test_a_key_sent_to_two_services_at_once_is_done_once(database: str, tokens: dict[str, str]) -> None:
    with running(database) as one, running(database) as other, ThreadPoolExecutor(4) as people:
        urls, together = [one.url, other.url] * 2, Barrier(4)

        def send(url: str, number: int) -> httpx.Response:
            together.wait(timeout=60)
            return note(url, tokens["gm"], f"rain-{number}")

        for number in range(KEYS):
            answers = list(people.map(send, urls, [number] * 4))
            assert {answer.status_code for answer in answers} == {200}
            assert sorted(answer.json()["repeated"] for answer in answers) == [False, True, True, True]
            assert len({str(answer.json()["events"]) for answer in answers}) == 1
    with combatlog.open(database) as ledger:
        fight = ledger.fight(FIGHT)
        assert sum(event.kind == "ruled" for event in fight.history()) == KEYS
        assert fight.verify().stands


def test_streams_at_either_worker_get_every_event_once(workers: Running, database: str, tokens: dict[str, str]) -> None:
    with ExitStack() as stack, combatlog.open(database) as ledger:
        streams = {pid: messages(answer) for pid, answer in on_each_worker(stack, workers, tokens["gm"]).items()}
        begun = {next(stream).id for stream in streams.values()}
        with ThreadPoolExecutor(4) as people:
            answers = list(people.map(lambda number: note(workers.url, tokens["gm"], str(number)), range(3 * KEYS)))
        assert {answer.status_code for answer in answers} == {200}
        ledger.fight(FIGHT).end_turn("snig")  # by a process that is no service
        seqs = [event.seq for event in ledger.fight(FIGHT).history()]
        (seen,) = begun
        for pid, stream in streams.items():
            assert told(stream, seqs[-1]) == [seq for seq in seqs if seq > (seen or 0)], pid


def test_streams_end_and_hooks_run_when_it_is_told_to_stop(workers: Running, tokens: dict[str, str]) -> None:
    with ExitStack() as stack:
        streams = [messages(answer) for answer in on_each_worker(stack, workers, tokens["gm"]).values()]
        for stream in streams:
            assert next(stream).event == "state"
        assert workers.stop() == 0
        for stream in streams:
            assert list(stream) == []  # complete: a stream that is cut off raises
    assert len(workers.told("Application shutdown complete.")) == 2


def test_a_worker_that_dies_is_replaced_and_its_readers_resume(
    workers: Running, database: str, tokens: dict[str, str]
) -> None:
    with ExitStack() as stack:
        streams = on_each_worker(stack, workers, tokens["gm"])
        victim, survivor = streams
        going_on = messages(streams[survivor])
        seen = next(going_on).id
        os.kill(victim, signal.SIGKILL)
        with pytest.raises(httpx.TransportError):
            list(messages(streams[victim]))
        workers.wait_for(lambda: len(workers.told("Application startup complete.")) == 3)
        last = note(workers.url, tokens["gm"], "rain").json()["seq"]
        assert told(going_on, last)[-1] == last
        with watching(workers.url, tokens["gm"], **{"Last-Event-ID": str(seen)}) as resumed:
            assert told(messages(resumed), last)[-1] == last


def test_a_seat_that_is_revoked_elsewhere_stops_watching_here(
    workers: Running, database: str, tokens: dict[str, str]
) -> None:
    """At the other worker, or on the command line."""
    with combatlog.open(database) as ledger, ExitStack() as stack:
        held = ledger.seats.find(tokens["rurik"])
        assert held is not None
        streams = on_each_worker(stack, workers, tokens["rurik"])
        ledger.seats.revoke(held.id, FIGHT)
        for answer in streams.values():
            assert [message.event for message in messages(answer)] == ["state"]
        refused = httpx.get(f"{workers.url}/v1/seat", headers=headers(tokens["rurik"]))
        assert refused.status_code == 401


def test_each_worker_tells_what_all_of_them_count(workers: Running, tokens: dict[str, str]) -> None:
    with ExitStack() as stack:
        on_each_worker(stack, workers, tokens["gm"])
        for _ in range(KEYS):
            httpx.get(f"{workers.url}/v1/seat", headers=headers(tokens["gm"]))
        counted = httpx.get(f"{workers.url}/metrics", headers=headers(tokens["host"])).text
    requests = {line.rpartition(" ")[0]: line.rpartition(" ")[2] for line in counted.splitlines()}
    assert requests['combatlog_requests_total{method="GET",route="/seat",status="200"}'] == f"{KEYS}.0"
    assert "pid=" not in counted
