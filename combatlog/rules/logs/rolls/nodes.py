"""The parts of a roll: dice with their faces, numbers, sets, and what is done with them.

Each part knows what it is worth. Nothing is rolled: where a text names no faces, its dice are worth nothing known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from combatlog.rules.logs.rolls.tokens import Unreadable


@dataclass(frozen=True, slots=True)
class RolledFace:
    """One face. It counts as something else where the roll says `1 -> 2`."""

    face: int
    counts_as: int
    dropped: bool = False
    exploded: bool = False


@dataclass(slots=True)
class Part:
    notes: list[str] = field(default_factory=list)
    """Its annotations: `slashing` in `3 [slashing]`."""
    dropped: bool = False

    def worth(self) -> Fraction | None:
        """None: the text does not say."""
        raise NotImplementedError

    def parts(self) -> tuple[Part, ...]:
        return ()

    def notation(self) -> str:
        """How it was asked for, without faces."""
        raise NotImplementedError

    def dice(self) -> Iterator[Dice]:
        """All dice in it, in the order in which they stand."""
        for part in self.parts():
            yield from part.dice()

    def all_notes(self) -> Iterator[str]:
        for part in self.parts():
            yield from part.all_notes()
        yield from self.notes


@dataclass(slots=True)
class Number(Part):
    value: Fraction = Fraction(0)
    written: str = "0"

    def worth(self) -> Fraction:
        return self.value

    def notation(self) -> str:
        return self.written


@dataclass(slots=True)
class Dice(Part):
    count: int = 1
    sides: int = 0
    operations: tuple[str, ...] = ()
    faces: tuple[RolledFace, ...] | None = None
    """None: the text does not say what came up."""

    def worth(self) -> Fraction | None:
        if self.faces is None:
            return None
        return Fraction(sum(face.counts_as for face in self.faces if not face.dropped))

    def notation(self) -> str:
        return f"{self.count}d{self.sides}{''.join(self.operations)}"

    def dice(self) -> Iterator[Dice]:
        yield self


@dataclass(slots=True)
class Several(Part):
    """Parts in parentheses, of which some may not count."""

    inside: tuple[Part, ...] = ()
    operations: tuple[str, ...] = ()

    def worth(self) -> Fraction | None:
        counting = [part.worth() for part in self.inside if self.dropped or not part.dropped]
        return None if None in counting else sum((worth for worth in counting if worth is not None), Fraction(0))

    def parts(self) -> tuple[Part, ...]:
        return self.inside

    def notation(self) -> str:
        return f"({', '.join(part.notation() for part in self.inside)}){''.join(self.operations)}"


@dataclass(slots=True)
class Signed(Part):
    sign: str = "+"
    value: Part = field(default_factory=Number)

    def worth(self) -> Fraction | None:
        worth = self.value.worth()
        return -worth if worth is not None and self.sign == "-" else worth

    def parts(self) -> tuple[Part, ...]:
        return (self.value,)

    def notation(self) -> str:
        return f"{self.sign}{self.value.notation()}"


@dataclass(slots=True)
class Combined(Part):
    """Two parts and what is done with them."""

    left: Part = field(default_factory=Number)
    by: str = "+"
    right: Part = field(default_factory=Number)

    def worth(self) -> Fraction | None:
        left, right = self.left.worth(), self.right.worth()
        if left is None or right is None:
            return None
        try:
            return Fraction(_ARITHMETIC[self.by](left, right))
        except ZeroDivisionError as error:
            raise Unreadable("it divides by zero") from error

    def parts(self) -> tuple[Part, ...]:
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
