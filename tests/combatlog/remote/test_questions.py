"""The table of what is said to a ledger, the routes of the service and both kinds of ledger agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import combatlog
from combatlog.handlers import ledger_answers
from combatlog.messages.ledger_commands import (
    AddWebhook,
    ImportFights,
    ImportLogs,
    Invite,
    LedgerCommand,
    Open,
    RemoveWebhook,
    RevokeSeat,
)
from combatlog.messages.questions import (
    QUESTIONS,
    DrawFigure,
    ExportTables,
    LedgerMessage,
    LedgerQuestion,
    ListArchetypes,
    ListCharacters,
    ListCreatures,
    ListFights,
    ListMessages,
    ListSeats,
    ListWebhooks,
    ReportCampaign,
    ShowCreature,
    Statistics,
    VerifyLedger,
)
from combatlog.zip_files import unpacked_tables
from tests.combatlog.remote.conftest import Sit
from tests.service.calls import OPERATIONS, resolved
from tests.service.conftest import FIGHT

COMMANDS: tuple[type[LedgerCommand], ...] = (Invite, RevokeSeat, AddWebhook, RemoveWebhook, ImportFights, ImportLogs)
ASKED: tuple[LedgerQuestion, ...] = (
    ListFights(),
    ListFights(limit=1, archived=True),
    Statistics.of(statistic="hits", by="weapon", fight=[FIGHT]),
    Statistics.of(statistic="luck", campaign="riverlands", since="2020-01-01", undone=True),
    DrawFigure.of(figure="hits", fight=[FIGHT], format="png"),
    ReportCampaign(campaign="riverlands"),
    ListCharacters(campaign="riverlands"),
    VerifyLedger(),
    ExportTables(format="csv"),
    ListCreatures(search="goblin"),
    ShowCreature(name="goblin"),
    ListArchetypes(),
    ListMessages(),
    ListSeats(encounter=FIGHT),
    ListWebhooks(encounter=FIGHT),
)


@pytest.fixture
def opening() -> dict[str, Any]:
    return {"options": {"campaign": "riverlands"}}


@pytest.fixture
def fought(fight: combatlog.RecordedFight) -> combatlog.RecordedFight:
    fight.do("snig", "attack")
    fight.do("snig", "strike", target="rurik", dice=[15, 4], replies={"osric": None})
    fight.ledger.webhooks.add(fight, "https://example.org/hook")
    return fight


def test_everything_in_the_table_is_answered() -> None:
    assert set(ledger_answers.ANSWERS) == set(QUESTIONS)
    assert set(ledger_answers.CARRIED_OUT) == {Open, *COMMANDS}
    assert set(ledger_answers.SEEN) <= set(QUESTIONS)
    assert {type(question) for question in ASKED} == set(QUESTIONS)


@pytest.mark.parametrize("kind", [*QUESTIONS, *COMMANDS], ids=lambda kind: kind.called())
def test_every_message_has_a_route_with_exactly_its_fields(kind: type[LedgerMessage]) -> None:
    operation = OPERATIONS[f"{kind.method} /v1/{kind.path}"]
    in_address = {one["name"] for one in operation.get("parameters", ()) if one.get("in") in ("path", "query")}
    content = operation.get("requestBody", {}).get("content", {})
    in_body = {field for one in content.values() for field in resolved(one["schema"]).get("properties", ())}
    assert in_address | in_body == {name for name, field in kind.model_fields.items() if not field.exclude}
    assert in_address.isdisjoint(in_body)
    assert (operation["operationId"], operation["tags"]) == (kind.called(), [kind.tag])


@pytest.mark.parametrize("question", ASKED, ids=lambda question: question.called())
def test_a_service_gives_the_same_answer(sit: Sit, fought: combatlog.RecordedFight, question: LedgerQuestion) -> None:
    here, away = fought.ledger.send(question), sit("host").send(question)
    if isinstance(question, ListMessages):  # a service gives those that the seat may send
        here = [one for one in here if one in away]
    if not isinstance(question, ExportTables):  # a ZIP says when it was packed
        assert comparable(away) == comparable(here)
    assert type(away) is type(here) or isinstance(away, list)


def test_a_service_exports_the_same_tables(sit: Sit, fought: combatlog.RecordedFight, tmp_path: Path) -> None:
    kept = []
    for ledger in (fought.ledger, sit("host")):
        files = unpacked_tables(ledger.send(ExportTables(format="csv")), tmp_path / str(len(kept)))
        kept.append({table: file.read_bytes() for table, file in files.items()})
    assert kept[0] == kept[1]
    assert kept[0]


def comparable(answer: Any) -> Any:
    """Sequences of either kind; a webhook without its secret, which a service does not repeat."""
    if hasattr(answer, "to_json"):
        return answer.to_json()
    return [comparable(one) for one in answer] if isinstance(answer, list | tuple) else answer
