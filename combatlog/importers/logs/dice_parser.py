"""Reading dice text, as Avrae and its library d20 write it, with and without faces.

    2d20kh1 (~~5~~, **20**) + 1d4 (3) [bless] + 5 = `28`

Dice may be followed by operations (`kh1`, `ro<3`, `mi2`, `e6` ...) and by their faces in parentheses. `~~` encloses
what does not count, `1 -> 2` is a face that counts as another, and `6!` is an exploded one. The same grammar reads
plain notation.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from combatlog.importers.logs.dice_expressions import (
    BinaryTerm,
    DiceExpression,
    DiceTerm,
    DiceToken,
    NumberTerm,
    RolledFace,
    RollText,
    SetTerm,
    SignedTerm,
    UnreadableDice,
    tokens_of,
)

_DEEPEST = 30
"""The deepest nesting of parentheses. No real roll has more, and thousands must not crash the program."""
_MOST_PARTS = 200
"""The most numbers and dice that are added, multiplied or negated, for the same reason."""
_MOST_DIGITS = 9


def read_roll(text: str) -> RollText:
    """Parse a roll, with its total if the text gives one. Raises `UnreadableDice`."""
    grammar = _Grammar(list(tokens_of(text)))
    expression = grammar.expression()
    total = grammar.total() if grammar.take("equals") else None
    grammar.end()
    return RollText(expression, total)


class _Grammar:
    """One method per rule, from the lowest precedence to the highest."""

    def __init__(self, tokens: list[DiceToken]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._parts = 0

    def take(self, kind: str) -> DiceToken | None:
        token = self._next()
        if token is None or token.kind != kind:
            return None
        self._at += 1
        return token

    def _next(self) -> DiceToken | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _need(self, kind: str) -> DiceToken:
        token = self.take(kind)
        if token is None:
            raise self._unexpected()
        return token

    def _unexpected(self) -> UnreadableDice:
        token = self._next()
        return UnreadableDice(f"{token.text!r} does not belong there" if token else "it ends too early")

    def end(self) -> None:
        if self._next() is not None:
            raise self._unexpected()

    def total(self) -> int:
        negative = (sign := self.take("sign")) is not None and sign.text == "-"
        value = int(_number(self._need("number").text))
        return -value if negative else value

    def expression(self) -> DiceExpression:
        return self._chain("compare", self._sum)

    def _sum(self) -> DiceExpression:
        return self._chain("sign", self._product)

    def _product(self) -> DiceExpression:
        return self._chain("times", self._unary)

    def _chain(self, kind: str, operand: Callable[[], DiceExpression]) -> DiceExpression:
        left = operand()
        while (token := self.take(kind)) is not None:
            self._count_part()
            left = BinaryTerm(left=left, by=token.text, right=operand(), dropped=token.dropped)
        return left

    def _count_part(self) -> None:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise UnreadableDice(f"it has more than {_MOST_PARTS} parts")

    def _unary(self) -> DiceExpression:
        signs: list[DiceToken] = []
        while (sign := self.take("sign")) is not None:
            self._count_part()
            signs.append(sign)
        value = self._annotated()
        for sign in reversed(signs):
            value = SignedTerm(sign=sign.text, value=value, dropped=sign.dropped)
        return value

    def _annotated(self) -> DiceExpression:
        part = self._dice() or self._several() or self._plain_number()
        while (note := self.take("note")) is not None:
            part.notes.append(note.text[1:-1].strip())
        return part

    def _plain_number(self) -> DiceExpression:
        token = self._need("number")
        face = self._history(token)
        if self.take("bang"):
            raise UnreadableDice("only a die explodes")
        return NumberTerm(value=Fraction(face), written=token.text, dropped=token.dropped)

    def _history(self, first: DiceToken) -> Fraction:
        """The number that a face counts as: `1 -> 2` is a 1 that counts as 2."""
        value = _number(first.text)
        while self.take("arrow"):
            value = _number(self._need("number").text)
        return value

    def _dice(self) -> DiceExpression | None:
        token = self.take("dice")
        if token is None:
            return None
        count, sides = token.text.lower().split("d")
        operations = self._operations()
        faces = self._faces() if (after := self._next()) is not None and after.kind == "open" else None
        return DiceTerm(
            count=int(_number(count or "1")),
            sides=100 if sides == "%" else int(_number(sides)),
            operations=operations,
            faces=faces,
            dropped=token.dropped,
        )

    def _operations(self) -> tuple[str, ...]:
        found = []
        while (operation := self.take("operation")) is not None:
            found.append(operation.text)
        return tuple(found)

    def _faces(self) -> tuple[RolledFace, ...]:
        self._need("open")
        faces: list[RolledFace] = []
        while not self.take("close"):
            if faces:
                self._need("comma")
            faces.append(self._face())
        return tuple(faces)

    def _face(self) -> RolledFace:
        negative = (sign := self.take("sign")) is not None and sign.text == "-"
        token = self._need("number")
        counts_as = int(self._history(token))
        face = int(_number(token.text))
        exploded = self.take("bang") is not None
        return RolledFace(-face if negative else face, -counts_as if negative else counts_as, token.dropped, exploded)

    def _several(self) -> DiceExpression | None:
        opened = self.take("open")
        if opened is None:
            return None
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UnreadableDice(f"it has more than {_DEEPEST} nested parentheses")
        inside = self._items()
        self._depth -= 1
        return SetTerm(inside=inside, operations=self._operations(), dropped=opened.dropped)

    def _items(self) -> tuple[DiceExpression, ...]:
        found: list[DiceExpression] = []
        while not self.take("close"):
            if found:
                self._need("comma")
                if self.take("close"):
                    break
            found.append(self.expression())
        return tuple(found)


def _number(text: str) -> Fraction:
    if len(text) > _MOST_DIGITS:
        raise UnreadableDice(f"{text[:12]}... is too large for a roll")
    return Fraction(text)


__all__ = ["RollText", "UnreadableDice", "read_roll"]
