"""Shared dice over HTTP: the service holds the host's chain only, and players send links."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from combatlog import Chain, ChainFile
from tests.service.conftest import Service

DUEL = "/v1/encounters/duel"


class Player:
    """Somebody with a seat, and a chain in a file of their own."""

    def __init__(self, client: httpx.Client, who: str, folder: Path) -> None:
        self.client, self.who, self.file = client, who, ChainFile(folder / f"{who}.json")

    def sit(self) -> httpx.Response:
        chain = Chain.new(64)
        self.file.keep(chain)
        return self.client.post(f"{DUEL}/dice/chains", json={"combatants": [self.who], "anchor": chain.anchor})

    def link(self) -> str:
        waiting = self.client.get(f"{DUEL}/dice").json()["waiting"]
        return self.file.reveal(waiting["binding"])

    def answer(self, **headers: str) -> httpx.Response:
        body = {"party": self.who, "secret": self.link()}
        return self.client.post(f"{DUEL}/dice/links", json=body, headers=headers)


@pytest.fixture
def table(service: Service, tmp_path: Path) -> tuple[httpx.Client, Player, Player]:
    """A GM, and the players of Rurik and Mira, who have sat down."""
    gm = service.client("host")
    assert gm.post("/v1/encounters", json={"name": "duel", "dice": "shared"}).status_code == 201
    for name, side in (("Rurik", "heroes"), ("Mira", "heroes"), ("Snig", "foes")):
        body = {"sheet": "fighter", "name": name, "side": side, "overrides": {"hp": 500}}
        assert gm.post(f"{DUEL}/combatants", json={**body, "controller": "gm" if side == "foes" else None}).is_success
    players = []
    for who in ("rurik", "mira"):
        seat = {"role": "player", "combatants": [who], "name": who.title()}
        token = gm.post(f"{DUEL}/seats", json=seat).json()["token"]
        client = httpx.Client(base_url=service.url, headers={"Authorization": f"Bearer {token}"}, timeout=60)
        service.clients.append(client)
        players.append(Player(client, who, tmp_path))
        assert players[-1].sit().status_code == 200
    assert gm.post(f"{DUEL}/start", json={"dice": [20, 10, 1]}).is_success
    return gm, *players


def kinds(answer: httpx.Response) -> list[str]:
    return [event["kind"] for event in answer.json()["events"]]


def roll(gm: httpx.Client, **said: Any) -> httpx.Response:
    return gm.post(f"{DUEL}/rolls", json={"notation": "1d20", "purpose": "luck", **said})


def test_a_roll_waits_for_the_link_of_its_roller(table: tuple[httpx.Client, Player, Player]) -> None:
    gm, rurik, mira = table
    asked = roll(gm, who="rurik").json()
    assert asked["window"]["waiting"]["reactor"] == "rurik"
    assert asked["window"]["binding"] == mira.client.get(f"{DUEL}/dice").json()["waiting"]["binding"]
    assert mira.client.post(f"{DUEL}/dice/links", json={"party": "rurik"}).json()["code"] == "seat/not-yours"
    assert "rolled" in kinds(rurik.answer())


def test_a_link_that_is_sent_twice_counts_once(table: tuple[httpx.Client, Player, Player]) -> None:
    gm, rurik, _ = table
    roll(gm, who="rurik")
    body = {"party": "rurik", "secret": rurik.link()}
    sent = [rurik.client.post(f"{DUEL}/dice/links", json=body, headers={"Idempotency-Key": "one"}) for _ in range(2)]
    assert [answer.json()["repeated"] for answer in sent] == [False, True]
    assert kinds(sent[0]) == kinds(sent[1])


def test_a_player_hears_dice_behind_the_screen_and_sees_none(table: tuple[httpx.Client, Player, Player]) -> None:
    gm, rurik, _ = table
    assert roll(gm, who="snig", secret=True).json()["window"]["waiting"]["reactor"] == "rurik"
    answer = rurik.answer().json()
    assert [event["kind"] for event in answer["events"]] == ["link_revealed"]
    seen = rurik.client.get(f"{DUEL}/events?limit=500").json()["events"]
    (question,) = [event for event in seen if event["kind"] == "link_asked"]
    assert (question["purpose"], question["roller"], question["notation"]) == ("unknown", "gm", "")
    assert not [event for event in seen if event["kind"] == "rolled" and "contributions" in event]


def test_a_spectator_does_not_hear_dice_behind_the_screen(
    table: tuple[httpx.Client, Player, Player], service: Service
) -> None:
    """How far a chain was revealed would tell how often dice were rolled."""
    gm, rurik, _ = table
    token = gm.post(f"{DUEL}/seats", json={"role": "spectator"}).json()["token"]
    spectator = httpx.Client(base_url=service.url, headers={"Authorization": f"Bearer {token}"}, timeout=20)
    service.clients.append(spectator)
    before = spectator.get(f"{DUEL}/dice").content
    roll(gm, who="snig", secret=True)
    while_waiting = spectator.get(f"{DUEL}/dice").content
    assert "link_revealed" in kinds(rurik.answer())
    assert before == while_waiting == spectator.get(f"{DUEL}/dice").content
    assert rurik.client.get(f"{DUEL}/dice").content != before


def test_what_is_no_link_is_refused_and_leaves_no_trace(table: tuple[httpx.Client, Player, Player]) -> None:
    gm, rurik, _ = table
    roll(gm, who="rurik")
    before = gm.get(f"{DUEL}/state").json()["seq"]
    for secret, status in (("ab" * 32, 409), ("nonsense", 422)):
        refused = rurik.client.post(f"{DUEL}/dice/links", json={"party": "rurik", "secret": secret})
        assert refused.status_code == status
    assert gm.get(f"{DUEL}/state").json()["seq"] == before


def test_the_gm_records_a_refusal_and_verify_lists_it(table: tuple[httpx.Client, Player, Player]) -> None:
    gm, *_ = table
    roll(gm, who="rurik")
    assert "link_withheld" in kinds(gm.post(f"{DUEL}/dice/links", json={"party": "rurik"}))
    gm.post(f"{DUEL}/conclude", json={})
    report = gm.get(f"{DUEL}/verification").json()
    assert report["findings"] == []
    assert [(alone["party"], alone["withheld_by"]) for alone in report["shared"]["alone"]] == [("rurik", "gm")]
