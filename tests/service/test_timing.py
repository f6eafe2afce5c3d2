"""Nothing tells a seat that something happens unseen: no byte of a stream, no header, no tag, no size, no refusal.

How long an answer takes is not tested: docs/views.md says what it may tell. Everything else is compared byte by byte,
before and after, and in fights that differ in what is unseen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import Any, NamedTuple

import httpx
import pytest

import combatlog
from combatlog.service.live_fights import SharedSeatView
from projections.views import Seat
from tests.rules.veils_ruleset import WAYS_TO_BE_UNSEEN, VeiledDnd5e
from tests.service.conftest import Service
from tests.support import protected_duel

SEATS = ("rurik", "osric", "spectator")
READ = (
    "state",
    "state?at=3",
    "combatants",
    "dice",
    "events",
    "events?after=3&limit=2",
    "combatants/rurik/actions",
    "combatants/rurik/economy",
    "combatants/rurik/advice",
    "combatants/rurik/way?action=move&column=3&row=3",
    "combatants/grimjaw/actions",
    "events/5/explanation",
    "events/5/why-not?name=parry",
    "diff?at=3&other_at=5",
    "report",
    "replay",
    "replay?format=html",
    "export",
    "export?format=markdown",
    "export?format=html",
    "corrections",
    "proposals",
    "seats",
    "verification",
    "/v1/statistics/hits?fight=bridge",
    "/v1/encounters",
    "/v1/seat",
)
DIFFERENT_ANYWAY = {b"date", b"combatlog-time", b"x-request-id"}
"""Headers with the time, and with an id that is made up for each request."""
CHECKED_AT = re.compile(rb'"at":"[-0-9: ]+ UTC"')
"""When a replay was made."""
UNSEEN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("notes", {"text": "Grimjaw is nervous.", "secret": True}),
    ("rolls", {"notation": "1d20", "purpose": "perception", "who": "rurik", "secret": True, "dice": [12]}),
    ("rulings", {"note": "it is a trap", "reason": "the plan", "secret": True}),
    ("rulings", {"subject": "grimjaw", "set": {"hp": 3}, "reason": "it stumbled"}),
    ("corrections", {"correction": "undo", "reason": "it did not"}),
    ("hurt", {"who": ["grimjaw"], "amount": 1}),
    ("policies", {"who": "grimjaw", "policies": {"opportunity_attack": "never"}}),
    ("initiative", {"values": {"grimjaw": 3}, "reason": "it is slow"}),
    ("labels", {"add": ["practice"]}),
    ("combatants", {"sheet": "goblin", "name": "Vex", "at": [8, 9], "side": "foes", "hidden": True, "dice": [1]}),
)
"""What a GM does that no player sees."""
UNNOTICED = ("rulings", {"subject": "snig", "add": ["plotting"], "reason": "it has a plan", "secret": True})
"""The same under rules that have such a condition."""


@pytest.fixture(params=WAYS_TO_BE_UNSEEN)
def opening(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {"ruleset": request.param}


@pytest.fixture
def unseen(opening: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [*UNSEEN, UNNOTICED] if opening["ruleset"] == VeiledDnd5e.name else [*UNSEEN]


class Answer(NamedTuple):
    status: int
    headers: list[tuple[bytes, bytes]]
    """In the order in which they came."""
    body: bytes


def answered(response: httpx.Response) -> Answer:
    headers = [(name, b"" if name in DIFFERENT_ANYWAY else value) for name, value in response.headers.raw]
    body = CHECKED_AT.sub(b"", response.content.replace(response.headers["x-request-id"].encode(), b""))
    return Answer(response.status_code, [(name.lower(), value) for name, value in headers], body)


def everything(service: Service, seat: str) -> dict[str, Answer]:
    """What the seat gets if it asks for all there is, the state twice, since it is remembered then."""
    client = service.client(seat)
    answers = {"state at first": answered(client.get(service.at("state")))}
    answers |= {path: answered(client.get(service.at(path))) for path in READ}
    answers["state again"] = answered(client.get(service.at("state")))
    answers["lines"] = answered(client.get(service.at("events"), headers={"accept": "application/x-ndjson"}))
    tag = dict(answers["state"].headers)[b"etag"].decode()
    answers["state if new"] = answered(client.get(service.at("state"), headers={"if-none-match": tag}))
    return answers


def done(service: Service, path: str, body: dict[str, Any]) -> None:
    response = service.post("gm", path, body)
    assert response.status_code == 200, response.text


@contextmanager
def listening_in(service: Service, seat: str, path: str) -> Iterator[Iterator[bytes]]:
    """A stream as it comes, comments and all."""
    with service.client(seat).stream("GET", service.at(path), headers={"accept": "text/event-stream"}) as answer:
        assert answer.status_code == 200
        yield answer.iter_raw()


def until(stream: Iterator[bytes], *marks: bytes) -> bytes:
    got = b""
    while not all(mark in got for mark in marks):
        got += next(stream)
    return got


@pytest.mark.slow
@pytest.mark.parametrize("seat", SEATS)
def test_no_answer_changes_when_something_happens_unseen(
    service: Service, seat: str, unseen: list[tuple[str, dict[str, Any]]]
) -> None:
    before = everything(service, seat)
    for path, body in unseen:
        done(service, path, body)
        after = everything(service, seat)
        assert {name: after[name] for name in after if after[name] != before[name]} == {}, path


def test_a_state_that_is_remembered_has_the_headers_of_one_that_is_not(service: Service) -> None:
    """Otherwise their order would tell that the fight has gone on."""
    client = service.client("rurik")
    for path, body in UNSEEN[:2]:
        done(service, path, body)
        assert answered(client.get(service.at("state"))) == answered(client.get(service.at("state")))


def test_not_a_byte_comes_to_a_stream_when_something_happens_unseen(
    service: Service, fight: combatlog.RecordedFight, unseen: list[tuple[str, dict[str, Any]]]
) -> None:
    """What comes first after it is what is seen next, and nothing else: neither a comment nor an empty message."""
    last = {seat: service.get(seat, "events").json()["last"] for seat in SEATS}
    with ExitStack() as stack:
        events = {seat: stack.enter_context(listening_in(service, seat, "events")) for seat in SEATS}
        pages = {seat: stack.enter_context(listening_in(service, seat, "events?changes=true")) for seat in SEATS}
        for seat in SEATS:
            until(events[seat], b"id: %d\nevent: state\n" % last[seat], b"}\n\n")
            until(pages[seat], b"id: %d\nevent: document\n" % last[seat], b"}\n\n")
        for path, body in unseen:
            done(service, path, body)
        fight.note("by another process", secret=True)
        fight.note("The ground shakes.")
        for seat in SEATS:
            new = service.get(seat, f"events?after={last[seat]}", accept="application/x-ndjson")
            (line,) = new.content.splitlines()
            assert b"The ground shakes." in line
            assert until(events[seat], b"\n\n") == b"id: %d\ndata: %b\n\n" % (last[seat] + 1, line)
            shown = until(pages[seat], b"The ground shakes.", b"\n\n")
            assert shown.startswith(b"id: %d\nevent: part\ndata: {" % (last[seat] + 1))
            assert shown.count(b"\n\n") == 1


PROBES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("declarations", {"actor": "rurik", "action": "dodge"}),
    ("hit", {"actor": "rurik", "target": "snig"}),
    ("turns", {"who": "rurik"}),
    ("reactions", {"reactor": "rurik"}),
    ("time-up", {}),
    ("dice/links", {"party": "rurik"}),
)
"""What a curious player tries while it is somebody else's turn."""


def refusals(service: Service) -> dict[str, Answer]:
    found = {path: answered(service.post("rurik", path, body)) for path, body in PROBES}
    assert {answer.status for answer in found.values()} == {409}, found
    return found


@pytest.mark.slow
def test_that_somebody_unseen_is_asked_shows_nowhere(service: Service) -> None:
    """Vex misses Grimjaw, who is unseen as well, and may try its luck."""
    vex = {"sheet": "goblin", "name": "Vex", "at": [9, 8], "side": "beasts", "hidden": True, "dice": [1]}
    done(service, "combatants", vex | {"reactions": {"*": "ask"}, "overrides": {"features": ["lucky"]}})
    for who in ("snig", "rurik", "osric", "grimjaw"):
        done(service, "turns", {"who": who})
    assert service.get("gm", "state").json()["turn"] == "vex"
    before = everything(service, "rurik") | refusals(service)
    done(service, "declarations", {"actor": "vex", "action": "attack"})
    done(service, "declarations", {"actor": "vex", "action": "strike", "targets": ["grimjaw"], "dice": [2]})
    assert service.get("gm", "state").json()["window"]["waiting"]["reactor"] == "vex"
    after = everything(service, "rurik") | refusals(service)
    assert {name: (after[name], before[name]) for name in after if after[name] != before[name]} == {}


def test_whom_a_fight_waits_for_is_not_told(service: Service) -> None:
    """Rurik walks away from Snig, whom everybody sees; then from Vex, whom nobody sees. It sounds the same."""
    asked = {"policies": {"opportunity_attack": "ask"}}
    done(service, "policies", {"who": "snig", **asked})
    done(service, "turns", {"who": "snig"})
    done(service, "move", {"actor": "rurik", "to": [1, 3]})
    assert service.get("gm", "state").json()["window"]["waiting"]["reactor"] == "snig"
    for_snig = refusals(service)
    done(service, "reactions", {"reactor": "snig", "reaction": None})
    vex = {"sheet": "goblin", "name": "Vex", "at": [2, 3], "side": "foes", "hidden": True, "dice": [1]}
    done(service, "combatants", vex | {"reactions": asked["policies"]})
    done(service, "move", {"actor": "rurik", "to": [1, 5]})
    assert service.get("gm", "state").json()["window"]["waiting"]["reactor"] == "vex"
    assert refusals(service) == for_snig
    assert all(b"vex" not in answer.body and b"snig" not in answer.body for answer in for_snig.values())


def test_a_delay_holds_to_the_moment() -> None:
    """An event is seen when its time has come, and not a microsecond before; a hidden one is never seen."""
    drill = protected_duel()
    drill.note("A trap.", secret=True)
    drill.note("It rains.")
    events = list(drill.history())
    watch, due = SharedSeatView(Seat.read("spectator"), delay=60), events[-1].recorded_at + timedelta(seconds=60)
    watch.take(events, due - timedelta(microseconds=1))
    before = watch.last, len(watch.encoded)
    watch.take(events, due)
    assert (watch.last, len(watch.encoded)) == (before[0] + 1, before[1] + 1)


def test_a_delay_holds_in_the_list_of_fights(service: Service) -> None:
    late = service.post("gm", "seats", {"role": "spectator", "delay": 3600}).json()["token"]
    service.tokens["late"] = late
    before = answered(service.get("late", "/v1/encounters"))
    for who in ("snig", "rurik", "osric", "grimjaw"):
        done(service, "turns", {"who": who})
    assert service.get("rurik", "/v1/encounters").json()["encounters"][0]["round"] == 2
    assert answered(service.get("late", "/v1/encounters")) == before
