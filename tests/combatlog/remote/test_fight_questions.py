"""Every question about a fight has a route with its fields, and a service answers it as a ledger at hand does."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_core import from_json, to_json

import combatlog
from combatlog import Undo
from combatlog.handlers.fight_answers import ANSWERS
from combatlog.messages.fight_questions import (
    QUESTIONS,
    Advise,
    AimAt,
    Compare,
    Explain,
    ExportFight,
    FightQuestion,
    FindWay,
    ListActions,
    ListChanges,
    ListCombatants,
    ListCorrections,
    ListProposals,
    RateDifficulty,
    ReplayFight,
    ReportFight,
    SealFight,
    ShowDice,
    ShowState,
    VerifyFight,
    WhyNot,
)
from combatlog.messages.requests import Overrule
from combatlog.rules.engine.status import status_of
from ledger.json_shapes import as_document
from projections.battle.fold import Battle
from tests.combatlog.remote.conftest import Sit
from tests.effort import slowly
from tests.rules.veils_ruleset import WAYS_TO_BE_UNSEEN
from tests.service.calls import OPERATIONS
from tests.service.conftest import FIGHT

SEATS = {"host": "gm", "auditor": "auditor", "rurik": "player:rurik", "osric": "player:osric", "spectator": "spectator"}
"""Those of `tests.service.conftest`, as the fight names them."""
ABOUT_EVENTS = [
    kind(seq, *name) for seq in (1, 9, 21, 33, 40, 999) for kind, name in ((Explain, ()), (WhyNot, ("parry",)))
]
ELSEWHERE = Compare(other="elsewhere")
ASKED: tuple[FightQuestion, ...] = (
    ShowState(),
    ListCombatants(),
    ShowDice(),
    *(
        kind(who)
        for kind in (ListActions, ListChanges, Advise)
        for who in ("rurik", "Snig", "osric", "grimjaw", "nobody")
    ),
    ListChanges("snig", ["action"]),
    ListChanges("rurik", ["mana"]),
    AimAt("osric", "strike", 3, 3),
    FindWay("rurik", "move", 1, 0),
    FindWay("snig", "move", 4, 1, {"gait": "hop"}),
    FindWay("snig", "move", 4, 1),
    *ABOUT_EVENTS,
    ListCorrections(),
    ListProposals(),
    Compare(),
    Compare(at=12, other_at=20),
    ELSEWHERE,
    ReportFight(),
    ReplayFight(),
    ReplayFight(format="html"),
    RateDifficulty(),
    RateDifficulty("bystanders"),
    VerifyFight(),
    SealFight(),
    *(ExportFight(form) for form in ("jsonl", "markdown", "html", "csv", "parquet")),
)


@pytest.fixture(params=WAYS_TO_BE_UNSEEN)
def opening(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {"options": {"consent": "table"}, "ruleset": request.param}


@pytest.fixture
def fought(fight: combatlog.RecordedFight) -> combatlog.RecordedFight:
    """With a correction that was made, one that is proposed, a secret and a window that waits for Osric."""
    fight.do("snig", "attack")
    first = fight.do("snig", "strike", target="rurik", dice=[15, 4], replies={"osric": None})
    fight.note("Grimjaw waits under the bridge", secret=True)
    fight.propose(Undo(first[0].seq, reason="out of reach", impossible="drop"))
    fight.send(Overrule("it was clear"))
    fight.do("snig", "strike", target="rurik", dice=[14, 3], replies={"osric": None})
    fight.propose(Undo(reason="once more", impossible="drop"))
    fight.end_turn("snig")
    return fight


def test_every_question_has_an_answer_and_is_asked_here() -> None:
    assert set(ANSWERS) == set(QUESTIONS) == {type(question) for question in ASKED}


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: kind.called())
def test_every_question_has_a_route_with_exactly_its_fields(kind: type[FightQuestion]) -> None:
    operation = OPERATIONS[f"GET /v1/encounters/{{encounter}}/{kind.path}"]
    taken = {one["name"] for one in operation.get("parameters", ()) if one.get("in") in ("path", "query")}
    own = {name for name, field in kind.model_fields.items() if not field.exclude}
    assert taken - {"encounter", "seat", "at"} == own - {"seat", "at"}
    assert ("seat" in taken) is not kind.whole or kind is ShowState
    assert (operation["operationId"], operation["tags"]) == (kind.called(), [kind.tag])


@pytest.mark.parametrize("seat", ["host", "rurik", "spectator", *slowly("auditor", "osric")])
def test_a_service_gives_the_same_answers(sit: Sit, fought: combatlog.RecordedFight, seat: str) -> None:
    away = sit(seat).fight(FIGHT)
    assert away.send(ListProposals())[-1].plan is not None
    for question in ASKED:
        if question == ELSEWHERE and seat != "host":  # a seat at one fight knows of no other
            assert answered(away, question) == "seat/not-here"
        else:
            assert answered(away, question) == answered(fought, question, SEATS[seat]), question


@pytest.mark.parametrize("eyes", ["players", *slowly("player:osric", "spectator")])
def test_a_gm_looks_through_other_eyes(sit: Sit, fought: combatlog.RecordedFight, eyes: str) -> None:
    away = sit("host").fight(FIGHT)
    for question in ASKED:
        assert answered(away, question, eyes) == answered(fought, question, eyes), question


@pytest.mark.parametrize("seat", ["host", "rurik"])
def test_questions_about_an_earlier_moment(sit: Sit, fought: combatlog.RecordedFight, seat: str) -> None:
    here, away = fought.seen_by(SEATS[seat], 20), sit(seat).fight(FIGHT).seen_by("gm", 20)
    for question in (ShowState(), ListCombatants(), Explain(18), ListChanges("rurik"), ReportFight(), Explain(21)):
        assert comparable(lambda: away.ask(question)) == comparable(lambda: here.ask(question)), question  # noqa: B023


def answered(fight: combatlog.RecordedFight, question: FightQuestion, seat: str | None = None) -> Any:
    return comparable(lambda: fight.send(question, seat=seat))


def comparable(ask: Any) -> Any:
    """The document of an answer without what is new every time, or the code of the refusal."""
    try:
        answer = ask()
    except combatlog.Problem as problem:
        return problem.code
    if isinstance(answer, Battle):
        return status_of(answer)
    if isinstance(answer, bytes):
        return answer[:2] if answer[:2] == b"PK" else _without_times(answer.decode())
    return _lasting(from_json(to_json(as_document(answer), fallback=str)))


NEW_EVERY_TIME = {"checked", "sealed_at", "signature", "recorded_at", "command"}


def _lasting(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _lasting(one) for name, one in part.items() if name not in NEW_EVERY_TIME}
    return [_lasting(one) for one in part] if isinstance(part, list) else part


def _without_times(text: str) -> str:
    return text.partition('"checked"')[0]
