"""Following a fight through a service: everything once and in order, however often the connection breaks."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

import combatlog
from combatlog.remote.event_stream_client import ServerSentEvent, ServerSentEventReader
from tests.combatlog.remote.conftest import QUICK, Relay, Sit
from tests.service.conftest import FIGHT, Service


class Cutting(Relay):
    """Passes on what a service sends, and cuts every connection after so many bytes."""

    def __init__(self, url: str, after: int) -> None:
        self._after = after
        self.connections = 0
        super().__init__(url)

    def serve(self, connection: socket.socket) -> None:
        self.connections += 1
        with connection, socket.create_connection(self.to) as there, suppress(OSError):
            there.sendall(connection.recv(1 << 16))
            left = self._after
            while left and (got := there.recv(min(left, 1 << 12))):
                connection.sendall(got)
                left -= len(got)


@pytest.fixture
def cutting(service: Service) -> Iterator[Cutting]:
    made = Cutting(service.url, after=5000)
    yield made
    made.close()


def test_messages_of_a_stream() -> None:
    lines = [
        "retry: 1000",
        "",
        "id: 4",
        "event: state",
        "data: {}",
        "",
        ": keep-alive",
        "",
        "id: 5",
        "data: a",
        "data:b",
        "",
    ]
    read = ServerSentEventReader()
    complete = [message for line in lines if (message := read.take(line)) is not None]
    assert complete == [ServerSentEvent("state", "{}"), ServerSentEvent("message", "a\nb")]


@pytest.mark.parametrize("seat", ["host", "rurik"])
def test_a_stream_that_is_cut_again_and_again_has_no_gap(
    service: Service, sit: Sit, cutting: Cutting, fight: combatlog.RecordedFight, seat: str
) -> None:
    for number in range(20):
        fight.note(f"The bridge creaks {number} times.")
    wanted = sit(seat).fight(FIGHT).history()
    with combatlog.connect(service.url, service.tokens[seat], patience=QUICK) as ledger:
        away = ledger.fight(FIGHT)
        ledger.wire.url = cutting.url
        with away.follow(after=0) as following:
            came = [next(following) for _ in wanted]
    assert came == wanted
    assert cutting.connections > 1


@pytest.mark.parametrize("seat", ["host", "rurik"])
def test_the_same_without_threads(
    service: Service, sit: Sit, cutting: Cutting, fight: combatlog.RecordedFight, seat: str
) -> None:
    for number in range(20):
        fight.note(f"The bridge creaks {number} times.")
    wanted = sit(seat).fight(FIGHT).history()

    async def read() -> list[combatlog.events.Event]:
        came: list[combatlog.events.Event] = []
        with combatlog.connect(service.url, service.tokens[seat], patience=QUICK) as ledger:
            away = ledger.fight(FIGHT)
            ledger.wire.url = cutting.url
            async for event in away.stream():
                came.append(event)
                if len(came) == len(wanted):
                    return came
        raise AssertionError("the stream ended")

    assert asyncio.run(read()) == wanted
    assert cutting.connections > 1


@pytest.mark.parametrize("kept", ["here", "away"])
def test_what_is_recorded_while_somebody_reads(kept: str, sit: Sit, fight: combatlog.RecordedFight) -> None:
    read = {"away": sit("host").fight(FIGHT), "here": fight}[kept]
    after = fight.history()[-1].seq

    async def follow() -> list[str]:
        kinds: list[str] = []
        speaking = asyncio.create_task(asyncio.to_thread(fight.note, "The bridge creaks."))
        async for event in read.stream(after=after):
            kinds.append(event.kind)
            if event.kind == "noted":
                break
        await speaking
        return kinds

    assert asyncio.run(follow()) == ["declared", "noted"]


def test_whoever_waits_is_let_go_when_the_ledger_closes(sit: Sit) -> None:
    ledger = sit("host")
    following = ledger.fight(FIGHT).follow()
    waiting = threading.Thread(target=lambda: list(following))
    waiting.start()
    ledger.close()
    waiting.join(10)
    assert not waiting.is_alive()


def test_somebody_who_loses_the_seat(sit: Sit, fight: combatlog.RecordedFight) -> None:
    away = sit("rurik").fight(FIGHT)
    seats = fight.ledger.seats
    held = next(one for one in seats.list(fight) if one.name == "Rurik")
    seats.revoke(held.id, fight)
    with pytest.raises(combatlog.Problem) as refused:
        list(away.follow(after=0))
    assert refused.value.code == "seat/no-token"


def test_watching_from_a_seat_shows_what_it_sees(sit: Sit, fight: combatlog.RecordedFight) -> None:
    fight.note("For the GM alone.", secret=True)
    watching = sit("rurik").fight(FIGHT).seen_by().watch()
    onlooker, seen = watching.onlooker, fight.seen_by("player:rurik")
    for event in watching.events():
        if event is not None and onlooker.see(event) is not None and onlooker.last == seen.last:
            watching.stop()
            break
    assert [event.kind for event in onlooker.seen] == [event.kind for event in seen.seen]
    assert list(onlooker.battle.combatants) == list(seen.battle.combatants) == ["snig", "rurik", "osric"]
    assert onlooker.cast.names == seen.cast.names
