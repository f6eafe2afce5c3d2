"""The interface of a format of stat blocks, how formats are found, and the HTML and formulas that tools keep as text.

A format is a plug-in: any installed package can provide one through the entry point group
`combatlog.stat_block_formats`.
"""

from __future__ import annotations

import ast
import html
import json
import math
import operator
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from combatlog.importers.statblocks.stat_block import BlockOrigin, SpellBlock, StatBlock
from combatlog.rules.content.files import files_like
from combatlog.rules.engine import pieces
from combatlog.rules.engine.refusal import Refusal, listing, unknown

GROUP = "combatlog.stat_block_formats"
TEXTS = (".json", ".txt")
"""How files end that may be JSON."""
MAX_BYTES = 64_000_000
"""Of one file; the largest of open5e has less than one million."""


class Compendium(ABC):
    """What a source has: creatures and spells by id, each read when it is asked for."""

    origin: BlockOrigin

    @abstractmethod
    def creatures(self) -> Sequence[str]: ...

    @abstractmethod
    def creature(self, id: str) -> StatBlock: ...

    def spells(self) -> Sequence[str]:
        return ()

    def spell(self, id: str) -> SpellBlock:
        raise KeyError(id)


class StatBlockFormat(ABC):
    """Reads the stat blocks of one tool."""

    name: str
    """How people call for it, and the name of its entry point, which leads to the class."""
    about: str
    """What is read, in a few words."""

    @abstractmethod
    def recognises(self, source: Path) -> bool:
        """Whether a file or folder looks like one of its own."""

    @abstractmethod
    def open(self, source: Path) -> Compendium:
        """What a file or folder has, or a refusal."""


def known_formats() -> list[str]:
    return pieces.plugin_names(GROUP)


def find(name: str) -> StatBlockFormat:
    made: type[StatBlockFormat] | None = pieces.load_plugin(GROUP, name)
    if made is None:
        known = known_formats()
        sentence = f"There is no format of stat blocks {name!r}; {listing(known)} can be read."
        raise unknown("pack-import/format", sentence, name, known)
    return made()


def open_source(source: Path, format: str | None = None) -> Compendium:
    """What a file or folder has. Without a format, the first one that recognises it."""
    if not source.exists():
        raise Refusal(
            "pack-import/not-found",
            f"There is no file or folder {source}.",
            file=str(source),
            suggestions=files_like(source),
        )
    if format is not None:
        return find(format).open(source)
    for name in known_formats():
        found = find(name)
        if found.recognises(source):
            return found.open(source)
    if source.suffix.lower() in TEXTS and source.is_file():
        read_json(source)  # says what is wrong with it, if it is no JSON at all
    raise Refusal(
        "pack-import/unrecognised",
        f"{source} has none of the formats that can be read: {listing(known_formats())}.",
        file=str(source),
        available=known_formats(),
    )


def read_json(path: Path) -> Any:
    """The content of a JSON file, or a refusal that names it."""
    if path.is_dir():
        raise Refusal("pack-import/folder", f"{path} is a folder; this format is a file.", file=str(path))
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise Refusal(
                "pack-import/too-large",
                f"{path} has {size // 1_000_000} MB; at most {MAX_BYTES // 1_000_000} MB are read.",
                file=str(path),
                most=MAX_BYTES,
                found=size,
            )
        if not size:
            raise Refusal("pack-import/empty", f"{path} is empty.", file=str(path))
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Refusal("pack-import/malformed", f"{path} cannot be read as JSON.", file=str(path)) from error


def peek_json(path: Path) -> Any:
    """The content of a JSON file, or None: for a first look at whose file it is."""
    if path.suffix.lower() not in TEXTS or not path.is_file():
        return None
    try:
        return read_json(path)
    except Refusal:
        return None


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


_SECRET = re.compile(r"<section[^>]*\bsecret\b[^>]*>(.*?)</section>", re.DOTALL | re.IGNORECASE)
_ENDS_A_LINE = re.compile(r"</(?:p|li|tr|h\d|div|section|table|ul|ol)>|<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"<[^>]+>")


def text_of(markup: str) -> str:
    """One line for each paragraph. Where a part is for the GM only, the rest says the same in fewer words: left out."""
    secret = " ".join(found for found in _SECRET.findall(markup) if _TAG.sub("", found).strip())
    lines = _ENDS_A_LINE.sub("\n", secret or markup)
    text = html.unescape(_TAG.sub("", lines)).replace("\xa0", " ")
    return "\n".join(line for line in (re.sub(r"[ \t\r]+", " ", line).strip() for line in text.split("\n")) if line)


def shortened(name: str) -> str:
    """A name as ids have it."""
    return "-".join(re.findall(r"[a-z0-9]+", re.sub(r"['’]", "", name.lower()))) or "unnamed"
