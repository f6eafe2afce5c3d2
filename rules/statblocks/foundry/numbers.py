"""The numbers of an actor, and the formulas in which its items use them."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rules.statblocks.block import ABILITIES

_REFERENCE = re.compile(r"@([A-Za-z][\w.-]*)")
_DICE = re.compile(r"(\d*)d(\d+)")
_FLAVOR = re.compile(r"\[[^\]]*\]")
LONGEST_FORMULA = 200


@dataclass(frozen=True)
class Numbers:
    """An actor's scores and what follows from them."""

    system: Mapping[str, Any]
    levels: int
    """Of a character; 0 for a monster."""

    def score(self, ability: str) -> int:
        return whole(self.at(f"abilities.{ability}.value"), 10)

    def modifier(self, ability: str | None) -> int:
        return (self.score(ability) - 10) // 2 if ability in ABILITIES else 0

    @cached_property
    def cr(self) -> float | None:
        rating = self.at("details.cr")
        return float(rating) if isinstance(rating, int | float) else None

    @cached_property
    def proficiency(self) -> int:
        return (max(self.levels or self.cr or 0, 1).__floor__() + 7) // 4

    @property
    def spell_ability(self) -> str | None:
        named = self.at("attributes.spellcasting")
        return str(named) if named in ABILITIES else None

    def difficulty(self, ability: str | None) -> int:
        """Of saves against what it does with an ability."""
        return 8 + self.proficiency + self.modifier(ability)

    def at(self, path: str) -> Any:
        found: Any = self.system
        for step in path.split("."):
            found = found.get(step) if isinstance(found, Mapping) else None
        return found

    def named(self, path: str, ability: str | None = None) -> int | None:
        """What a formula means by `@path`; None if the actor does not say."""
        if path == "mod":
            return self.modifier(ability)
        if path in ("prof", "attributes.prof"):
            return self.proficiency
        if path == "details.level":
            return self.levels
        if path in ("attributes.spell.dc", "attributes.spelldc"):
            return self.difficulty(self.spell_ability)
        if path in ("attributes.spell.mod", "attributes.spellmod"):
            return self.modifier(self.spell_ability)
        if found := re.fullmatch(r"abilities\.(\w+)\.(mod|dc)", path):
            return self.modifier(found[1]) if found[2] == "mod" else self.difficulty(found[1])
        return whole_if_any(self.at(path))

    def dice(self, formula: object, ability: str | None = None) -> str:
        """A formula as one notation, such as `2d6+5`; empty if it has no such form."""
        text = _FLAVOR.sub("", str(formula if formula is not None else ""))[:LONGEST_FORMULA]
        known = _REFERENCE.sub(lambda found: str(self.named(found[1], ability)), text).replace(" ", "")
        return _added_up(known) if "None" not in known else ""

    def number(self, formula: object, ability: str | None = None) -> int | None:
        """The value of a formula without dice; None if it has none."""
        return whole_if_any(self.dice(formula, ability))


def whole(value: object, otherwise: int = 0) -> int:
    """A whole number that may be written as text."""
    found = whole_if_any(value)
    return found if found is not None else otherwise


def whole_if_any(value: object) -> int | None:
    found = re.fullmatch(r"\s*([+-]?\d+)(?:\.0*)?\s*", str(value))
    return int(found[1]) if found else None


def _added_up(formula: str) -> str:
    """Dice of one size and a number, from a sum of several terms."""
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
