"""Formulas that tools keep as text: whole numbers, and dice with something added to them."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable

_DICE = re.compile(r"(\d*)d(\d+)")
LONGEST = 200
"""Of a formula, in characters; what is longer is not read."""


def whole(value: object, otherwise: int = 0) -> int:
    """A whole number that may be written as text."""
    found = whole_if_any(value)
    return found if found is not None else otherwise


def whole_if_any(value: object) -> int | None:
    found = re.fullmatch(r"\s*([+-]?\d+)(?:\.0*)?\s*", str(value))
    return int(found[1]) if found else None


def added_up(formula: str) -> str:
    """Dice of one size and a number, from a sum of several terms, such as `2d6+5`; empty if it has no such form."""
    formula = formula.replace(" ", "") if len(formula) <= LONGEST else ""
    dice, numbers = [], []
    for sign, term in re.findall(r"([+-]?)((?:[^+\-()]|\([^()]*\))+)", formula):
        found = _DICE.fullmatch(term)
        if found is not None and sign != "-":
            dice.append((int(found[1] or 1), int(found[2])))
        elif (value := _calculated(term)) is not None:
            numbers.append(-value if sign == "-" else value)
        else:
            return ""
    total = sum(numbers)
    if not dice:
        return str(total) if numbers else ""
    count, sides = sum(number for number, _ in dice), dice[0][1]
    if any(other != sides for _, other in dice):
        return ""
    return f"{count}d{sides}" + (f"{total:+d}" if total else "")


_OPERATIONS: dict[type, Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
}
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "floor": math.floor, "ceil": math.ceil, "round": round, "min": min, "max": max, "abs": abs
}  # fmt: skip


def _calculated(term: str) -> int | None:
    try:
        return math.floor(_value(ast.parse(term, mode="eval").body))
    except (SyntaxError, ValueError, TypeError, KeyError, ZeroDivisionError, OverflowError, RecursionError):
        return None


def _value(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.BinOp():
            return _OPERATIONS[type(node.op)](_value(node.left), _value(node.right))
        case ast.UnaryOp():
            return _OPERATIONS[type(node.op)](_value(node.operand))
        case ast.Call(func=ast.Name(id=name)):
            return _FUNCTIONS[name](*map(_value, node.args))
    raise ValueError(ast.dump(node))
