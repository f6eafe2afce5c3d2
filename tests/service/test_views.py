"""What a seat gets is what it may see: whoever is not seen is in nothing that a player or a spectator receives."""

from __future__ import annotations

from typing import Any

import pytest

import combatlog
from combatlog import Undo
from combatlog.messages.commands import SetReactions
from tests.rules.veils_ruleset import WAYS_TO_BE_UNSEEN
from tests.service.conftest import Service

HIDDEN = "grimjaw"
READ = (
    "state",
    "state?at=3",
    "combatants",
    "events",
    "combatants/rurik/actions",
    "combatants/rurik/economy",
    "combatants/rurik/advice",
    "events/5/explanation",
    "corrections",
    "diff?at=3&other_at=5",
    "report",
    "export",
    "/v1/encounters",
    "/v1/seat",
)


@pytest.fixture(params=WAYS_TO_BE_UNSEEN)
def opening(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {"ruleset": request.param}


@pytest.mark.slow
@pytest.mark.parametrize("seat", ["rurik", "spectator"])
def test_nobody_who_is_not_seen_is_in_what_a_seat_reads(
    service: Service, fight: combatlog.RecordedFight, seat: str
) -> None:
    fight.rule(HIDDEN, set={"hp": 3}, reason="Grimjaw stumbled")
    fight.note("Grimjaw waits behind the bridge", secret=True)
    for path in READ:
        assert HIDDEN not in service.get(seat, path).text.lower(), path
    assert HIDDEN in service.get("gm", "state").text


def test_foes_are_known_by_sight(service: Service) -> None:
    seen = service.get("rurik", "state").json()["combatants"]
    assert (seen["snig"]["vitals"], seen["snig"]["health"]) == ({}, "unhurt")
    assert seen["rurik"]["vitals"]["hp"]["current"] > 0
    assert service.get("spectator", "state").json()["combatants"]["rurik"]["vitals"] == {}


def test_nobody_who_is_not_seen_can_be_named(service: Service, fight: combatlog.RecordedFight) -> None:
    fight.end_turn("snig")
    for path, body in (
        ("declarations", {"actor": "rurik", "action": "strike", "targets": ["{}"]}),
        ("hit", {"actor": "rurik", "target": "{}"}),
        ("declarations", {"actor": "{}", "action": "dodge"}),
        ("reactions", {"reactor": "{}"}),
    ):
        refused, nobody = (service.post("rurik", path, _naming(name, body)) for name in (HIDDEN, "xxxxxxx"))
        assert (refused.status_code, refused.json()["code"]) == (422, "declaration/unknown-combatant")
        answers = [{**one.json(), "request_id": ""} for one in (refused, nobody)]
        assert str(answers[0]) == str(answers[1]).replace("xxxxxxx", HIDDEN)


def _naming(name: str, body: dict[str, object]) -> dict[str, object]:
    named = {"{}": name, "['{}']": [name]}
    return {key: named.get(str(value), value) for key, value in body.items()}


def test_players_get_no_chances(service: Service, fight: combatlog.RecordedFight) -> None:
    fight.end_turn("snig")
    fight.do("rurik", "attack")
    for seat, told in (("gm", True), ("rurik", False)):
        menu = service.get(seat, "combatants/rurik/actions").json()
        effects = [effect for section in menu for choice in section["choices"] for effect in choice["effects"]]
        reached = [one for effect in effects for one in effect["in_reach"] or []]
        assert "snig" in {one["who"] for one in reached}
        assert any(one["chance"] is not None for one in reached) is told


ways_to_move = pytest.mark.parametrize(
    ("path", "body"),
    [("move", {"actor": "rurik"}), ("declarations", {"actor": "rurik", "action": "move"})],
)


@ways_to_move
def test_squares_cannot_be_searched_for_somebody_unseen(
    service: Service, fight: combatlog.RecordedFight, path: str, body: dict[str, object]
) -> None:
    """Grimjaw stands at 9,9, farther away than Rurik can walk: he is told the same of the square beside it."""
    fight.end_turn("snig")
    taken, free = (service.post("rurik", path, {**body, "to": square}) for square in ([9, 9], [9, 8]))
    assert (taken.status_code, taken.json()["code"]) == (409, free.json()["code"])
    assert "occupied" not in taken.text
    fight.rule(HIDDEN, to=(1, 4), reason="it sneaks")
    near = service.post("rurik", path, {**body, "to": [1, 4]}).json()
    assert (near["code"], near["facts"]) == ("move/occupied", {})


@ways_to_move
def test_a_player_is_led_around_nobody_unseen(
    service: Service, fight: combatlog.RecordedFight, path: str, body: dict[str, object]
) -> None:
    """Off the way, Grimjaw makes no difference to the steps that Rurik was told before; on it, the move is refused."""
    fight.end_turn("snig")
    fight.send(SetReactions("snig", {"*": "never"}))
    fight.send(SetReactions(HIDDEN, {"*": "never"}))
    way = service.get("rurik", "combatants/rurik/way?action=move&column=1&row=5").json()
    squares = [step["to"] for step in way["steps"]]
    fight.rule(HIDDEN, to=tuple(squares[1]), reason="it sneaks")
    assert service.get("rurik", "combatants/rurik/way?action=move&column=1&row=5").json() == way
    stopped = service.post("rurik", path, {**body, "to": [1, 5]})
    assert (stopped.status_code, stopped.json()["code"], stopped.json()["facts"]) == (409, "move/occupied", {})
    assert HIDDEN not in stopped.text.lower()
    assert service.post("gm", path, {**body, "to": [1, 5]}).status_code == 200  # a GM leads him around
    fight.apply(fight.plan(Undo(reason="a test")))
    fight.rule(HIDDEN, to=(squares[1][0] + 1, squares[1][1]), reason="it steps aside")
    moved = service.post("rurik", path, {**body, "to": [1, 5]})
    assert [event["to"] for event in moved.json()["events"] if event["kind"] == "moved"] == squares
    assert fight.verify().findings == []


def test_a_readied_move_of_a_player_is_led_around_nobody_unseen(
    service: Service, fight: combatlog.RecordedFight
) -> None:
    fight.end_turn("snig")
    fight.send(SetReactions("rurik", {"*": "never", "readied": "ask"}))
    for other in ("osric", "snig", HIDDEN):
        fight.send(SetReactions(other, {"*": "never"}))
    way = service.get("rurik", "combatants/rurik/way?action=move&column=1&row=5").json()
    squares = [step["to"] for step in way["steps"]]
    readied = {"actor": "rurik", "action": "ready", "to": [1, 5], "options": {"trigger": "attacks", "action": "move"}}
    assert service.post("rurik", "declarations", readied).status_code == 200
    fight.rule(HIDDEN, to=(squares[1][0] + 1, squares[1][1]), reason="it sneaks")
    while fight.battle.clock.turn != "snig":
        fight.end_turn(fight.battle.clock.turn)
    fight.hit("rurik", who="snig", dice=[2])
    moved = service.post("rurik", "reactions", {"reactor": "rurik", "reaction": "readied"})
    assert [event["to"] for event in moved.json()["events"] if event["kind"] == "moved"] == squares
    assert fight.verify().findings == []


def test_a_target_that_was_concealed_is_nobody_to_hit_again(service: Service, fight: combatlog.RecordedFight) -> None:
    """As if Rurik had aimed at nobody in this turn. The GM knows whom he meant."""
    fight.end_turn("snig")
    nobody = service.post("rurik", "hit", {"actor": "rurik"}).json()
    assert nobody["code"] == "hit/whom"
    assert service.post("rurik", "hit", {"actor": "rurik", "target": "snig", "dice": [2]}).status_code == 200
    fight.rule("rurik", set={"action": 1}, reason="a test")
    assert service.post("rurik", "hit", {"actor": "rurik", "dice": [2]}).status_code == 200
    fight.rule("rurik", set={"action": 1}, reason="a test")
    fight.conceal("snig")
    refused = service.post("rurik", "hit", {"actor": "rurik", "dice": [2]}).json()
    assert {**refused, "request_id": ""} == {**nobody, "request_id": ""}
    assert service.post("gm", "hit", {"actor": "rurik", "dice": [2]}).status_code == 200
