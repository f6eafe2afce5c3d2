"""Streams: the state first, then every event once and in order; resumed without gaps; nobody holds up anybody."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import httpx
import pytest

import combatlog
from combatlog.service.event_streams import EventStream, StreamDispatcher, Subscriber, push_to
from tests.rules.veils_ruleset import WAYS_TO_BE_UNSEEN
from tests.service.conftest import Service, sit_briefly

Make = Callable[..., Service]


class Message(NamedTuple):
    id: int | None
    event: str | None
    data: Any


@contextmanager
def watching(service: Service, seat: str, path: str = "events", **headers: str) -> Iterator[Iterator[Message]]:
    sent = {"accept": "text/event-stream", **headers}
    with service.client(seat).stream("GET", service.at(path), headers=sent) as answer:
        assert answer.status_code == 200, answer.read()
        yield messages(answer)


def messages(answer: httpx.Response) -> Iterator[Message]:
    """As a browser reads them: fields up to an empty line; comments and what has no data are left out."""
    fields: dict[str, str] = {}
    for line in answer.iter_lines():
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "data" in fields:
            yield Message(
                int(fields["id"]) if "id" in fields else None, fields.get("event"), json.loads(fields["data"])
            )
            fields = {}
        else:
            fields = {}


def take(stream: Iterator[Message], count: int) -> list[Message]:
    return [next(stream) for _ in range(count)]


def test_the_state_comes_first_then_every_event(service: Service, fight: combatlog.RecordedFight) -> None:
    with watching(service, "gm") as stream:
        first = next(stream)
        assert (first.event, first.id, first.data["turn"]) == ("state", fight.battle.seq, "snig")
        recorded = fight.end_turn("snig").events  # by another process, as far as the service knows
        told = take(stream, len(recorded))
    assert [message.id for message in told] == [event.seq for event in recorded]
    assert [message.data for message in told] == [
        event.model_dump(mode="json", exclude_none=True) for event in recorded
    ]


def test_what_was_recorded_here_comes_once(service: Service) -> None:
    with watching(service, "gm") as stream:
        next(stream)
        done = [service.post("gm", "rulings", {"note": str(number), "reason": "mood"}) for number in range(5)]
        expected = [event["seq"] for answer in done for event in answer.json()["events"]]
        assert [message.id for message in take(stream, len(expected))] == expected


@pytest.mark.parametrize("how", ["Last-Event-ID", "after"])
def test_resuming_leaves_no_gap(service: Service, fight: combatlog.RecordedFight, how: str) -> None:
    fight.end_turn("snig")
    seqs = [event.seq for event in fight.history()]
    path, headers = ("events?after=5", {}) if how == "after" else ("events", {"Last-Event-ID": "5"})
    with watching(service, "gm", path, **headers) as stream:
        assert [message.id for message in take(stream, len(seqs) - 5)] == seqs[5:]


@pytest.mark.parametrize("opening", [{"ruleset": name} for name in WAYS_TO_BE_UNSEEN], ids=WAYS_TO_BE_UNSEEN)
def test_players_see_only_what_they_may(service: Service, fight: combatlog.RecordedFight) -> None:
    with watching(service, "rurik", "events?after=1") as stream:
        fight.rule("grimjaw", set={"hp": 3}, reason="Grimjaw stumbled")
        fight.end_turn("snig")
        told = [next(stream)]
        while told[-1].data["kind"] != "turn_started" or told[-1].data["combatant"] != "rurik":
            told.append(next(stream))
    assert "grimjaw" not in str(told).lower()
    assert [message.id for message in told] == sorted({message.id or 0 for message in told})


def test_whoever_is_asked_is_told(service: Service, fight: combatlog.RecordedFight) -> None:
    """Osric can protect Rurik, who stands beside him."""
    with watching(service, "osric") as osric, watching(service, "rurik") as rurik:
        next(osric), next(rurik)
        service.post("gm", "declarations", {"actor": "snig", "action": "attack"})
        asked = service.post("gm", "declarations", {"actor": "snig", "action": "strike", "targets": ["rurik"]}).json()
        assert asked["window"]["waiting"]["reactor"] == "osric"
        message = next(message for message in osric if message.event == "asked")
        window = service.get("osric", "state").json()["window"]  # by Osric's own numbers
        assert (message.data["reactor"], message.data["window"]) == ("osric", window["seq"])
        answer = {"reactor": "osric", "reaction": None, "dice": [1]}
        assert service.post("osric", "reactions", answer).status_code == 200
        assert all(message.event != "asked" for message in take(rurik, 5))


def test_a_spectator_with_a_delay_sees_nothing_new_yet(service: Service, fight: combatlog.RecordedFight) -> None:
    late = service.post("gm", "seats", {"role": "spectator", "delay": 3600}).json()
    service.tokens["late"] = late["token"]
    soon = service.post("gm", "seats", {"role": "spectator", "delay": 1}).json()
    service.tokens["soon"] = soon["token"]
    fight.end_turn("snig")
    assert service.get("late", "events").json()["events"] == []
    assert service.get("late", "state").status_code == 409
    with watching(service, "soon", "events?after=1") as stream:
        assert next(message for message in stream if message.data["kind"] == "turn_ended")


def test_too_many_streams(make_service: Make) -> None:
    service = make_service(streams_per_seat=1)
    with watching(service, "gm") as stream:
        next(stream)
        refused = service.get("gm", "events", accept="text/event-stream")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "5")
        with watching(service, "rurik") as other:
            next(other)


def test_a_wrong_last_event_id(service: Service) -> None:
    refused = service.get("gm", "events", accept="text/event-stream", **{"Last-Event-ID": "x"})
    assert refused.json()["code"] == "request/last-event-id"


def test_whoever_knows_more_than_there_is_gets_the_state(service: Service) -> None:
    """A ledger may have been restored since."""
    with watching(service, "rurik", **{"Last-Event-ID": "5000"}) as stream:
        assert next(stream).event == "state"


def test_a_seat_that_is_taken_away_stops_watching(service: Service) -> None:
    (seat,) = (one for one in service.get("gm", "seats").json() if one["name"] == "Rurik")
    with watching(service, "rurik") as stream:
        next(stream)
        service.client("gm").delete(service.at(f"seats/{seat['seat']}"))
        assert list(stream) == []


def test_a_seat_that_expires_stops_watching(service: Service, database: str) -> None:
    sit_briefly(service, database, seconds=1.5)
    with watching(service, "brief") as stream:
        next(stream)
        assert list(stream) == []


def test_silence_is_broken_by_signs_of_life(make_service: Make) -> None:
    service = make_service(keep_alive=0.05)
    with service.client("gm").stream("GET", service.at("events"), headers={"accept": "text/event-stream"}) as answer:
        assert ": keep-alive" in (line for line in answer.iter_lines())


def test_a_reader_that_never_reads_is_let_go() -> None:
    async def scenario() -> tuple[list[str], bool]:
        subscriber, left, sent = Subscriber(StreamDispatcher(asyncio.get_running_loop()), 1000), asyncio.Event(), []

        async def send(message: Any) -> None:
            sent.append(message["type"])
            if message["type"] == "http.response.body":
                await asyncio.Event().wait()

        async def receive() -> Any:
            return await asyncio.Event().wait()

        stream = EventStream(subscriber, b"first", keep_alive=5, send_within=0.01, left=left.set)
        await stream({}, receive, send)
        return sent, left.is_set() and subscriber.too_slow

    assert asyncio.run(scenario()) == (["http.response.start", "http.response.body"], True)


def test_a_subscriber_is_let_go_when_too_much_waits() -> None:
    async def scenario() -> tuple[bytes | None, bytes | None, bool]:
        subscriber = Subscriber(StreamDispatcher(asyncio.get_running_loop()), most_waiting=10)
        subscriber.take(b"12345")
        first = await subscriber.next()
        subscriber.take(b"123456")
        subscriber.take(b"123456")
        return first, await subscriber.next(), subscriber.too_slow

    assert asyncio.run(scenario()) == (b"12345", None, True)


class Connection:
    """What a stream sends to: it takes everything, until it is full."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.room = asyncio.Event()
        self.room.set()

    async def send(self, message: Any) -> None:
        await self.room.wait()
        if message["type"] == "http.response.body":
            self.sent.append(message["body"])

    async def receive(self) -> Any:
        return await asyncio.Event().wait()


async def streaming(connection: Connection, subscriber: Subscriber) -> asyncio.Task[None]:
    """A stream that has sent what comes first."""
    stream = EventStream(subscriber, b"first", keep_alive=60, send_within=60, left=lambda: None)
    task = asyncio.create_task(stream({}, connection.receive, connection.send))
    while not connection.sent:
        await asyncio.sleep(0)
    return task


def test_an_event_is_sent_before_any_task_is_woken() -> None:
    async def scenario() -> list[bytes]:
        connection, subscriber = Connection(), Subscriber(StreamDispatcher(asyncio.get_running_loop()), 1000)
        task = await streaming(connection, subscriber)
        subscriber.take(b"one")
        subscriber.take(b"two")
        sent = connection.sent[1:]
        task.cancel()
        return sent

    assert asyncio.run(scenario()) == [b"one", b"two"]


def test_what_comes_while_a_connection_is_full_is_sent_in_order_once_there_is_room() -> None:
    async def scenario() -> tuple[list[bytes], list[bytes]]:
        connection, subscriber = Connection(), Subscriber(StreamDispatcher(asyncio.get_running_loop()), 1000)
        task = await streaming(connection, subscriber)
        connection.room.clear()
        for chunk in (b"one", b"two", b"three"):
            subscriber.take(chunk)
            await asyncio.sleep(0)
        while_full = connection.sent[1:]
        connection.room.set()
        subscriber.end()
        await task
        return while_full, connection.sent[1:]

    assert asyncio.run(scenario()) == ([], [b"one", b"two" + b"three", b""])


def test_a_stream_that_breaks_takes_no_other_with_it() -> None:
    async def scenario() -> tuple[bool, list[bytes]]:
        broken, whole = Connection(), Connection()
        subscribers = [Subscriber(StreamDispatcher(asyncio.get_running_loop()), 1000) for _ in range(2)]
        tasks = [await streaming(broken, subscribers[0]), await streaming(whole, subscribers[1])]
        broken.sent = None  # type: ignore[assignment]
        push_to(subscribers, b"news")
        with suppress(AttributeError):
            await tasks[0]
        tasks[1].cancel()
        return tasks[0].done(), whole.sent[1:]

    assert asyncio.run(scenario()) == (True, [b"news"])


def test_everybody_gets_all_news_in_order_however_many_watch_and_whoever_comes_and_goes() -> None:
    class Reader(Subscriber):
        def take(self, chunk: bytes) -> None:
            heard.setdefault(self, []).append(chunk)

    heard: dict[Subscriber, list[bytes]] = {}

    async def scenario() -> None:
        carrier = StreamDispatcher(asyncio.get_running_loop())
        watching = [Reader(carrier, 1000) for _ in range(173)]
        for news in range(20):
            push_to(watching, b"%d" % news)
            watching = [*watching[1:], Reader(carrier, 1000)]
            if news % 3 == 0:
                await asyncio.sleep(0)
        while sum(map(len, heard.values())) < 20 * 173:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(scenario(), 30))
    numbers = [[int(chunk) for chunk in chunks] for chunks in heard.values()]
    assert all(one == list(range(one[0], one[0] + len(one))) for one in numbers)
    assert sorted(map(len, numbers)) == sorted([20] * 154 + list(range(1, 20)) * 2)


def test_nobody_waits_until_all_who_watch_have_heard() -> None:
    order: list[str] = []

    class Reader(Subscriber):
        def take(self, chunk: bytes) -> None:
            order.append("news")

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        carrier = StreamDispatcher(loop)
        push_to([Reader(carrier, 1000) for _ in range(400)], b"news")
        loop.call_soon(order.append, "answer")
        while len(order) < 401:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(scenario(), 30))
    assert order.index("answer") < 100
