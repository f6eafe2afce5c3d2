"""Requests that get lost, services that are busy or gone, and refusals that arrive as what they are."""

from __future__ import annotations

import json
import socket
import threading
from uuid import uuid4

import pytest

import combatlog
from combatlog import Undo
from combatlog.remote.http_client import HttpClient, Patience
from combatlog.remote.protocol import OURS, Address, Contract, contract_in
from tests.combatlog.remote.conftest import QUICK, Proxy, Sit
from tests.service.conftest import FIGHT, Service


@pytest.mark.parametrize(
    ("text", "url", "token"),
    [
        ("http://127.0.0.1:8321", "http://127.0.0.1:8321", None),
        ("http://127.0.0.1:8321/", "http://127.0.0.1:8321", None),
        ("https://example.org/table/v1/", "https://example.org/table", None),
        ("http://127.0.0.1:8321/join?token=abc", "http://127.0.0.1:8321", "abc"),
        ("https://example.org/table/join?token=abc", "https://example.org/table", "abc"),
        ("http://[::1]:8321/join?token=abc", "http://[::1]:8321", "abc"),
    ],
)
def test_addresses_as_people_paste_them(text: str, url: str, token: str | None) -> None:
    assert Address.read(text) == Address(url, token)


@pytest.mark.parametrize("text", ["", "bridge", "ftp://example.org", "http://", "http://[", "http://a:99999", "//a"])
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(combatlog.Problem) as refused:
        Address.read(text)
    assert refused.value.code == "server/address"


def test_the_token_of_a_link_is_shown_nowhere() -> None:
    assert "secret-token" not in repr(Address.read("http://127.0.0.1/join?token=secret-token"))


@pytest.mark.parametrize("lost", [1, 3])
def test_a_lost_answer_is_asked_for_again_and_nothing_is_recorded_twice(
    service: Service, proxy: Proxy, fight: combatlog.RecordedFight, lost: int
) -> None:
    with combatlog.connect(proxy.url, service.tokens["host"], patience=QUICK) as ledger:
        away = ledger.fight(FIGHT)
        before, proxy.lose = len(fight.history()), lost
        outcome = away.do("snig", "attack")
    assert not outcome.repeated
    assert [event.kind for event in outcome][:1] == ["declared"]
    assert len(fight.history()) == before + len(outcome)
    assert proxy.lose == 0


def test_a_short_form_whose_answer_was_lost_is_carried_out_once(
    service: Service, proxy: Proxy, fight: combatlog.RecordedFight
) -> None:
    fight.end_turn("snig")
    with combatlog.connect(proxy.url, service.tokens["rurik"], patience=QUICK) as ledger:
        away = ledger.fight(FIGHT)
        proxy.lose_posts = 1
        hit = away.hit("snig", dice=[18, 2])  # it takes the only action, so it cannot be found once more
    assert not hit.repeated
    assert [event.kind for event in hit].count("attack_resolved") == 1
    assert [event.kind for event in fight.history()].count("attack_resolved") == 1


def test_a_correction_whose_answer_was_lost_is_made_once(
    service: Service, proxy: Proxy, fight: combatlog.RecordedFight
) -> None:
    with combatlog.connect(proxy.url, service.tokens["host"], patience=QUICK) as ledger:
        away = ledger.fight(FIGHT)
        away.do("snig", "attack")
        plan = away.plan(Undo(reason="a feint"))
        proxy.lose = 1
        outcome = away.apply(plan)
        assert away.apply(plan).repeated
    assert [event.kind for event in outcome] == [event.kind for event in fight.history()[-1:]] == ["undone"]


def test_the_same_command_id_is_done_once(gm: combatlog.RecordedFight) -> None:
    command = uuid4()
    assert not gm.do("snig", "attack", command_id=command).repeated
    again = gm.do("snig", "attack", command_id=command)
    assert (again.repeated, again.events) == (True, ())


def test_what_is_lost_for_good_says_that_nobody_knows(service: Service, proxy: Proxy) -> None:
    with combatlog.connect(proxy.url, service.tokens["host"], patience=Patience(0.3, 0.01, 0.1)) as ledger:
        away = ledger.fight(FIGHT)
        proxy.lose = 10**6
        with pytest.raises(combatlog.Problem) as lost:
            away.do("snig", "attack")
        assert lost.value.code == "server/no-answer"
        proxy.lose = 0
        assert away.do("snig", "attack", command_id=lost.value.facts["command"]).repeated


def test_a_service_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with combatlog.connect(f"http://127.0.0.1:{port}", "x", patience=Patience(0.05, 0.01)) as ledger:
        with pytest.raises(combatlog.Problem) as refused:
            ledger.fight(FIGHT)
        assert refused.value.code == "server/unreachable"


def test_no_token_at_all() -> None:
    with pytest.raises(combatlog.Problem) as refused:
        combatlog.connect("http://127.0.0.1:8321")
    assert refused.value.code == "server/no-token"


def test_a_token_that_is_worth_nothing(sit: Sit) -> None:
    with pytest.raises(combatlog.Problem) as refused:
        sit("nonsense").fight(FIGHT)
    assert refused.value.code == "seat/no-token"


def test_a_correction_that_came_too_late(gm: combatlog.RecordedFight, fight: combatlog.RecordedFight) -> None:
    gm.do("snig", "attack")
    plan = gm.plan(Undo(reason="a feint"))
    fight.note("somebody else speaks")
    with pytest.raises(combatlog.Problem) as refused:
        gm.apply(plan)
    assert refused.value.code == "correction/moved-on"
    assert gm.history()[-1].kind == "noted"


@pytest.mark.parametrize(
    ("actor", "action", "target"), [("rurik", "attack", ()), ("snig", "strike", "rurik"), ("nobody", "dash", ())]
)
def test_a_refusal_is_the_same_problem(
    gm: combatlog.RecordedFight, fight: combatlog.RecordedFight, actor: str, action: str, target: str
) -> None:
    problems = []
    for one in (gm, fight):
        with pytest.raises(combatlog.Refusal) as refused:
            one.do(actor, action, target=target)
        problems.append(refused.value.to_json())
    assert problems[0] == problems[1]


class Scripted:
    """Gives fixed answers, one to each connection, and keeps what it was sent."""

    def __init__(self, *answers: bytes) -> None:
        self._answers = list(answers)
        self.heads: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        for answer in self._answers:
            connection, _ = self._listener.accept()
            with connection:
                self.heads.append(connection.recv(1 << 16).decode())
                connection.sendall(answer)

    def close(self) -> None:
        self._thread.join()
        self._listener.close()


def _answer(status: str, body: object = None, *headers: str, type: str = "application/json") -> bytes:
    content = json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(content)}", f"Content-Type: {type}", *headers]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + content


_BUSY = {"code": "request/too-many", "detail": "Too many requests.", "facts": {}}


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.mark.parametrize(
    ("passing", "waited"),
    [
        (_answer("429 Too Many Requests", _BUSY, "Retry-After: 3", type="application/problem+json"), 3.0),
        (_answer("503 Service Unavailable", _BUSY, "Retry-After: 2", type="application/problem+json"), 2.0),
        (_answer("502 Bad Gateway", "<html>", type="text/html"), 0.1),
        (b"", 0.1),
    ],
)
def test_what_passes_is_tried_again_by_the_same_key(passing: bytes, waited: float, waits: list[float]) -> None:
    service = Scripted(passing, passing, _answer("200 OK", {"seq": 1}))
    key = uuid4()
    wire = HttpClient(Address.read(service.url), "t", patience=Patience(seconds=60), wait=waits.append)
    answer = wire.send("POST", "/encounters", {}, key=key, expected=7)
    service.close()
    wire.close()
    assert (answer.data, answer.attempts) == ({"seq": 1}, 3)
    assert waits == [max(waited, 0.1), max(waited, 0.2)]
    for head in service.heads:
        assert f"idempotency-key: {key}" in head.lower()
        assert 'if-match: "7"' in head.lower()
        assert "authorization: bearer t" in head.lower()


@pytest.mark.parametrize("passing", [_answer("429 Too Many Requests", _BUSY, type="application/problem+json")])
def test_there_is_an_end_to_patience(passing: bytes) -> None:
    service = Scripted(passing)
    wire = HttpClient(Address.read(service.url), "t", patience=Patience(seconds=0.0))
    with pytest.raises(combatlog.Problem) as refused:
        wire.get("/seat")
    service.close()
    wire.close()
    assert refused.value.code == "request/too-many"


def test_something_else_that_answers() -> None:
    service = Scripted(_answer("404 Not Found", "no", type="text/html"))
    wire = HttpClient(Address.read(service.url), "t")
    with pytest.raises(combatlog.Problem) as refused:
        wire.get("/seat")
    service.close()
    wire.close()
    assert refused.value.code == "server/not-a-service"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("theirs", "code"),
    [
        (Contract(OURS.number - 1, 0), "server/too-old"),
        (OURS, None),
        (Contract(OURS.number + 1, OURS.number), None),
        (Contract(OURS.number + 1, OURS.number + 1), "server/too-new"),
    ],
)
def test_services_of_other_releases(
    service: Service, theirs: Contract, code: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("combatlog.service.observability.OURS", theirs)
    with combatlog.connect(service.url, service.tokens["rurik"], patience=QUICK) as ledger:
        if code is None:
            assert ledger.fight(FIGHT).battle.name == FIGHT
            return
        with pytest.raises(combatlog.Problem) as refused:
            ledger.fight(FIGHT)
    assert (refused.value.code, service.url in refused.value.sentence) == (code, True)


def test_every_answer_says_which_contract_it_keeps(service: Service) -> None:
    for path in ("/healthz", "/openapi.json", "/v1/nonsense", "/v1/seat"):
        assert contract_in(service.get("rurik", path).headers) == OURS
