"""Every surface has every message of the table: nothing can be forgotten, and nothing can drift."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import combatlog.messages
from combatlog import message_reference
from combatlog.handlers import fight_answers
from combatlog.handlers.command_handlers import handler_of
from combatlog.handlers.ledger_answers import ANSWERS, CARRIED_OUT
from combatlog.messages.commands import Command
from combatlog.messages.corrections import Correcting, Rebasing
from combatlog.messages.fight_questions import FightQuestion
from combatlog.messages.ledger_commands import LedgerCommand
from combatlog.messages.message import Message
from combatlog.messages.questions import ContentQuestion, LedgerMessage, LedgerQuestion
from combatlog.messages.requests import proposable
from combatlog.messages.rights import RIGHTS
from tests.cases import each
from tests.service.calls import DOCUMENT, OPERATIONS
from tools import messages as reference

TABLE = message_reference.by_name()
ABSTRACT = {Command, Correcting, Rebasing, LedgerMessage, LedgerCommand, LedgerQuestion, ContentQuestion}
IN_ADDRESSES = {"proposal": 3, "encounter": "bridge"}
PAGES = Path(message_reference.__file__).parent / "web" / "table"


def defined() -> Iterator[type[Message]]:
    """Every message that has an address, wherever it is defined."""
    for module in iter_modules(combatlog.messages.__path__, "combatlog.messages."):
        for found in vars(import_module(module.name)).values():
            if isinstance(found, type) and issubclass(found, Message) and hasattr(found, "path"):
                yield found


def test_every_message_is_in_the_table_once() -> None:
    kinds = message_reference.messages()
    assert set(defined()) - set(kinds) - ABSTRACT == set()
    assert len(TABLE) == len(kinds) == len(set(kinds))


@each("name", TABLE)
def test_it_does_something(name: str) -> None:
    kind = TABLE[name]
    if issubclass(kind, LedgerMessage):
        assert kind in ANSWERS or kind in CARRIED_OUT
    elif issubclass(kind, FightQuestion):
        assert kind in fight_answers.ANSWERS
    else:
        assert callable(handler_of(kind))


def operation_of(kind: type[Message]) -> str:
    return f"{message_reference.method_of(kind)} {message_reference.address_of(kind)}"


@each("name", TABLE)
def test_it_has_a_route_that_the_openapi_document_describes(name: str) -> None:
    kind = TABLE[name]
    operation = OPERATIONS[operation_of(kind)]
    if message_reference.method_of(kind) == "POST" and not issubclass(kind, LedgerCommand):
        taken = str(operation["requestBody"])
        assert f"schemas/{kind.__name__}'" in taken or name == "propose"
    if issubclass(kind, Command):
        assert (operation["operationId"], operation["summary"]) == (name, kind.summary())
        assert DOCUMENT["components"]["schemas"][kind.__name__]["examples"]


@each("name", TABLE)
def test_the_remote_client_knows_its_address(name: str) -> None:
    kind = TABLE[name]
    examples = message_reference.described(kind)["fields"].get("examples", [])
    for example in examples:
        path = getattr(kind, "path", "")
        placed = {part: value for part, value in IN_ADDRESSES.items() if f"{{{part}}}" in path}
        path, body = kind(**{**example, **placed}).request()
        assert "{" not in path
        assert set(body) <= {*example, "message", "fields"}


@each("name", TABLE)
def test_it_has_an_entry_in_the_reference_in_which_everything_has_a_meaning(name: str) -> None:
    kind = TABLE[name]
    told = message_reference.described(kind)
    assert told["summary"].endswith((".", "?"))
    assert [field.name for field in message_reference.fields_of(kind) if not field.meaning] == []
    assert f"### `{name}` ({kind.__name__})" in reference.PAGE.read_text("utf-8")
    assert f"`{operation_of(kind)}`" in reference.PAGE.read_text("utf-8")


def test_the_page_of_the_reference_is_up_to_date() -> None:
    assert reference.main(["--check"]) == 0


@each("name", TABLE)
def test_the_page_draws_a_form_or_there_is_a_reason_why_not(name: str) -> None:
    told, reason = message_reference.described(TABLE[name]), message_reference.instead_of_form(TABLE[name])
    assert bool(told["asks"]) is (reason is None)
    assert set(told["asks"]) <= set(told["fields"]["properties"])
    missing = {*told["fields"]["required"]} - {*told["asks"]}
    assert reason is not None or missing <= {"correction"}


def test_no_reason_is_left_over() -> None:
    assert set(message_reference.NO_FORM) <= set(message_reference.messages())


@each("name", [name for name, kind in TABLE.items() if issubclass(kind, Command | Correcting) and kind.can_be_tried])
def test_it_can_be_proposed(name: str) -> None:
    assert proposable()[name] is TABLE[name]


def test_no_page_knows_a_right_by_another_name() -> None:
    rights = {right.value for held in RIGHTS.values() for right in held}
    (known,) = [
        line for line in (PAGES / "actions.js").read_text("utf-8").splitlines() if line.startswith("const ACT =")
    ]
    assert known.split('"')[1] in rights


def test_an_unknown_message_is_refused_with_suggestions() -> None:
    with pytest.raises(combatlog.Problem) as refused:
        message_reference.message_called("hrut")
    assert (refused.value.code, refused.value.facts["suggestions"]) == ("message/unknown", ["hurt"])
