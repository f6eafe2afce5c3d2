"""Messages below the command line: no commands or flags in them, codes of one form, and facts that JSON can hold."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import pytest
import typer

from cli.app import app
from combatlog.rules.engine.corrections.rebase import Impossible
from combatlog.rules.engine.options_and_validation import Part
from combatlog.rules.engine.refusal import Refusal, listing, unknown
from combatlog.rules.engine.ruleset import find
from combatlog.testing import Drill
from ledger.errors import Conflict, Problem, Unanswered, UnknownKind, name_taken, unknown_encounter
from tests.cases import each
from tests.support import protected_duel

ROOT = Path(__file__).parent.parent
BELOW_CLI = ("ledger", "projections", "combatlog")
MODULES = sorted(
    str(path.relative_to(ROOT)) for package in BELOW_CLI for path in (ROOT / package).rglob("*.py") if path.is_file()
)

EXEMPT = {
    "ledger/store/database.py": "it starts a program of PostgreSQL, which has flags of its own",
    "projections/report/html.py": "its style sheet has custom properties",
}
"""Modules whose strings may mention a flag, and why."""


# Commands and flags


def commands() -> set[str]:
    """Every command of the command line by its first word, read from the program itself."""
    return set(typer.main.get_command(app).commands)


COMMAND = re.compile(rf"`combatlog\b|\bcombatlog (?:{'|'.join(sorted(map(re.escape, commands())))})\b")
FLAG = re.compile(r"(?<![\w-])--[a-z][\w-]*|(?:^|[\s`])-o(?=[\s`]|$)")


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every string of a module that is not a docstring, with its line."""
    docstrings = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


@cache
def parsed(module: str) -> ast.Module:
    return ast.parse((ROOT / module).read_text("utf-8"))


@pytest.mark.slow
@each("module", [module for module in MODULES if module not in EXEMPT])
def test_no_message_mentions_a_command_or_a_flag(module: str) -> None:
    found = [(line, text) for line, text in texts(parsed(module)) if COMMAND.search(text) or FLAG.search(text)]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "see `combatlog log`",
        "run combatlog verify first",
        "give them with --dice",
        "use -o campaign=TAG",
        "(`--impossible drop`)",
    ],
)
def test_the_scan_finds_commands_and_flags(text: str) -> None:
    assert COMMAND.search(text) or FLAG.search(text)


@pytest.mark.parametrize("text", ["upgrade combatlog to read it", "combatlog backup 1", "a -- b", "4d6-o"])
def test_the_scan_finds_nothing_else(text: str) -> None:
    assert not COMMAND.search(text)
    assert not FLAG.search(text)


# Codes

CODE = re.compile(r"[a-z]+(?:-[a-z]+)*/[a-z0-9]+(?:-[a-z0-9]+)*")
PROBLEMS = {"Problem", "Refusal", "DatabaseProblem", "unknown", "validated"}
"""Whatever takes a code as its argument. `super().__init__` of a problem does, too."""


class Raised(NamedTuple):
    code: str
    """With `x` for what is put in at run time."""
    where: str


def raised() -> list[Raised]:
    return [
        Raised(code, f"{module}:{call.lineno}")
        for module in MODULES
        for call in ast.walk(parsed(module))
        if isinstance(call, ast.Call) and (code := code_of(call)) is not None
    ]


def code_of(call: ast.Call) -> str | None:
    name = ast.unparse(call.func).rsplit(".", 1)[-1]
    place = 2 if name == "validated" else 0
    if name not in PROBLEMS | {"__init__", "find"} or len(call.args) <= place:
        return None
    text = as_text(call.args[2 if name == "find" and len(call.args) > 2 else place])
    is_code = name in PROBLEMS or (text is not None and "/" in text)
    return text if is_code else None


def as_text(node: ast.expr) -> str | None:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


@pytest.mark.slow
def test_every_code_is_a_family_and_what_is_wrong() -> None:
    wrong = [found for found in raised() if not CODE.fullmatch(found.code)]
    assert wrong == []
    assert len(raised()) > 150


@pytest.mark.slow
def test_a_code_means_the_same_wherever_it_is_raised() -> None:
    """Rulesets do not know each other, so a code that several owners raise has its meaning written down here."""
    owners: dict[str, set[str]] = {}
    for code, where in raised():
        owners.setdefault(code, set()).add(owner(where))
    assert {code for code, several in owners.items() if len(several) > 1} - set(SHARED) == set()


def owner(where: str) -> str:
    """The ruleset that raises it, or what all of them share."""
    folder = where.removeprefix("combatlog/rules/").partition("/")[0]
    return folder if folder in ("dnd5e", "action_points", "skirmish", "recorded") else "shared"


SHARED = {
    "aim/no-area": "what is to be aimed covers no area",
    "amend/without-effect": "what an amendment adds changes nothing there",
    "damage/unknown-type": "the ruleset has no such kind of damage",
    "x/dead": "the dead can be neither hurt nor healed nor aimed at",
    "declaration/invalid-option": "an option has a value that its action does not take",
    "declaration/unknown-action": "there is no such action, or the combatant does not have it",
    "declaration/unknown-combatant": "nobody of that name is in the fight",
    "declaration/takes-no-target": "the action takes no target",
    "declaration/takes-no-x": "the action takes no target, destination or weapon",
    "economy/no-x-left": "a resource is used up",
    "file/unusable": "a file cannot be opened or read",
    "rule/unknown-condition": "the ruleset has no such condition",
    "sheet/invalid": "a field of a sheet is wrong",
    "turn/cannot-act": "it is the combatant's turn, but it cannot act",
    "turn/not-started": "the fight has not started",
    "turn/other": "it is somebody else's turn",
    "weapon/invalid": "a field of a weapon is wrong",
}


# Facts


def refusals() -> Iterator[Problem]:
    """Problems of many families, provoked one by one."""
    yield Conflict()
    yield UnknownKind("teleported.3")
    yield Unanswered("connection reset")
    yield unknown_encounter("brige", ["bridge", "road"])
    yield name_taken("bridge")
    yield Problem("some/problem", "A sentence.", encounter=UUID(int=1), part=Part.TARGET, where={(1, 2)}, file=ROOT)
    drill = protected_duel()
    yield from provoked(
        drill,
        ("rurik", "attack"),
        ("snig", "atack"),
        ("gm", "rule", {"target": "rurk", "options": {"reason": "x", "set": {"hp": 3}}}),
        ("gm", "start"),
        ("gm", "end-turn"),
        ("gm", "rule", {"target": "rurik", "options": {"reason": "x"}}),
        ("gm", "rule", {"target": "rurik", "options": {"reason": "x", "set": {"hpp": 3}}}),
        ("gm", "rule", {"target": "rurik", "options": {"reason": "x", "to": (2, 1)}}),
        ("gm", "rule", {"target": "rurik", "options": {"reason": "x", "remove": ["prone"]}}),
        ("gm", "rule", {"target": "rurik", "options": {"reason": "x", "answers": 4}}),
        ("gm", "leave", {"options": {"wy": "tired"}}),
        ("gm", "join", {"options": {"sheet": {"name": "X"}}}),
    )
    for make in (
        lambda: find("dnd5 e"),
        lambda: find("dnd5e").sheet("figter"),
        lambda: Drill(map="..\n..."),
        lambda: Drill(dice="rnadom"),
    ):
        try:
            make()
        except Problem as problem:
            yield problem
        else:
            raise AssertionError("it was not refused")


def provoked(drill: Drill, *declared: tuple[object, ...]) -> Iterator[Problem]:
    for actor, action, *more in declared:
        named = more[0] if more else {}
        assert isinstance(named, dict)
        try:
            drill.do(str(actor), str(action), **named)
        except Problem as problem:
            yield problem
        else:
            raise AssertionError(f"{actor} {action} was not refused")


def test_every_refusal_is_plain_data() -> None:
    codes = set()
    for problem in refusals():
        data = problem.to_json()
        assert json.loads(json.dumps(data)) == data
        assert data["code"] == problem.code
        assert data["sentence"] == problem.sentence
        assert set(data["facts"]) == set(problem.facts)
        assert problem.sentence.endswith((".", "?"))
        assert "None" not in problem.sentence
        codes.add(problem.code)
    assert len(codes) > 20


def test_unknown_names_come_with_suggestions() -> None:
    facts = {problem.code: problem.facts for problem in refusals()}
    suggested = {code: known["suggestions"] for code, known in facts.items() if known.get("suggestions")}
    assert suggested["ledger/unknown-encounter"] == ["bridge"]
    assert suggested["declaration/unknown-action"] == ["attack"]
    assert suggested["declaration/unknown-combatant"] == ["rurik"]
    assert suggested["declaration/unknown-option"] == ["why"]
    assert suggested["rule/unknown-value"] == ["hp"]
    assert suggested["ruleset/unknown"] == ["dnd5e"]
    assert suggested["sheet/unknown"][0] == "fighter"
    assert suggested["dice/source"] == ["random"]


def test_an_unknown_name_lists_all_names_as_a_fact_and_some_in_the_sentence() -> None:
    names = [f"name-{number}" for number in range(40)]
    refusal = unknown("some/code", f"There are {listing(names)}.", "name-7", names, who="osric")
    assert refusal.sentence.endswith("name-11 and 28 more.")
    assert refusal.facts["available"] == names
    assert refusal.facts["suggestions"][0] == "name-7"
    assert refusal.facts["who"] == "osric"
    assert isinstance(refusal, Refusal)


def test_facts_are_plain_whatever_they_hold() -> None:
    facts = Problem("some/code", "A sentence.", how=Impossible.DROP, where=(3, 4), id=UUID(int=0)).to_json()["facts"]
    assert facts == {"how": "drop", "where": [3, 4], "id": str(UUID(int=0))}
