"""The state without a detour: the same bytes, as new, and for nobody else."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

import combatlog
from combatlog import Undo
from combatlog.service.app import create
from tests.rules.veils_ruleset import WAYS_TO_BE_UNSEEN
from tests.service.conftest import BOUNDLESS, FIGHT, Service, listening, set_up

SEATS = ("host", "gm", "rurik", "osric", "spectator", "auditor")
OWN = ("date", "x-request-id", "combatlog-time")
DETOUR = {"If-None-Match": '"none"'}
"""With something to compare with, a request goes to the route."""


def both(service: Service, seat: str) -> tuple[bytes, str]:
    """The state, which is the same on both ways, and its tag."""
    service.get(seat, "state")  # now it is known
    short, long = service.get(seat, "state"), service.get(seat, "state", **DETOUR)
    assert (short.status_code, short.content) == (long.status_code, long.content)
    told = [{name: value for name, value in one.headers.items() if name not in OWN} for one in (short, long)]
    assert told[0] == told[1]
    return short.content, short.headers["etag"]


@pytest.mark.slow
@pytest.mark.parametrize("opening", [{"ruleset": name} for name in WAYS_TO_BE_UNSEEN], ids=WAYS_TO_BE_UNSEEN)
@pytest.mark.parametrize("seat", SEATS)
def test_the_answer_is_the_route_s(service: Service, fight: combatlog.RecordedFight, seat: str) -> None:
    before = both(service, seat)
    ended = fight.end_turn("snig").events[0].seq  # by another process, as far as the service knows
    after = both(service, seat)
    assert after != before
    fight.rule("grimjaw", set={"hp": 3}, reason="unseen")
    assert (both(service, seat) == after) == (seat in ("rurik", "osric", "spectator"))
    fight.apply(fight.plan(Undo(ended, reason="a mistake")))
    assert both(service, seat) != after


def test_what_was_recorded_elsewhere_is_in_it_at_once(service: Service, fight: combatlog.RecordedFight) -> None:
    client = service.client("gm")
    for number in range(20):
        seq = fight.rule(note=f"{number}", reason="mood").events[-1].seq
        assert client.get(service.at("state")).json()["seq"] == seq
        assert client.get(service.at("state")).json()["seq"] == seq


def test_a_seat_that_was_taken_away_elsewhere_gets_nothing(
    service: Service, database: str, fight: combatlog.RecordedFight
) -> None:
    client = service.client("rurik")
    assert [client.get(service.at("state")).status_code for _ in range(3)] == [200, 200, 200]
    with combatlog.open(database) as ledger:
        held = ledger.seats.find(service.tokens["rurik"])
        assert held is not None
        ledger.seats.revoke(held.id, FIGHT)
    refused = client.get(service.at("state"))
    assert (refused.status_code, refused.json()["code"]) == (401, "seat/no-token")
    assert service.get("gm", "state").status_code == 200


def test_who_has_no_seat_here_is_refused_though_the_state_is_known(service: Service) -> None:
    both(service, "gm")
    assert service.get("elsewhere", "state").status_code == 403
    assert service.get("nonsense", "state").status_code == 401
    assert service.get(None, "state").status_code == 401
    assert service.get("host", "/v1/encounters/nowhere/state").status_code == 404


def test_a_known_state_waits_for_nobody(database: str) -> None:
    """Somebody works at the desk of this fight all the time; players see the state as it is anyway."""
    settings = replace(BOUNDLESS, database=database)
    tokens, app = set_up(database), create(settings)
    with (
        combatlog.open(database) as ledger,
        listening(settings, app) as url,
        Service(url, tokens).client("rurik") as client,
    ):
        path = Service.at("state")
        first = client.get(path)
        with app.state.hall.desk(ledger.fight(FIGHT).id).lock:
            again = client.get(path)
    assert (again.status_code, again.content) == (200, first.content)


@pytest.mark.slow
def test_many_at_once_get_their_own(service: Service) -> None:
    """Those who ask together are answered together, each from its seat."""
    expected = {seat: both(service, seat)[0] for seat in SEATS}
    clients = {seat: service.client(seat) for seat in SEATS}
    asked = [*SEATS] * 10
    with ThreadPoolExecutor(len(SEATS)) as people:
        got = list(people.map(lambda seat: clients[seat].get(service.at("state")).content, asked))
    assert got == [expected[seat] for seat in asked]
