"""What a refused command says: the sentence, its code and a hint; with `--json`, the same as data."""

from __future__ import annotations

import ast
import json
import re
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cli.render.problem_hints import HINTS, Facts, facts_of, hint_for
from tests.cases import each
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]
TYPICAL: dict[str, Any] = {
    "encounter": "Bridge ambush",
    "who": "osric",
    "turn": "snig",
    "what": "magic_missile",
    "available": ["protection", "shield"],
    "suggestions": ["slot"],
    "option": "slot",
    "part": "target",
    "target": "rurik",
    "declaration": 34,
}


@cache
def codes_raised() -> set[str]:
    """Every code in the source, read from the strings there; `*` stands for what is put in at run time."""
    files = [
        file for package in ("ledger", "projections", "combatlog", "cli") for file in (ROOT / package).rglob("*.py")
    ]
    trees = [ast.parse(file.read_text("utf-8")) for file in files if file.name != "hints.py"]
    arguments = [arg for tree in trees for call in ast.walk(tree) if isinstance(call, ast.Call) for arg in call.args]
    texts = {text for text in map(as_pattern, arguments) if re.fullmatch(r"[a-z*][a-z0-9_*/-]*", text)}
    late = {f"*/{text}" for text in texts if "/" not in text}  # `*/*` is put together from a code's last part
    return {text for text in texts if text.count("/") == 1} - {"*/*"} | (late if "*/*" in texts else set())


def as_pattern(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@pytest.mark.slow
@each("code", HINTS)
def test_a_hint_is_for_a_code_that_something_raises(code: str) -> None:
    assert any(fnmatchcase(code, raised) or fnmatchcase(raised.replace("*", "x"), code) for raised in codes_raised())


@each("code", HINTS)
@each("facts", [{}, TYPICAL], ids=["no facts", "typical facts"])
def test_every_hint_can_be_given(code: str, facts: dict[str, Any]) -> None:
    hint = hint_for(code, facts_of(facts, {}))
    assert hint
    assert hint == hint.strip()
    assert "None" not in hint
    assert "{" not in hint


def test_hints_name_what_is_known_and_quote_it() -> None:
    said = {"encounter": "Bridge ambush", "actor": "mira", "action": "magic_missile"}
    assert hint_for("declaration/unknown-action", facts_of({}, said)) == (
        "See what it can do: combatlog actions 'Bridge ambush' mira"
    )
    assert hint_for("start/nobody", Facts()) == "Add combatants: combatlog join ENCOUNTER SHEET"


def test_suggestions_come_first() -> None:
    facts = facts_of({"suggestions": ["slot", "spell"], "what": "magic_missile"}, {})
    assert hint_for("declaration/unknown-option", facts) == (
        "Did you mean slot or spell? See what it takes: combatlog reference magic_missile"
    )
    assert hint_for("some/other-code", facts) == "Did you mean slot or spell?"


def test_a_problem_without_a_hint_has_none() -> None:
    assert hint_for("some/other-code", facts_of(TYPICAL | {"suggestions": []}, {})) is None


@each(
    ("arguments", "code", "hint"),
    [
        (("status", "nowhere"), "ledger/unknown-encounter", "`combatlog list` shows the encounters."),
        (("do", "bridge", "nobody", "dash"), "declaration/unknown-combatant", "combatlog status bridge"),
        (("do", "bridge", "snig", "fly"), "declaration/unknown-action", "combatlog actions bridge snig"),
        (("do", "bridge", "rurik", "dash"), "turn/other", "combatlog end-turn bridge"),
        (("do", "bridge", "snig", "move"), "move/no-destination", "--to COLUMN,ROW"),
        (("do", "bridge", "snig", "dash", "--dice", "3"), "dice/too-many", "--dice"),
        (("react", "bridge", "osric", "protection"), "reaction/no-window", "combatlog status bridge"),
        (("new", "bridge"), "ledger/name-taken", "combatlog status bridge"),
        (("join", "bridge", "goblin", "--as", "Snig"), "join/name-taken", "--as NAME"),
        (("join", "bridge", "goblin", "--as", "Grub", "--at", "4,2"), "place/occupied", "--at COLUMN,ROW"),
        (("rule", "bridge", "snig", "--to", "3,2", "--reason", "x"), "place/occupied", "--to COLUMN,ROW"),
        (
            ("rule", "bridge", "rurik", "--reason", "so"),
            "rule/empty",
            "--set, --add, --remove, --to, --side, --terrain or --note",
        ),
        (("explain", "bridge", "999"), "explain/no-event", "combatlog log bridge"),
        (("undo", "bridge", "999"), "undo/no-event", "combatlog log bridge"),
        (("stats", "luck", "--campaign", "none"), "stats/unknown-campaign", "--option campaign=TAG"),
        (("sql", "SELECT nothing"), "sql/refused", "combatlog sql --schema"),
        (("abilities", "show", "nothing of it"), "ability/unknown", "combatlog abilities list"),
        (("auto", "bridge"), "auto/table-dice", "--dice random"),
        (("replay", "bridge", "--actor", "nobody"), "declaration/unknown-combatant", "combatlog status bridge"),
        (("replay", "bridge", "--actor", "osric"), "replay/nothing", "--actor"),
        (("replay", "bridge", "--kind", "forked"), "replay/nothing", "--kind"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_a_refusal_is_a_sentence_a_code_and_a_hint(
    bridge: Run, arguments: tuple[str, ...], code: str, hint: str
) -> None:
    refused = bridge(*arguments)
    sentence, shown = refused.err.splitlines()
    assert refused.status == 1
    assert sentence.endswith(f". [{code}]")
    assert hint in shown
    assert refused.out == ""


def test_a_waiting_window_is_answered_by_the_command_in_the_hint(bridge: Run) -> None:
    bridge("do", "bridge", "snig", "attack")
    bridge("do", "bridge", "snig", "strike", "--target", "rurik")
    refused = bridge("do", "bridge", "snig", "dash")
    assert refused.code == "window/waiting"
    assert refused.err.endswith("\nAnswer with: combatlog react bridge osric protection | pass\n")


@each(
    ("arguments", "code"),
    [
        (("status", "nowhere"), "ledger/unknown-encounter"),
        (("log", "nowhere"), "ledger/unknown-encounter"),
        (("do", "bridge", "rurik", "dash"), "turn/other"),
        (("undo", "bridge", "999"), "undo/no-event"),
        (("stats", "luck", "nowhere"), "ledger/unknown-encounter"),
        (("sql", "SELECT nothing"), "sql/refused"),
        (("verify", "nowhere"), "ledger/unknown-encounter"),
        (("run", "no-such-file.yaml"), "file/unreadable"),
        (("import", "no-such-file.jsonl"), "file/unusable"),
        (("simulate", "no-such-file.yaml"), "file/unreadable"),
        (("abilities", "show", "nothing of it"), "ability/unknown"),
        (("pack", "archetypes", "nothing"), "archetype/unknown"),
        (("reference", "nothing"), "reference/unknown"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_with_json_a_refusal_is_json_on_standard_error(bridge: Run, arguments: tuple[str, ...], code: str) -> None:
    refused = bridge(*arguments, "--json")
    told = json.loads(refused.err)
    assert (refused.status, refused.out) == (1, "")
    assert list(told) == ["code", "sentence", "facts", "hint"]
    assert told["code"] == code
    assert told["sentence"].endswith((".", "?"))


def test_json_facts_and_suggestions(bridge: Run) -> None:
    told = json.loads(bridge("do", "bridge", "snig", "strke", "--json").err)
    assert told["code"] == "declaration/unknown-action"
    assert told["facts"]["suggestions"][0] == "strike"


def test_a_mistyped_option_is_suggested(bridge: Run) -> None:
    bridge("join", "bridge", "wizard", "--as", "Mira", "--at", "9,9")
    told = json.loads(bridge("do", "bridge", "mira", "magic_missile", "--option", "slt=2", "--json").err)
    assert told["code"] == "declaration/unknown-option"
    assert told["facts"]["option"] == "slt"
    assert told["facts"]["suggestions"] == ["slot"]
    assert told["hint"] == "Did you mean slot? See what it takes: combatlog actions bridge mira magic_missile"


def test_a_wrong_command_line_is_still_status_2(bridge: Run) -> None:
    assert bridge("status", "--json").status == 2
    assert bridge("do", "bridge", "snig", "move", "--to", "here", "--json").status == 2
