"""What `--json` prints is as its schema says, and a schema only breaks a promise under a new version."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest
import typer
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from cli.app import app
from cli.render.json_schemas import DOCUMENTS, document_called
from tests.cli.conftest import Run
from tools.documents import broken_promises
from tools.documents import main as documents

ROOT = Path(__file__).parent.parent.parent
AMBUSH = "docs/examples/ambush.yaml"
LIBRARY = "combatlog/rules/skirmish/data/ability-library.json"
EXPORTED = "bridge.jsonl"
LOG = "docs/examples/session.txt"
CREATURES = "docs/examples/marsh.json"
PLAYED = (
    ("do", "bridge", "snig", "attack"),
    ("do", "bridge", "snig", "strike", "--target", "rurik", "--dice", "2", "--reply", "osric=pass"),
    ("undo", "bridge", "--reason", "the wrong target", "--yes"),
    ("fork", "bridge", "--as", "what if"),
    ("do", "what if", "snig", "strike", "--target", "rurik", "--dice", "3", "--reply", "osric=pass"),
    ("run", AMBUSH, "--as", "ambush"),
    ("export", "bridge", "--output", EXPORTED),
    ("new", "hall", "--option", "campaign=Riverlands"),
    ("join", "hall", "wizard", "--as", "Mira", "--at", "1,1"),
)
"""What happens before the commands below, so that there is something to print."""
PRINTED: dict[str, list[tuple[str, ...]]] = {
    "recorded": [
        ("new", "another"),
        ("join", "another", "goblin"),
        ("do", "bridge", "snig", "move", "--to", "4,1"),
        ("rule", "bridge", "--note", "it rains", "--reason", "mood"),
        ("fork", "bridge", "--as", "what else"),
    ],
    "shared_dice": [("dice", "show", "bridge")],
    "status": [("status", "bridge"), ("status", "bridge", "--at", "2")],
    "log": [("log", "bridge"), ("log", "bridge", "--standing")],
    "explanation": [("explain", "bridge", "20")],
    "menu": [("actions", "bridge", "snig")],
    "invitation": [("seat", "bridge", "--gm"), ("seat", "bridge", "--player", "snig")],
    "seats": [("seat", "bridge")],
    "new-webhook": [("webhook", "bridge", "--add", "https://example.org/hook")],
    "webhooks": [("webhook", "bridge")],
    "aim": [("aim", "hall", "mira", "fireball", "4,4")],
    "list": [("list",)],
    "roster": [("roster", "Riverlands")],
    "report": [("report", "bridge")],
    "advice": [("advise", "bridge", "snig")],
    "economy": [("economy", "bridge", "snig")],
    "why-not": [("explain", "bridge", "20", "--why-not", "protection")],
    "plan": [("undo", "bridge", "--dry-run")],
    "proposal": [("proposal", "bridge")],
    "difference": [("diff", "bridge", "what if")],
    "corrections": [("corrections", "bridge")],
    "auto": [("auto", "ambush", "--turns", "1")],
    "simulation": [("simulate", AMBUSH, "--runs", "2", "--jobs", "1")],
    "run": [("run", AMBUSH, "--dry")],
    "statistics": [("stats", "hits"), ("stats", "luck")],
    "rows": [("sql", "SELECT 1 AS one")],
    "tables": [("sql", "--schema")],
    "verification": [("verify", "bridge"), ("verify", "--all")],
    "imported": [("import", EXPORTED)],
    "imported-log": [("import-log", "dice", LOG), ("import-log", "dice", LOG, "--dry-run")],
    "read-models": [("projections", "status")],
    "lake-written": [("lake", "write", "lake")],
    "lake-compacted": [("lake", "compact", "lake")],
    "lake": [("lake", "status", "lake")],
    "database": [("db", "status")],
    "reference": [("reference",), ("reference", "--ruleset", "skirmish")],
    "messages": [("reference", "--messages"), ("reference", "time_up")],
    "archetypes": [("pack", "archetypes")],
    "pack-import": [("pack", "import", CREATURES, "--out", "imported")],
    "creatures": [("creatures", "goblin"), ("creatures", "list", "--cr", "1/4..2")],
    "creature": [("creatures", "show", "goblin")],
    "difficulty": [("difficulty", "bridge")],
    "pack-check": [("pack", "check", "docs/examples/frost")],
    "abilities": [("abilities", "list")],
    "ability": [("abilities", "show", "Battle Scars")],
    "library-check": [("abilities", "check", LIBRARY)],
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


@pytest.fixture
def played(bridge: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    for folder in ("docs", "combatlog"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    for arguments in PLAYED:
        assert bridge(*arguments) == (0, ANY, ""), arguments
    return bridge


@cache
def published() -> Any:
    resources = ((document.id, Resource.from_contents(document.schema())) for document in DOCUMENTS)
    return Registry().with_resources(resources)


@cache
def closed_schemas() -> Any:
    """Made by the tests that use them: every worker imports this file."""
    resources = ((document.id, Resource.from_contents(closed(document.schema()))) for document in DOCUMENTS)
    return Registry().with_resources(resources)


ADDING = {"log"}
"""Documents that add a field to another one, which therefore has to be open to it."""


@pytest.mark.slow
def test_commands_print_what_the_schemas_describe(played: Run) -> None:
    for name, commands in PRINTED.items():
        known = published() if name in ADDING else closed_schemas()
        validator = Draft202012Validator(known[document_called(name).id].contents, registry=known)
        for arguments in commands:
            printed = played(*arguments, "--json")
            assert printed.err == "", arguments
            errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(json.loads(printed.out))]
            assert errors == [], arguments


def test_refusals_are_documents_too(run: Run) -> None:
    refused = run("status", "nothing", "--json")
    assert refused.out == ""
    Draft202012Validator(closed_schemas()["combatlog:problem:1"].contents).validate(json.loads(refused.err))


ON_A_CLUSTER = {"cluster"}
"""Documents that only a cluster prints: tests/citus."""


def test_every_document_is_printed_by_a_command_here() -> None:
    printed = {document.name for document in DOCUMENTS if document.commands} - ON_A_CLUSTER
    assert printed == {name for name, commands in PRINTED.items() if commands}


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
