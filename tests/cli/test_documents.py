"""What `--json` prints is as its schema says, and a schema only breaks a promise under a new version."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from jsonschema import Draft202012Validator

from cli.app import app
from cli.documents.__main__ import main as documents
from cli.documents.catalogue import DOCUMENTS, document_called
from cli.documents.changes import broken_promises
from tests.cli.conftest import Run

PRINTED: dict[str, list[tuple[str, ...]]] = {
    "status": [("status", "bridge"), ("status", "bridge", "--at", "2")],
}
"""Commands by the document that they print."""


def closed(schema: Any) -> Any:
    """The schema without the permission to have fields that it does not describe."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    inside = {name: closed(part) for name, part in schema.items()}
    return {**inside, "additionalProperties": False} if "properties" in inside else inside


@pytest.mark.parametrize("name", PRINTED)
def test_commands_print_what_the_schema_describes(bridge: Run, name: str) -> None:
    validator = Draft202012Validator(closed(document_called(name).schema()))
    for arguments in PRINTED[name]:
        printed = json.loads(bridge(*arguments, "--json").out)
        assert [error.message for error in validator.iter_errors(printed)] == []


def test_every_document_is_printed_by_a_command_here() -> None:
    assert {document.name for document in DOCUMENTS} == set(PRINTED)


def test_every_command_with_json_prints_a_document() -> None:
    described = {command for document in DOCUMENTS for command in document.commands}
    assert set(_commands_with_json(typer.main.get_command(app))) == described


def _commands_with_json(command: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    for name, part in getattr(command, "commands", {}).items():
        yield from _commands_with_json(part, (*path, name))
    if any("--json" in param.opts for param in command.params):
        yield " ".join(path)


def test_the_schemas_on_disk_are_current() -> None:
    assert documents(["--check"]) == 0


def test_a_schema_can_be_asked_for(run: Run) -> None:
    assert json.loads(run("schema", "status").out)["$id"] == "combatlog:status:1"
    assert "status" in run("schema").out
    refused = run("schema", "statsu")
    assert (refused.status, refused.code) == (1, "schema/unknown")
    assert "status" in refused.err


OLD = {
    "type": "object",
    "properties": {"seq": {"type": "integer"}, "who": {"$ref": "#/$defs/Who"}},
    "required": ["seq", "who"],
    "$defs": {"Who": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}},
}


def changed(**changes: Any) -> dict[str, Any]:
    return {**OLD, **changes}


@pytest.mark.parametrize(
    ("new", "broken"),
    [
        (changed(properties={**OLD["properties"], "more": {"type": "string"}}), []),
        (changed(properties={"who": OLD["properties"]["who"]}), ["the document has no 'seq' any more"]),
        (changed(required=["who"]), ["'seq' of the document may now be absent"]),
        (
            changed(properties={**OLD["properties"], "seq": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}),
            ["'seq' of the document can now be null"],
        ),
        (
            changed(**{"$defs": {"Who": {"type": "object", "properties": {}}}}),
            ["'who' of the document has no 'name' any more"],
        ),
    ],
)
def test_only_what_readers_rely_on_is_a_promise(new: dict[str, Any], broken: list[str]) -> None:
    assert broken_promises(OLD, new) == broken
