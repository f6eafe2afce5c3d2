"""Describe every message, for the reference, for the forms of the page, and for authors of programs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple

from pydantic import Field
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from typing_extensions import TypedDict

from combatlog.messages import commands as said
from combatlog.messages import corrections, requests
from combatlog.messages import ledger_commands as told
from combatlog.messages.fight_questions import FightQuestion
from combatlog.messages.message import Message
from combatlog.messages.questions import QUESTIONS, LedgerMessage, LedgerQuestion
from combatlog.plugins import commands, questions
from combatlog.rules.content.reference import ReferenceField as InWords
from combatlog.rules.content.reference import fields_in
from combatlog.rules.engine.refusal import unknown
from projections.story.phrases import capitalized


class MessageField(NamedTuple):
    """A field of a message, in words."""

    name: str
    takes: str
    required: bool
    default: Any
    meaning: str
    example: Any


class MessageData(TypedDict):
    name: Annotated[str, Field(description="as programs call it, such as `end_turn`")]
    title: Annotated[str, Field(description="as people call it")]
    summary: Annotated[str, Field(description="what it does, in one line")]
    about: Annotated[str, Field(description="what else there is to know")]
    right: Annotated[str, Field(description="the right that a seat needs")]
    method: str
    address: Annotated[str, Field(description="where it is sent; fields can be in it")]
    asks: Annotated[list[str], Field(description="the fields that a form asks for, in order; none: it has no form")]
    fields: Annotated[dict[str, Any], Field(description="the body, as JSON Schema")]


NO_FORM: Mapping[type[Message], str] = {
    said.Declare: "the menu of actions: targets and squares are picked on the map, which previews the result",
    said.Hit: "the menu of actions has every attack",
    said.Cast: "the menu of actions has every spell",
    said.Move: "the menu of actions: the way is shown on the map",
    said.React: "the prompt: the answers are buttons with their prices",
    said.EndTurn: "a button",
    said.TimeUp: "a button, when the time is up",
    said.Start: "a button",
    said.Sit: "the program that keeps the player's secrets",
    said.GiveLink: "the program that keeps the player's secrets",
    corrections.Undo: "buttons beside each event, with the plan",
    corrections.Redo: "a button, with the plan",
    requests.Propose: "the button below the plan of a correction",
    requests.Consent: "the prompt: what is proposed, and two buttons",
    requests.Overrule: "the prompt",
    requests.Auto: "a button, which lists each step and its reason",
    told.RevokeSeat: "a button in the list of seats",
    told.AddWebhook: "a program",
    told.RemoveWebhook: "a program",
    told.ImportFights: "it takes a file",
    told.ImportLogs: "it takes files",
}
"""Messages without a generated form, and what the page has instead."""
ASKED_BY_THE_PAGE = "the panels of the page ask it"


def messages() -> tuple[type[Message], ...]:
    """The table of all messages, those of plug-ins included."""
    return (
        *commands(),
        *corrections.CORRECTIONS.values(),
        *(requests.Propose, requests.Consent, requests.Overrule),
        *(requests.Fork, requests.Auto),
        *told.LEDGER_COMMANDS,
        *questions(),
        *QUESTIONS,
    )


def by_name() -> dict[str, type[Message]]:
    return {kind.called(): kind for kind in messages()}


def message_called(name: str) -> type[Message]:
    known, wanted = by_name(), name.replace("-", "_")
    if wanted not in known:
        raise unknown("message/unknown", f"There is no message {name!r}.", name, sorted(known))
    return known[wanted]


def instead_of_form(kind: type[Message]) -> str | None:
    """What the page has instead of a form for a message; None: it has a form."""
    return ASKED_BY_THE_PAGE if issubclass(kind, LedgerQuestion | FightQuestion) else NO_FORM.get(kind)


def method_of(kind: type[Message]) -> str:
    return "GET" if issubclass(kind, FightQuestion) else str(getattr(kind, "method", "POST"))


def address_of(kind: type[Message]) -> str:
    path: str = getattr(kind, "path")  # noqa: B009
    return f"/v1/{path}" if issubclass(kind, LedgerMessage) else f"/v1/encounters/{{encounter}}/{path}"


@cache
def described(kind: type[Message]) -> MessageData:
    first, _, rest = (kind.__doc__ or "").strip().partition("\n")
    name, address, form = kind.called(), address_of(kind), instead_of_form(kind)
    return {
        "name": name,
        "title": capitalized(name.replace("_", " ")),
        "summary": first,
        "about": " ".join(rest.split()),
        "right": kind.right.value,
        "method": method_of(kind),
        "address": address,
        "asks": [name for name in kind.asked_for() if f"{{{name}}}" not in address] if form is None else [],
        "fields": schema_of(kind),
    }


def schema_of(kind: type[Message]) -> dict[str, Any]:
    """The fields as JSON Schema, without those that only Python has."""
    schema = kind.model_json_schema(schema_generator=_Lenient)
    left_out = {name for name, field in kind.model_fields.items() if field.exclude}
    schema["properties"] = {name: one for name, one in schema.get("properties", {}).items() if name not in left_out}
    schema["required"] = [name for name in schema.get("required", []) if name not in left_out]
    return schema


def fields_of(kind: type[Message]) -> list[MessageField]:
    """What each field takes, in words, with its limits."""
    schema = described(kind)["fields"]
    return [_taken(field, schema["properties"][field.name]) for field in fields_in(schema)]


def _taken(field: InWords, schema: dict[str, Any]) -> MessageField:
    kinds = [schema, *schema.get("anyOf", ())] if schema.get("format") != "square" else []
    limits = (words.format(kind[name]) for name, words in _LIMITS.items() for kind in kinds if name in kind)
    example = schema.get("examples", [None])[0]
    default = field.default if field.default not in (None, "", [], {}) else None
    return MessageField(
        field.name,
        ", ".join([_CALLED.get(field.takes, field.takes), *limits]),
        field.required,
        default,
        field.note,
        example,
    )


_CALLED = {
    "combatant": "a combatant",
    "a list of combatant": "combatants",
    "[a number, a number]": "[column, row]",
}
_LIMITS = {"minItems": "at least {}", "maxItems": "at most {}", "maxLength": "up to {} characters"}


class _Lenient(GenerateJsonSchema):
    """A field that only Python has, such as a function, can be anything."""

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012

    def handle_invalid_for_json_schema(self, schema: Any, error_info: str) -> JsonSchemaValue:
        return {}
