"""Reactions reach their owner: what is asked, what each choice costs, until when, and what happens then."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

import combatlog
from combatlog.service.runtime import FightWorker, OverdueSearch
from tests.service.conftest import BOUNDLESS, FIGHT, Service, listening, set_up
from tests.service.test_streams import Message, watching

Make = Callable[..., Service]
SOON = {"dice": "seed:7", "options": {"reaction_time": 1}}
"""A second to answer, and dice that need nobody to roll them."""


@pytest.fixture
def opening() -> dict[str, Any]:
    return SOON


def strike(service: Service) -> dict[str, Any]:
    """Snig strikes Rurik, whom Osric can protect."""
    service.post("gm", "declarations", {"actor": "snig", "action": "attack"})
    struck = service.post("gm", "declarations", {"actor": "snig", "action": "strike", "targets": ["rurik"]})
    assert struck.status_code == 200, struck.text
    said: dict[str, Any] = struck.json()
    return said


def decisions(database: str) -> list[str]:
    with combatlog.open(database) as ledger:
        return [event.decided_by for event in ledger.fight(FIGHT).history() if event.kind == "reaction_declined"]


def test_whoever_is_asked_is_told_what_it_costs_and_until_when(service: Service) -> None:
    with watching(service, "osric") as stream:
        next(stream)
        said = strike(service)
        told = next(message for message in stream if message.event == "asked").data
    opened = next(event for event in said["events"] if event["kind"] == "reaction_window_opened")
    seconds = datetime.fromisoformat(told["until"]) - datetime.fromisoformat(opened["recorded_at"])
    assert 1 <= seconds.total_seconds() < 2  # a limit of one second, rounded up to a whole one
    (choice,) = told["choices"]
    cost = {"resource": "reaction", "amount": 1, "words": "1 reaction"}
    assert choice == {"reaction": "dnd5e:feature:protection", "prices": [{"options": {}, "costs": [cost]}]}
    assert said["asked"]["choices"] == [choice]


def test_when_the_time_is_up_the_service_decides_on_record(service: Service, database: str) -> None:
    with watching(service, "osric") as stream:
        next(stream)
        strike(service)
        declined = next(message for message in stream if _is(message, "reaction_declined"))
    assert (declined.data["decided_by"], declined.data["by"]) == ("time", "system")
    assert service.post("osric", "reactions", {"reactor": "osric"}).json()["code"] == "reaction/no-window"
    assert decisions(database) == ["time"]


def _is(message: Message, kind: str) -> bool:
    return bool(message.data.get("kind") == kind)


@pytest.mark.slow
def test_several_processes_that_notice_decide_once(make_service: Make, database: str) -> None:
    services = [make_service() for _ in range(3)]
    with ExitStack() as stack:
        streams = [stack.enter_context(watching(service, "gm")) for service in services]
        for stream in streams:
            next(stream)
        strike(services[0])
        for stream in streams:
            assert next(message for message in stream if _is(message, "attack_resolved"))
    assert decisions(database) == ["time"]


def test_what_was_overdue_when_the_service_started_is_decided(database: str) -> None:
    tokens = set_up(database, **SOON)
    settings = replace(BOUNDLESS, database=database)
    with listening(replace(settings, read_only=False)) as url:
        first = Service(url, tokens)
        asked = strike(first)["seq"]
        [client.close() for client in first.clients]
    with listening(settings) as url:
        again = Service(url, tokens)
        with watching(again, "gm", **{"Last-Event-ID": str(asked)}) as stream:
            told = [next(stream)]
            while not _is(told[-1], "attack_resolved"):
                told.append(next(stream))
        [client.close() for client in again.clients]
    assert told[0].data["kind"] == "reaction_declined"
    assert [message.id for message in told] == list(range(asked + 1, asked + 1 + len(told)))
    assert decisions(database) == ["time"]


def test_a_service_that_only_reads_decides_nothing(make_service: Make, database: str) -> None:
    reading, writing = make_service(read_only=True), make_service()
    with watching(reading, "gm") as stream:
        next(stream)
        strike(writing)
        assert next(message for message in stream if _is(message, "reaction_declined"))
    assert decisions(database) == ["time"]


def test_where_dice_are_rolled_at_the_table_somebody_gives_them(database: str) -> None:
    tokens = set_up(database, options={"reaction_time": 1})
    with listening(replace(BOUNDLESS, database=database)) as url:
        service = Service(url, tokens)
        strike(service)
        early = service.post("gm", "time-up", {"dice": [2]})
        assert (early.status_code, early.json()["code"]) == (409, "reaction/time-left")
        while (answer := service.post("gm", "time-up", {"dice": [2]})).status_code == 409:
            assert answer.json()["code"] == "reaction/time-left"
        assert [event["kind"] for event in answer.json()["events"]][:1] == ["reaction_declined"]
        [client.close() for client in service.clients]
    assert decisions(database) == ["time"]


def test_what_is_overdue_in_a_fight_that_nobody_watches_is_decided_once_services_start(database: str) -> None:
    """Services that nobody asks for anything: one of them decides."""
    set_up(database, **SOON)
    settings = replace(BOUNDLESS, database=database)
    with combatlog.open(database) as ledger:
        fight = ledger.fight(FIGHT)
        fight.do("snig", "attack")
        fight.do("snig", "strike", target="rurik")
        with fight.follow() as events, listening(settings), listening(settings):
            settled = [next(events)]
            while settled[-1].kind != "attack_resolved":
                settled.append(next(events))
    assert settled[0].kind == "reaction_declined"
    assert decisions(database) == ["time"]


def test_a_fight_that_waits_for_nobody_is_not_read_again_until_it_goes_on(database: str) -> None:
    set_up(database, **SOON)
    desk = FightWorker(database)
    search, ledger, recorder = OverdueSearch(), desk.ledger, desk.ledger.store.recorder
    ((encounter, last),) = search.unknown(recorder).items()  # there is another fight, without a limit
    search.get_to_know(desk, encounter, last)
    assert (encounter, search.unknown(recorder)) == (ledger.fight(FIGHT).id, {})
    ledger.fight(FIGHT).rule(note="it rains", reason="mood")
    assert search.unknown(recorder) == {encounter: ledger.fight(FIGHT).battle.seq}
    ledger.close()
