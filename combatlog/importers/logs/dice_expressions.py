"""The parts of dice text: tokens, dice with their faces, numbers, sets and operations, and the roll that they form.

Each part knows its value. Nothing is rolled: dice without faces in the text have no known value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from ledger.events import RollMode

LONGEST = 10_000
"""The most characters in one roll. A thousand dice, the most that the d20 library rolls at once, take fewer."""


class UnreadableDice(ValueError):
    """The text is not a roll."""


class DiceToken(NamedTuple):
    kind: str
    text: str
    dropped: bool
    """Whether it is between `~~` and `~~`: rolled, but not counted."""


_WORDS = re.compile(
    r"""(?P<space>\s+)
    |(?P<strike>~~)
    |(?P<plain>\*\*|`|\\)
    |(?P<arrow>->)
    |(?P<dice>\d*[dD](?:\d+|%))
    |(?P<number>\d+(?:\.\d+)?)
    |(?P<operation>(?:rr|ro|ra|mi|ma|kh|kl|ph|pl|k|p|e)[hl<>]?\d+)
    |(?P<note>\[[^\]]*\])
    |(?P<compare>==|>=|<=|!=|<|>)
    |(?P<bang>!)
    |(?P<sign>[+-])
    |(?P<times>\*|//|/|%)
    |(?P<open>\()
    |(?P<close>\))
    |(?P<comma>,)
    |(?P<equals>=)
    """,
    re.VERBOSE | re.ASCII,
)
_SILENT = {"space", "plain"}
_MINUS = str.maketrans({"−": "-", "–": "-", "×": "*", "÷": "/"})
"""Typographic signs that some tools print instead of the plain ones."""


def tokens_of(text: str) -> Iterator[DiceToken]:
    """The tokens of a text, without spaces and without the marks for the highest and lowest face."""
    if len(text) > LONGEST:
        raise UnreadableDice(f"it has more than {LONGEST} characters")
    text, at, dropped = text.translate(_MINUS), 0, False
    while at < len(text):
        word = _WORDS.match(text, at)
        if word is None:
            raise UnreadableDice(f"{text[at : at + 10]!r} is not part of a roll")
        at, kind = word.end(), word.lastgroup or ""
        if kind == "strike":
            dropped = not dropped
        elif kind not in _SILENT:
            yield DiceToken(kind, word[0], dropped)


@dataclass(frozen=True, slots=True)
class RolledFace:
    """One face. It counts as another number if the roll says `1 -> 2`."""

    face: int
    counts_as: int
    dropped: bool = False
    exploded: bool = False


@dataclass(slots=True)
class DiceExpression:
    notes: list[str] = field(default_factory=list)
    """Its annotations: `slashing` in `3 [slashing]`."""
    dropped: bool = False

    def worth(self) -> Fraction | None:
        """The value; None if the text does not give it."""
        raise NotImplementedError

    def parts(self) -> tuple[DiceExpression, ...]:
        return ()

    def notation(self) -> str:
        """The notation without faces."""
        raise NotImplementedError

    def dice(self) -> Iterator[DiceTerm]:
        """All dice in the expression, in the order of the text."""
        for part in self.parts():
            yield from part.dice()

    def all_notes(self) -> Iterator[str]:
        for part in self.parts():
            yield from part.all_notes()
        yield from self.notes


@dataclass(slots=True)
class NumberTerm(DiceExpression):
    value: Fraction = Fraction(0)
    written: str = "0"

    def worth(self) -> Fraction:
        return self.value

    def notation(self) -> str:
        return self.written


@dataclass(slots=True)
class DiceTerm(DiceExpression):
    count: int = 1
    sides: int = 0
    operations: tuple[str, ...] = ()
    faces: tuple[RolledFace, ...] | None = None
    """None if the text does not give the faces."""

    def worth(self) -> Fraction | None:
        if self.faces is None:
            return None
        return Fraction(sum(face.counts_as for face in self.faces if not face.dropped))

    def notation(self) -> str:
        return f"{self.count}d{self.sides}{''.join(self.operations)}"

    def dice(self) -> Iterator[DiceTerm]:
        yield self


@dataclass(slots=True)
class SetTerm(DiceExpression):
    """Parts in parentheses; some may not count."""

    inside: tuple[DiceExpression, ...] = ()
    operations: tuple[str, ...] = ()

    def worth(self) -> Fraction | None:
        counting = [part.worth() for part in self.inside if self.dropped or not part.dropped]
        return None if None in counting else sum((worth for worth in counting if worth is not None), Fraction(0))

    def parts(self) -> tuple[DiceExpression, ...]:
        return self.inside

    def notation(self) -> str:
        return f"({', '.join(part.notation() for part in self.inside)}){''.join(self.operations)}"


@dataclass(slots=True)
class SignedTerm(DiceExpression):
    sign: str = "+"
    value: DiceExpression = field(default_factory=NumberTerm)

    def worth(self) -> Fraction | None:
        worth = self.value.worth()
        return -worth if worth is not None and self.sign == "-" else worth

    def parts(self) -> tuple[DiceExpression, ...]:
        return (self.value,)

    def notation(self) -> str:
        return f"{self.sign}{self.value.notation()}"


@dataclass(slots=True)
class BinaryTerm(DiceExpression):
    """Two parts and an operator."""

    left: DiceExpression = field(default_factory=NumberTerm)
    by: str = "+"
    right: DiceExpression = field(default_factory=NumberTerm)

    def worth(self) -> Fraction | None:
        left, right = self.left.worth(), self.right.worth()
        if left is None or right is None:
            return None
        try:
            return Fraction(_ARITHMETIC[self.by](left, right))
        except ZeroDivisionError as error:
            raise UnreadableDice("it divides by zero") from error

    def parts(self) -> tuple[DiceExpression, ...]:
        return self.left, self.right

    def notation(self) -> str:
        return f"{self.left.notation()} {self.by} {self.right.notation()}"


_ARITHMETIC: dict[str, Callable[[Fraction, Fraction], Fraction | int]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "//": lambda left, right: left // right,
    "%": lambda left, right: left % right,
    "==": lambda left, right: int(left == right),
    "!=": lambda left, right: int(left != right),
    ">=": lambda left, right: int(left >= right),
    "<=": lambda left, right: int(left <= right),
    ">": lambda left, right: int(left > right),
    "<": lambda left, right: int(left < right),
}


class RollTerm(NamedTuple):
    """One term of a sum."""

    part: DiceTerm | NumberTerm
    sign: int

    @property
    def amount(self) -> int | None:
        worth = self.part.worth()
        return None if worth is None else self.sign * int(worth)


@dataclass(frozen=True, slots=True)
class RollText:
    expression: DiceExpression
    said: int | None
    """The total in the text."""

    @property
    def dice(self) -> list[DiceTerm]:
        return list(self.expression.dice())

    @property
    def faces(self) -> tuple[int, ...]:
        """Every face in the text, in its order."""
        return tuple(face.face for dice in self.dice for face in dice.faces or ())

    @property
    def kept(self) -> tuple[int, ...]:
        """The values of the dice that count. A die that counts as another number has that value."""
        counting = _counting(self.expression)
        return tuple(face.counts_as for dice in counting for face in dice.faces or () if not face.dropped)

    @property
    def terms(self) -> list[RollTerm] | None:
        """The roll as a sum of dice and numbers; None if it is more complicated."""
        found = list(_terms(self.expression, 1))
        plain = [RollTerm(part, sign) for part, sign in found if isinstance(part, DiceTerm | NumberTerm)]
        is_sum = len(plain) == len(found) and all(t.sign > 0 or isinstance(t.part, NumberTerm) for t in plain)
        return plain if is_sum and not any(term.part.dropped for term in plain) else None

    @property
    def notation(self) -> str:
        """The dice of a sum, without the added numbers; anything else unchanged."""
        terms = self.terms
        dice = [term.part for term in terms or () if isinstance(term.part, DiceTerm)]
        return "+".join(part.notation() for part in dice) if dice else self.expression.notation()

    @property
    def worth(self) -> int | None:
        """The total of the parts; None if faces are missing."""
        worth = self.expression.worth()
        return None if worth is None else int(worth)

    @property
    def total(self) -> int | None:
        return self.said if self.said is not None else self.worth

    @property
    def notes(self) -> list[str]:
        return list(self.expression.all_notes())

    @property
    def mode(self) -> RollMode:
        """Advantage for the best of two or three d20s, disadvantage for the worst."""
        first = next(iter(self.dice), None)
        if first is None or first.sides != 20 or first.count not in (2, 3):
            return RollMode.NORMAL
        return next((_MODES[operation] for operation in first.operations if operation in _MODES), RollMode.NORMAL)


_MODES = {"kh1": RollMode.ADVANTAGE, "kl1": RollMode.DISADVANTAGE}


def _terms(part: DiceExpression, sign: int) -> Iterator[tuple[DiceExpression, int]]:
    if isinstance(part, BinaryTerm) and part.by in "+-" and not part.notes:
        yield from _terms(part.left, sign)
        yield from _terms(part.right, sign if part.by == "+" else -sign)
    elif isinstance(part, SignedTerm):
        yield from _terms(part.value, sign if part.sign == "+" else -sign)
    else:
        yield part, sign


def _counting(part: DiceExpression) -> Iterator[DiceTerm]:
    """The dice of the parts that count."""
    if part.dropped:
        return
    if isinstance(part, DiceTerm):
        yield part
    for inside in part.parts():
        yield from _counting(inside)
