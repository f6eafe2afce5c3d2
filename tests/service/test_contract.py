"""The contract of docs/http.md: done once, on the state that was seen, refused as RFC 9457 says, within limits."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest

import combatlog
from combatlog.handlers.sender import Sender
from combatlog.rules.engine.refusal import Refusal
from combatlog.service.limits import RateLimiter
from combatlog.service.observability import WITH_ADDRESSES
from combatlog.service.problems import Refused, status_of
from combatlog.web import pages as served
from ledger.errors import DatabaseProblem, Problem
from tests.cases import each
from tests.service.calls import ROUTES
from tests.service.conftest import FIGHT, Service
from tests.service.tokens import WRONG, use_tokens
from tests.support import protected_duel

Make = Callable[..., Service]
END = {"who": "snig"}
PAGES = "/web/{name:path}"
GUIDE = (Path(__file__).parents[2] / "docs" / "http.md").read_text("utf-8")


@pytest.mark.parametrize("key", ["6a3f3c0e-7f0b-4b6e-9d3a-2f5f6f1f9a11", "my key no. 1"])
def test_a_command_that_is_sent_twice_is_done_once(service: Service, fight: combatlog.RecordedFight, key: str) -> None:
    first = service.post("gm", "turns", END, **{"Idempotency-Key": key})
    again = service.post("gm", "turns", END, **{"Idempotency-Key": key})
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json() == {**first.json(), "repeated": True}
    assert [event["kind"] for event in first.json()["events"]].count("turn_ended") == 1
    assert fight.backend.latest(1)[0].seq == first.json()["seq"]


def test_the_key_is_the_id_of_the_command(service: Service, fight: combatlog.RecordedFight) -> None:
    command = uuid4()
    service.post("gm", "rulings", {"note": "rain", "reason": "mood"}, **{"Idempotency-Key": str(command)})
    assert fight.rule(note="rain", reason="mood", command_id=command).repeated


def test_opening_twice_with_a_key_opens_once(service: Service) -> None:
    opened = [service.post("host", "/v1/encounters", {"name": "hall"}, **{"Idempotency-Key": "a"}) for _ in range(2)]
    assert [answer.status_code for answer in opened] == [201, 201]
    assert opened[0].json()["events"] == opened[1].json()["events"]
    assert opened[0].headers["location"] == f"/v1/encounters/{opened[0].json()['encounter']}/state"
    assert service.post("host", "/v1/encounters", {"name": "hall"}).json()["code"] == "ledger/name-taken"


def test_a_command_can_insist_on_the_state_that_was_seen(service: Service, fight: combatlog.RecordedFight) -> None:
    seen = service.get("gm", "state")
    assert seen.headers["etag"] == f'"{seen.json()["seq"]}"'
    fight.rule(note="rain", reason="mood")
    refused = service.post("gm", "turns", END, **{"If-Match": seen.headers["etag"]})
    assert (refused.status_code, refused.json()["code"]) == (412, "request/moved-on")
    since = refused.json()["facts"]["since"]
    assert [event["kind"] for event in since] == ["declared", "ruled"]
    assert refused.headers["etag"] == f'"{since[-1]["seq"]}"'
    assert service.post("gm", "turns", END, **{"If-Match": refused.headers["etag"]}).status_code == 200


def test_otherwise_it_is_resolved_on_the_newest_state(service: Service, fight: combatlog.RecordedFight) -> None:
    service.get("gm", "state")
    fight.rule(note="rain", reason="mood")
    assert service.post("gm", "turns", END).status_code == 200


def test_what_a_player_does_not_see_is_no_news(service: Service, fight: combatlog.RecordedFight) -> None:
    fight.end_turn("snig")
    seen = service.get("rurik", "state")
    fight.rule("grimjaw", set={"hp": 3}, reason="it stumbled")
    assert service.get("rurik", "state").content == seen.content
    done = service.post(
        "rurik", "declarations", {"actor": "rurik", "action": "dodge"}, **{"If-Match": seen.headers["etag"]}
    )
    assert done.status_code == 200


def test_an_unchanged_state_is_not_sent_again(service: Service) -> None:
    seen = service.get("gm", "state")
    again = service.get("gm", "state", **{"If-None-Match": seen.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    told = [datetime.fromisoformat(answer.headers["combatlog-time"]) for answer in (seen, again)]
    assert told[0] <= told[1] <= datetime.now(UTC)


def test_pages_of_events(service: Service, fight: combatlog.RecordedFight) -> None:
    pages, after = [], 0
    while after is not None:
        page = service.get("gm", f"events?limit=7&after={after}").json()
        pages += page["events"]
        after = page["next"]
    assert [event["seq"] for event in pages] == [event.seq for event in fight.history()]
    lines = service.get("gm", "events?after=5", accept="application/x-ndjson")
    assert [json.loads(line) for line in lines.text.splitlines()] == pages[5:]


def test_pages_of_encounters(service: Service) -> None:
    found, after = [], ""
    while after is not None:
        page = service.get("host", f"/v1/encounters?limit=1{after and f'&after={after}'}").json()
        found += [one["name"] for one in page["encounters"]]
        after = page["next"]
    assert found == ["elsewhere", FIGHT]  # the newest first


def test_a_refusal_is_a_problem_with_code_and_facts(service: Service) -> None:
    refused = service.post("gm", "declarations", {"actor": "rurik", "action": "dodge"}, **{"X-Request-ID": "abc"})
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.headers["x-request-id"] == "abc"
    assert refused.json() == {
        "type": "urn:combatlog:problem:turn/other",
        "title": "Conflict",
        "status": 409,
        "detail": "It is Snig's turn, not Rurik's.",
        "code": "turn/other",
        "facts": {"who": "rurik", "turn": "snig"},
        "request_id": "abc",
    }


@each(
    ("problem", "status"),
    [
        (Refusal("turn/other", "."), 409),
        (Refusal("declaration/unknown-combatant", "."), 422),
        (Problem("ledger/unknown-encounter", "."), 404),
        (Problem("explain/no-event", "."), 404),
        (Problem("sheet/invalid", "."), 422),
        (Problem("ledger/name-taken", "."), 409),
        (DatabaseProblem("database/unreachable", "."), 503),
        (DatabaseProblem("ledger/not-recorded", "."), 503),
        (Refused("seat/no-token", "."), 401),
        (Refused("request/too-many", "."), 429),
    ],
)
def test_every_code_has_its_status(problem: Problem, status: int) -> None:
    assert status_of(problem) == status


@each("facts", [{"occupant": "grimjaw"}, {"available": ["rurik", {"x": "Grimjaw"}]}, {"needed": {"grimjaw": 1}}])
def test_a_refusal_does_not_mention_whom_a_seat_does_not_see(facts: dict[str, object]) -> None:
    drill = protected_duel()
    drill.join("goblin", "Grimjaw", side="foes", hidden=True, dice=[7])
    sender = Sender(drill.backend, drill.seen_by("players").seat)
    shown = sender.as_seen(Refusal("move/occupied", "Grimjaw stands there.", **facts))
    assert (shown.code, shown.sentence, shown.facts) == ("move/occupied", "That is not possible now.", {})
    assert status_of(shown) == 409


@pytest.mark.slow
@each(
    ("headers", "code"),
    [
        ({"If-Match": "yesterday"}, "request/if-match"),
        ({"If-Match": '"' + "9" * 30 + '"'}, "request/if-match"),
        ({"Idempotency-Key": "x" * 256}, "request/idempotency-key"),
    ],
)
def test_headers_that_say_nothing(service: Service, headers: dict[str, str], code: str) -> None:
    assert service.post("gm", "turns", END, **headers).json()["code"] == code


@pytest.mark.slow
@each(
    "content", [b"", b"{", b"[]", b"null", b'{"who": 5}', b'{"who": "snig", "whom": 1}', b"\xff", b'{"who": "\\ud800"}']
)
def test_bodies_that_say_nothing(service: Service, fight: combatlog.RecordedFight, content: bytes) -> None:
    client, before = service.client("gm"), fight.backend.latest(1)[0].seq
    refused = client.post(service.at("turns"), content=content, headers={"content-type": "application/json"})
    assert (refused.status_code, refused.headers["content-type"]) == (422, "application/problem+json")
    assert fight.backend.latest(1)[0].seq == before


def test_unknown_things_are_problems_too(service: Service) -> None:
    for path in ("/nothing", "/v2", "/v1/nothing"):
        assert service.get("host", path).json()["code"] == "request/not-found"
    assert service.get("host", "/v1/encounters/nothing/state").json()["code"] == "ledger/unknown-encounter"
    assert service.get("gm", "events/9999/explanation").status_code == 404
    assert service.get("gm", "state?at=9999").status_code == 404
    wrong = service.client("gm").put(service.at("state"))
    assert (wrong.status_code, wrong.json()["code"]) == (405, "request/method")


@pytest.mark.slow
@each("path", ["/campaigns/%00/report", "/campaigns/%00/characters", "/statistics/hits?campaign=%00"])
def test_no_campaign_has_a_name_that_is_not_text(service: Service, path: str) -> None:
    refused = service.get("host", f"/v1{path}")
    assert (refused.status_code, refused.json()["code"]) == (404, "stats/unknown-campaign")


def test_figures_know_no_such_campaign_either(service: Service) -> None:
    refused = service.get("host", "/v1/figures/hits?campaign=%00")
    assert (refused.status_code, refused.json()["code"]) == (404, "stats/unknown-campaign")


def test_what_was_shown_may_be_nested_too_deeply(service: Service) -> None:
    refused = service.client("rurik").post(service.at("verification/shown"), content=b'{"a":' * 5000)
    assert refused.json()["code"] == "shown/unreadable"


@each("sent", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_that_is_not_sent_as_json(service: Service, sent: str) -> None:
    client = service.client("gm", **({"Content-Type": sent} if sent else {}))
    refused = client.post(service.at("notes"), content=b'{"text": "it rains"}')
    assert (refused.status_code, refused.json()["code"]) == (415, "request/media-type")
    assert refused.json()["detail"] == "Send the body as JSON, with Content-Type: application/json."


def test_what_is_wrong_with_a_request_is_said_in_the_sentence(service: Service) -> None:
    refused = service.get("gm", "state?at=0").json()
    assert refused["detail"] == "The request is not valid: query.at: Input should be greater than or equal to 1."
    assert service.client("gm").put(service.at("state")).json()["detail"].startswith("PUT is not possible")
    assert service.get("gm", "/v1/nowhere").json()["detail"] == "There is nothing at this address."
    assert service.get("gm", "/metrics").json()["detail"] == "This takes a seat at all fights."
    assert service.post("auditor", "notes", {"text": "x"}).json()["detail"] == "An auditor cannot do this."


@pytest.mark.slow
@each(
    ("path", "body", "code"),
    [
        ("notes", {"text": "a\u0000b"}, "input/not-text"),
        ("rolls", {"notation": "nonsense"}, "dice/notation"),
        ("/v1/encounters", {"name": "other", "dice": "loaded"}, "dice/source"),
        ("seats", {"role": "player"}, "seat/combatants"),
        ("seats", {"role": "spectator", "combatants": ["rurik"]}, "seat/combatants"),
    ],
)
def test_what_can_never_be_done_is_no_conflict(service: Service, path: str, body: dict[str, object], code: str) -> None:
    refused = service.post("host", path, body)
    assert (refused.status_code, refused.json()["code"]) == (422, code)


@pytest.mark.slow
@pytest.mark.parametrize("said", ['"{}"', 'W/"{}"', '"1", "{}"', "*"])
def test_a_state_that_is_known_by_any_of_its_tags(service: Service, said: str) -> None:
    last = service.get("rurik", "state").json()["seq"]
    assert service.get("rurik", "state", **{"If-None-Match": said.format(last)}).status_code == 304
    assert service.get("rurik", "state", **{"If-None-Match": '"1", W/"2"'}).status_code == 200


def test_a_command_that_insists_on_what_is_not_recorded_yet(service: Service) -> None:
    refused = service.post("gm", "turns", END, **{"If-Match": '"999"'})
    assert (refused.status_code, refused.json()["facts"]["since"]) == (412, [])
    assert refused.json()["detail"].startswith("There is no event 999 yet")


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_whether_it_is_alive_can_be_asked_for_alone(service: Service, path: str) -> None:
    answer = service.client().head(path)
    assert (answer.status_code in (200, 503), answer.content) == (True, b"")


def test_a_request_has_a_largest_size(make_service: Make) -> None:
    service = make_service(largest_body=1000)
    body = {"who": "snig", "by": "x" * 1000}
    assert service.post("gm", "turns", body).json()["code"] == "request/too-large"
    chunked = service.client("gm").post(service.at("turns"), content=iter([b'{"who": "', b"x" * 2000, b'"}']))
    assert chunked.status_code == 413


def test_too_many_requests_have_to_wait(make_service: Make) -> None:
    service = make_service(rate=0.01, burst=3)
    gm = service.client("gm")
    answers = [gm.get(service.at("state")) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[-1].json()["code"] == "request/too-many"
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 100
    assert service.get("rurik", "state").status_code == 200
    assert service.get("gm", "/healthz").status_code == 200


def test_a_service_with_too_much_to_do_says_when_to_come_back(make_service: Make) -> None:
    service = make_service(at_once=0)
    refused = service.get("gm", "state")
    assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (429, "request/busy", "1")
    assert service.get("gm", "/healthz").status_code == 200


def test_a_service_that_falls_behind_is_not_ready(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("combatlog.service.routes.health_and_pages._BEHIND", 0.0)
    answer = service.get(None, "/readyz")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    assert (answer.json()["database"], answer.json()["follower"]) == (True, False)


def test_a_bucket_fills_again() -> None:
    rates = RateLimiter(rate=2, burst=2)
    assert [rates.wait(b"a", now) for now in (0, 0, 0)] == [0, 0, 0.5]
    assert rates.wait(b"b", 0) == 0
    assert rates.wait(b"a", 0.5) == 0
    assert [rates.wait(b"a", 100) for _ in range(3)] == [0, 0, 0.5]


def test_a_service_that_only_reads(make_service: Make, database: str) -> None:
    service = make_service(read_only=True)
    assert service.get("gm", "state").status_code == 200
    for seat, path, body in (
        ("gm", "turns", END),
        ("host", "/v1/encounters", {"name": "x"}),
        ("gm", "seats", {"role": "gm"}),
    ):
        assert service.post(seat, path, body).json()["code"] == "service/read-only"


def test_a_service_that_only_reads_answers_what_records_nothing(make_service: Make) -> None:
    service = make_service(read_only=True)
    assert service.post("gm", "corrections/plan", {"correction": "undo"}).status_code == 200
    assert service.get("gm", "seats").status_code == 200
    assert service.get("gm", "webhooks").status_code == 200


OPEN = {"/healthz", "/readyz", "/openapi.json", "/", "/table", "/table/{encounter}", "/replay/{encounter}", PAGES}


@pytest.mark.slow
def test_what_is_open_without_a_token(service: Service) -> None:
    """Every route that there is, whether the OpenAPI document mentions it or not."""
    filled = {PAGES: f"/web/{next(iter(served.files()))}"}
    for call, route in ROUTES.items():
        method, path = call.split(" ")[0], filled.get(route.path, route.path.replace("{seq}", "1"))
        answer = service.client().request(method, path, json={})
        assert (answer.status_code in (200, 307)) is (route.path in OPEN), call
        assert route.path in OPEN or answer.status_code in (401, 422), call
    assert {route.path for route in ROUTES.values()} > OPEN


def test_the_guide_names_what_is_open_without_a_token() -> None:
    (told,) = re.findall(r"^Without a token, three things.*?\n\n", GUIDE, re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"`(/[^`]*)`", told))
    assert {f"/{path.split('/')[1]}" for path in OPEN} == named


def test_pages_hold_no_data(service: Service) -> None:
    known = service.client("gm").get(f"/table/{FIGHT}")
    assert {service.get(None, path).content for path in ("/table", "/table/x", "/replay/x")} == {known.content}
    assert FIGHT not in known.text


def test_an_invitation_link_sets_a_cookie_that_only_this_site_can_use(service: Service) -> None:
    browser = service.client()
    joined = browser.get(f"/join?token={service.tokens['gm']}")
    assert (joined.status_code, joined.headers["location"].startswith("/table/")) == (303, True)
    cookie = joined.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert browser.get(service.at("state")).status_code == 200
    assert browser.post(service.at("turns"), json=END).json()["code"] == "seat/forged"
    foreign = {"X-Combatlog": "1", "Origin": "https://evil.example"}
    assert browser.post(service.at("turns"), json=END, headers=foreign).json()["code"] == "seat/forged"
    own = {"X-Combatlog": "1", "Origin": service.url}
    assert browser.post(service.at("turns"), json=END, headers=own).status_code == 200
    assert service.client().get("/join?token=nonsense").status_code == 401


def test_no_token_is_in_a_log(
    service: Service, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever logs it: the service, the server that it runs on, or a library."""
    monkeypatch.setattr(logging.getLogger(WITH_ADDRESSES), "disabled", True)  # as a process of its own does
    with caplog.at_level("DEBUG"):
        statuses = use_tokens(service.url, {"gm": service.tokens["gm"], "wrong": WRONG})
    told = [vars(record) for record in caplog.records]
    ours = [one for one in told if one["name"] == "combatlog.service" and one["msg"] == "request"]
    assert [one["status"] for one in ours] == statuses
    assert len({one["name"] for one in told}) > 1, "others log, too"
    secret = [token for token in (*service.tokens.values(), WRONG) if token != "nonsense"]
    assert [one for one in told if any(token in str(one) for token in secret)] == []


def test_the_metrics_count(service: Service) -> None:
    service.get("gm", "state")
    text = service.get("host", "/metrics").text
    assert 'combatlog_requests_total{method="GET"' in text
    assert "combatlog_streams 0.0" in text
    assert FIGHT not in text


@pytest.mark.slow
def test_a_service_whose_database_is_gone_says_so(make_service: Make, database: str) -> None:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    service = make_service()
    assert any(service.get(None, "/readyz").status_code == 200 for _ in range(500)), "the follower never caught up"
    name = conninfo_to_dict(database)["dbname"]
    with psycopg.connect(make_conninfo(database, dbname="postgres"), autocommit=True) as conn:
        conn.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")  # type: ignore[call-overload]
        conn.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        refused = service.get("gm", "state")
        assert (refused.status_code, "retry-after" in refused.headers) == (503, True)
        assert service.get(None, "/readyz").json()["database"] is False
        assert service.get(None, "/healthz").status_code == 200
        conn.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")  # type: ignore[call-overload]
    assert service.get("gm", "state").status_code == 200


@pytest.mark.parametrize("media_type", ["application/json", "application/json; charset=utf-8", "application/x+json"])
def test_a_command_is_read_alike_however_its_json_is_announced(service: Service, media_type: str) -> None:
    def post(body: dict[str, object]) -> tuple[int, dict[str, object]]:
        client = service.client("gm", **{"Content-Type": media_type})
        answer = client.post(service.at("notes"), content=json.dumps(body))
        return answer.status_code, answer.json()

    status, done = post({"text": "rain"})
    assert (status, done["repeated"]) == (200, False)
    status, refused = post({"text": 1, "more": True})
    assert (status, refused["code"]) == (422, "request/invalid")
    wrong = refused["facts"]["wrong"]  # type: ignore[index]
    assert [one["where"] for one in wrong] == [["body", "text"], ["body", "more"]]
