"""The interface of a stat block format, how formats are found, and parsing of the HTML and formulas in their texts.

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
from combatlog.rules.engine.refusal import Refusal, choices, listing, unknown

GROUP = "combatlog.stat_block_formats"
TEXTS = (".json", ".txt")
"""Suffixes of files that may be JSON."""
MAX_BYTES = 64_000_000
"""The largest file that is read; the largest of open5e has less than one million bytes."""


class Compendium(ABC):
    """The creatures and spells of a source, by id. Each is read when it is requested."""

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
    """The name that users give, which is also the name of the class's entry point."""
    about: str
    """What the format reads, in a few words."""

    @abstractmethod
    def recognises(self, source: Path) -> bool:
        """Whether a file or folder looks like this format."""

    @abstractmethod
    def open(self, source: Path) -> Compendium:
        """The content of a file or folder. Refuses one that cannot be read."""


def known_formats() -> list[str]:
    return pieces.plugin_names(GROUP)


def find(name: str) -> StatBlockFormat:
    made: type[StatBlockFormat] | None = pieces.load_plugin(GROUP, name)
    if made is None:
        known = known_formats()
        sentence = f"There is no stat block format {name!r}; choose {choices(known)}."
        raise unknown("pack-import/format", sentence, name, known)
    return made()


def open_source(source: Path, format: str | None = None) -> Compendium:
    """The content of a file or folder, in the given format or the first one that recognises it."""
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
        read_json(source)  # refuses a file that is not JSON, with the reason
    raise Refusal(
        "pack-import/unrecognised",
        f"{source} is not in a known format; the formats are {listing(known_formats())}.",
        file=str(source),
        available=known_formats(),
    )


def read_json(path: Path) -> Any:
    """The content of a JSON file. Refuses any other file by name."""
    if path.is_dir():
        raise Refusal("pack-import/folder", f"{path} is a folder; this format needs a file.", file=str(path))
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise Refusal(
                "pack-import/too-large",
                f"{path} has {size // 1_000_000} MB; the limit is {MAX_BYTES // 1_000_000} MB.",
                file=str(path),
                most=MAX_BYTES,
                found=size,
            )
        if not size:
            raise Refusal("pack-import/empty", f"{path} is empty.", file=str(path))
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Refusal("pack-import/malformed", f"{path} is not valid JSON.", file=str(path)) from error


def peek_json(path: Path) -> Any:
    """The content of a JSON file, or None if it is not one, to find out its format."""
    if path.suffix.lower() not in TEXTS or not path.is_file():
        return None
    try:
        return read_json(path)
    except Refusal:
        return None


_DICE = re.compile(r"(\d*)d(\d+)")
LONGEST = 200
"""The longest formula in characters; longer ones are ignored."""


def whole(value: object, otherwise: int = 0) -> int:
    """A whole number, which may be written as text."""
    found = whole_if_any(value)
    return found if found is not None else otherwise


def whole_if_any(value: object) -> int | None:
    found = re.fullmatch(r"\s*([+-]?\d+)(?:\.0*)?\s*", str(value))
    return int(found[1]) if found else None


def added_up(formula: str) -> str:
    """A sum as dice of one size and a number, such as `2d6+5`; empty if that is impossible."""
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
    """The text of HTML, one line per paragraph. Sections for the GM replace the rest, which only summarises them."""
    secret = " ".join(found for found in _SECRET.findall(markup) if _TAG.sub("", found).strip())
    lines = _ENDS_A_LINE.sub("\n", secret or markup)
    text = html.unescape(_TAG.sub("", lines)).replace("\xa0", " ")
    return "\n".join(line for line in (re.sub(r"[ \t\r]+", " ", line).strip() for line in text.split("\n")) if line)


def shortened(name: str) -> str:
    """A name in the form of an id."""
    return "-".join(re.findall(r"[a-z0-9]+", re.sub(r"['’]", "", name.lower()))) or "unnamed"
