"""Whom a refusal mentions is among its facts: what a player may not be told is decided by those, and never by prose."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

RULES = Path(__file__).parents[2] / "combatlog" / "rules"
PROBLEMS = {"Refusal", "Problem", "Impossible", "unknown"}
NO_COMBATANTS = {"self", "rules", "ruleset", "die", "seal", "before", "pack", "feature", "shield", "weapon", "spell"}
"""What else has a name in the rules' sentences."""


def problems() -> Iterator[tuple[str, ast.expr, list[ast.expr]]]:
    """Where a problem is made, its sentence, and its facts."""
    for path in sorted(RULES.rglob("*.py")):
        tree = ast.parse(path.read_text())
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _made_in(function, path)


def _made_in(
    function: ast.FunctionDef | ast.AsyncFunctionDef, path: Path
) -> Iterator[tuple[str, ast.expr, list[ast.expr]]]:
    said = {
        target.id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for call in ast.walk(function):
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id in PROBLEMS
            and len(call.args) > 1
        ):
            facts = [fact.value if fact.arg is not None else _looked_up(fact.value, said) for fact in call.keywords]
            yield f"{path.relative_to(RULES.parent)}:{call.lineno}", _looked_up(call.args[1], said), facts


def _looked_up(value: ast.expr, said: dict[str, ast.expr]) -> ast.expr:
    return said.get(value.id, value) if isinstance(value, ast.Name) else value


def mentioned(sentence: ast.expr) -> set[str]:
    """The expressions whose name is in the sentence."""
    named = (node.value for node in ast.walk(sentence) if isinstance(node, ast.Attribute) and node.attr == "name")
    return {ast.unparse(one) for one in named} - NO_COMBATANTS


def test_whoever_is_mentioned_is_among_the_facts() -> None:
    checked, wrong = 0, []
    for where, sentence, facts in problems():
        told = " ".join(ast.unparse(fact) for fact in facts)
        for whom in mentioned(sentence):
            checked += 1
            if not any(f"{whom}.{part}" in told for part in ("id", "name")):
                wrong.append(f"{where} mentions {whom}, and no fact has its id")
    assert checked > 150
    assert wrong == []
