"""Consent over HTTP: those whom a proposal affects are told and answer, and it is done; or the GM overrules them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

import combatlog
from tests.service.conftest import Service
from tests.service.test_streams import Make, watching


@pytest.fixture
def opening() -> dict[str, Any]:
    return {"options": {"consent": "table"}}


def hurt(service: Service, *who: str) -> None:
    """Each of them loses 5 hit points."""
    assert service.post("gm", "hurt", {"who": list(who), "amount": 5}).status_code == 200


def propose(service: Service, **said: Any) -> httpx.Response:
    return service.post("gm", "proposals", {"correction": "undo", **said})


def number(service: Service, seat: str) -> int:
    """The last proposal, as a seat counts."""
    found: int = service.get(seat, "proposals").json()[-1]["proposal"]
    return found


def agree(service: Service, seat: str, agrees: bool = True, **headers: str) -> httpx.Response:
    path = f"proposals/{number(service, seat)}/answers"
    return service.post(seat, path, {"who": seat, "agree": agrees}, **headers)


def kinds(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [event["kind"] for event in answer.json()["events"]]


def hp(service: Service, who: str) -> int:
    left: int = service.get("gm", "state").json()["combatants"][who]["vitals"]["hp"]["current"]
    return left


def test_nothing_is_corrected_without_being_asked(service: Service) -> None:
    hurt(service, "rurik")
    refused = service.post("gm", "corrections", {"correction": "undo"})
    assert (refused.status_code, refused.json()["code"]) == (409, "consent/needed")
    assert refused.json()["facts"]["asked"] == ["rurik"]


def test_those_whom_it_affects_are_asked_on_their_stream_and_with_the_last_answer_it_is_made(service: Service) -> None:
    hurt(service, "rurik", "osric")
    before = hp(service, "rurik")
    with watching(service, "rurik") as rurik, watching(service, "spectator") as spectator:
        next(rurik), next(spectator)
        assert kinds(propose(service, reason="a misunderstanding")) == ["declared"]
        told = next(message for message in rurik if message.event == "consent")
        assert told.data == {"proposal": number(service, "rurik"), "correction": "undo", "waiting": ["rurik"]}
        assert kinds(agree(service, "rurik")) == ["declared"]
        assert hp(service, "rurik") == before
        made = agree(service, "osric")
        assert kinds(made)[:2] == ["declared", "undone"]
        assert next(message for message in spectator if message.data["kind"] == "undone")
    assert hp(service, "rurik") == before + 5
    (listed,) = service.get("spectator", "proposals").json()
    assert (listed["answers"], listed["applied"], listed["open"]) == ({"rurik": True, "osric": True}, True, False)


def test_whoever_comes_later_is_told_what_it_is_asked(service: Service) -> None:
    hurt(service, "rurik")
    propose(service)
    with watching(service, "rurik", "events?after=1") as stream:
        assert next(message for message in stream if message.event == "consent").data["waiting"] == ["rurik"]
    with watching(service, "osric") as stream:
        service.post("gm", "notes", {"text": "well?"})
        told = [next(stream), next(stream)]
        assert all(message.event != "consent" for message in told)


@pytest.mark.slow
def test_what_affects_nobody_is_made_at_once(service: Service) -> None:
    hurt(service, "snig")
    assert kinds(propose(service))[0] == "undone"


def test_the_plan_is_shown_as_the_seat_sees_it(service: Service) -> None:
    hurt(service, "rurik")
    propose(service)
    (shown,) = service.get("rurik", "proposals").json()
    assert shown["open"]
    assert [change["who"] for change in shown["plan"]["state"]] == ["rurik"]
    assert "grimjaw" not in str(shown).lower()


def test_whoever_does_not_agree_is_overruled_on_record(service: Service, fight: combatlog.RecordedFight) -> None:
    hurt(service, "rurik")
    before = hp(service, "rurik")
    propose(service)
    assert kinds(agree(service, "rurik", False)) == ["declared"]
    assert agree(service, "rurik").json()["code"] == "consent/refused"
    path = f"proposals/{number(service, 'gm')}/overruling"
    assert service.post("gm", path, {}).status_code == 422
    made = service.post("gm", path, {"reason": "the rules are clear"})
    assert kinds(made)[:2] == ["declared", "undone"]
    assert made.json()["events"][0]["by"] == "Gm"
    assert hp(service, "rurik") == before + 5
    assert service.get("gm", "proposals").json()[0]["overruled"]
    assert fight.verify().findings == []


def test_nobody_agrees_for_somebody_else(service: Service) -> None:
    hurt(service, "rurik")
    propose(service)
    for seat, code in {"osric": "seat/not-yours", "gm": "seat/not-allowed", "spectator": "seat/not-allowed"}.items():
        refused = service.post(seat, f"proposals/{number(service, seat)}/answers", {"who": "rurik"})
        assert (refused.status_code, refused.json()["code"]) == (403, code)


@pytest.mark.slow
def test_a_proposal_that_was_overtaken_is_asked_again(service: Service) -> None:
    hurt(service, "rurik")
    propose(service)
    first = number(service, "rurik")
    with watching(service, "rurik") as stream:
        assert next(message for message in stream if message.event == "consent").data["proposal"] == first
        service.post("gm", "hurt", {"who": ["rurik"], "amount": 1})  # so it would do something else now
        assert kinds(agree(service, "rurik")) == ["declared", "declared"]
        again = next(message for message in stream if message.event == "consent").data["proposal"]
    assert again == number(service, "rurik") > first
    late = service.post("rurik", f"proposals/{first}/answers", {"who": "rurik"})
    assert (late.status_code, late.json()["code"]) == (409, "consent/other")
    assert "undone" in kinds(agree(service, "rurik"))


def test_what_is_no_longer_possible_leaves_the_answer_and_the_proposal(service: Service) -> None:
    """Rurik's dodge came after Snig ended his turn: without that, it is not Rurik's turn."""
    service.post("gm", "turns", {"who": "snig"})
    assert propose(service).status_code == 200
    service.post("rurik", "declarations", {"actor": "rurik", "action": "dodge"})
    assert service.get("gm", "proposals").json()[0]["asked"] == ["rurik"]  # whose turn it would not be
    assert kinds(agree(service, "rurik")) == ["declared"]
    shown = service.get("gm", "proposals").json()[0]
    assert (shown["open"], shown["plan"]["undecided"]) == (True, "correction/impossible")


def test_a_command_that_is_repeated_is_done_once(service: Service, fight: combatlog.RecordedFight) -> None:
    hurt(service, "rurik")
    sent = {"Idempotency-Key": "1"}
    twice = [service.post("gm", "proposals", {"correction": "undo"}, **sent).json() for _ in range(2)]
    assert [one["repeated"] for one in twice] == [False, True]
    path = f"proposals/{number(service, 'rurik')}/answers"
    answers = [service.post("rurik", path, {"who": "rurik"}, **sent).json() for _ in range(2)]
    assert [one["repeated"] for one in answers] == [False, True]
    assert [event.kind for event in fight.history()].count("undone") == 1


@pytest.mark.slow
def test_two_who_answer_at_once_at_different_processes(make_service: Make, database: str) -> None:
    here, there = make_service(), make_service()
    hurt(here, "rurik", "osric")
    propose(here)
    with ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(agree, here, "rurik"), pool.submit(agree, there, "osric")]
        assert [one.result().status_code for one in answers] == [200, 200]
    with combatlog.open(database) as ledger:
        assert [event.kind for event in ledger.fight("bridge").history()].count("undone") == 1


def test_an_answer_tells_no_number_of_the_ledger(service: Service, fight: combatlog.RecordedFight) -> None:
    """The ogre was hurt unseen, so the ledger has counted further than Rurik."""
    service.post("gm", "hurt", {"who": ["grimjaw"], "amount": 1})
    hurt(service, "rurik")
    propose(service)
    (said,) = [event for event in agree(service, "rurik").json()["events"] if event.get("actor") == "rurik"]
    assert said["options"] == {"agree": True}
    assert number(service, "rurik") < number(service, "gm")


def test_there_is_no_such_proposal(service: Service) -> None:
    hurt(service, "rurik")
    for wrong in (1, 10**9):
        refused = service.post("rurik", f"proposals/{wrong}/answers", {"who": "rurik"})
        assert (refused.status_code, refused.json()["code"]) == (404, "consent/no-proposal")


def propose_command(service: Service, message: str, **fields: Any) -> httpx.Response:
    return service.post("gm", "proposals", {"message": message, "fields": fields})


def test_a_command_is_proposed_by_its_name_and_done_with_the_last_answer(service: Service) -> None:
    before = hp(service, "rurik")
    with watching(service, "rurik") as stream:
        assert kinds(propose_command(service, "hurt", who=["rurik"], amount=3, reason="a trap")) == ["declared"]
        told = next(message for message in stream if message.event == "consent")
        assert (told.data["correction"], told.data["waiting"]) == ("hurt", ["rurik"])
    (shown,) = service.get("rurik", "proposals").json()
    assert [(one["action"], one["verdict"]) for one in shown["plan"]["declarations"]] == [("core:gm:hurt", "proposed")]
    assert [change["who"] for change in shown["plan"]["state"]] == ["rurik"]
    assert hp(service, "rurik") == before
    assert kinds(agree(service, "rurik"))[:2] == ["declared", "declared"]
    assert hp(service, "rurik") == before - 3
    assert service.get("spectator", "proposals").json()[0]["applied"]


def test_nothing_secret_of_a_proposed_command_is_told(service: Service) -> None:
    propose_command(service, "note", text="Rurik is doomed.", about="rurik", secret=True)
    propose_command(service, "rule", who="rurik", reason="Grimjaw stole it", set={"hp": 5}, secret=True)
    propose_command(service, "hurt", who=["rurik", "grimjaw"], amount=1, reason="Grimjaw falls")
    for seat in ("rurik", "osric", "spectator"):
        for path in ("proposals", "events?limit=500", "state"):
            told = service.get(seat, path).text.lower()
            assert "doomed" not in told
            assert "grimjaw" not in told


def test_a_proposal_is_of_a_message_that_can_be_proposed(service: Service) -> None:
    for body, code in (
        ({"message": "nothing", "fields": {}}, "consent/unknown"),
        ({"message": "consent", "fields": {"who": "rurik"}}, "consent/unknown"),
        ({"message": "hurt", "fields": {"who": ["rurik"]}}, "consent/unknown"),
        ({"message": "hurt", "felds": {}}, "request/invalid"),
    ):
        refused = service.post("gm", "proposals", body)
        assert (refused.status_code, refused.json()["code"]) == (422, code), refused.text
    assert service.post("rurik", "proposals", {"message": "start", "fields": {}}).status_code == 403
