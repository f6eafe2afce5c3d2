"""Arguments as nobody should write them: one sentence each, nothing written."""

from __future__ import annotations

import json

import pytest

from tests.cases import each
from tests.cli.conftest import Run

LONG = "x" * 3000
ODD = "O'B\"; DROP TABLE x; --\x1b[31m\u202e\N{DRAGON}\n%s {} \\"


@each(
    "arguments",
    [
        ("status", "\udcff"),
        ("do", "bridge", "snig", "dash", "--by", "\udcff"),
        ("do", "bridge", LONG, "dash"),
        ("do", "bridge", "snig", "dash", "--by", LONG),
        ("do", "bridge", "snig", "dash", "--option", "x=" + "[" * 5000),
        ("do", "bridge", "snig", "dash", "--option", "x=&a [*a]"),
        ("do", "bridge", "snig", "dash", "--option", "x=!!python/name:os.system"),
        ("do", "bridge", "snig", "dash", "--option", "x=2001-01-01"),
        ("join", "bridge", "goblin", "--as", "Grub", "--set", "hp=" + "9" * 5000),
        ("join", "bridge", "goblin", "--as", LONG),
        ("join", "bridge", "/dev/zero.yaml"),
        ("new", LONG),
        ("rule", "bridge", "rurik", "--note", LONG * 10, "--reason", "so"),
        ("status", ODD),
        ("do", "bridge", ODD, "dash"),
        ("do", "bridge", "snig", ODD),
        ("do", "bridge", "snig", "dash", "--dice", "9" * 5000),
    ],
    ids=lambda arguments: " ".join(arguments)[:40].encode("ascii", "replace").decode(),
)
def test_hostile_arguments_are_refused_harmlessly(bridge: Run, arguments: tuple[str, ...]) -> None:
    before = json.loads(bridge("db", "status", "--json").out)["events"]
    refused = bridge(*arguments)
    assert refused.status == 1
    assert refused.err.count("\n") <= 2
    assert not set("\x1b\u202e") & set(refused.err)
    assert json.loads(bridge("db", "status", "--json").out)["events"] == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("do", "bridge", "snig", "move", "--to", "9" * 5000 + ",1"),
        ("rule", "bridge", "rurik", "--set", "hp=" + "9" * 5000, "--reason", "so"),
        ("amend", "bridge", "8", "--face", "²=3"),
        ("undo", "bridge", "--reply", "²:osric=pass"),
        ("undo", "bridge", "9" * 5000),
    ],
    ids=lambda arguments: " ".join(arguments)[:40].encode("ascii", "replace").decode(),
)
def test_numbers_that_are_none_are_wrong_usage(bridge: Run, arguments: tuple[str, ...]) -> None:
    assert bridge(*arguments).status == 2


def test_a_name_for_sql_is_only_a_name(bridge: Run) -> None:
    name = "Robert'); DROP TABLE combatlog.ledger_events; --"
    assert bridge("new", name).status == 0
    assert [entry["name"] for entry in json.loads(bridge("list", "--json").out)["encounters"]] == [name, "bridge"]
    assert bridge("status", name).status == 0
    assert bridge("verify", "--all").status == 0
