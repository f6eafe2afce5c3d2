"""A roll that was read: its faces, what counts, what is added, and whether its total is right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from combatlog.rules.logs.rolls.nodes import Combined, Dice, Number, Part, Signed
from ledger.events import RollMode


class Term(NamedTuple):
    """One part of a sum."""

    part: Dice | Number
    sign: int

    @property
    def amount(self) -> int | None:
        worth = self.part.worth()
        return None if worth is None else self.sign * int(worth)


@dataclass(frozen=True, slots=True)
class RollText:
    expression: Part
    said: int | None
    """The total that the text gives."""

    @property
    def dice(self) -> list[Dice]:
        return list(self.expression.dice())

    @property
    def faces(self) -> tuple[int, ...]:
        """Every face that the text gives, in the order in which it gives them."""
        return tuple(face.face for dice in self.dice for face in dice.faces or ())

    @property
    def kept(self) -> tuple[int, ...]:
        """What counts. A die that counts as another number counts as that."""
        counting = _counting(self.expression)
        return tuple(face.counts_as for dice in counting for face in dice.faces or () if not face.dropped)

    @property
    def terms(self) -> list[Term] | None:
        """The roll as dice and numbers that are added up; None: it is more complicated than that."""
        found = list(_terms(self.expression, 1))
        plain = [Term(part, sign) for part, sign in found if isinstance(part, Dice | Number)]
        is_sum = len(plain) == len(found) and all(t.sign > 0 or isinstance(t.part, Number) for t in plain)
        return plain if is_sum and not any(term.part.dropped for term in plain) else None

    @property
    def notation(self) -> str:
        """The dice of a sum, without the numbers that are added to them; anything else as it is."""
        terms = self.terms
        dice = [term.part for term in terms or () if isinstance(term.part, Dice)]
        return "+".join(part.notation() for part in dice) if dice else self.expression.notation()

    @property
    def worth(self) -> int | None:
        """What its parts come to; None: faces are missing."""
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
        """Advantage is the best of two or three twenty-sided dice, disadvantage the worst."""
        first = next(iter(self.dice), None)
        if first is None or first.sides != 20 or first.count not in (2, 3):
            return RollMode.NORMAL
        return next((_MODES[operation] for operation in first.operations if operation in _MODES), RollMode.NORMAL)


_MODES = {"kh1": RollMode.ADVANTAGE, "kl1": RollMode.DISADVANTAGE}


def _terms(part: Part, sign: int) -> Iterator[tuple[Part, int]]:
    if isinstance(part, Combined) and part.by in "+-" and not part.notes:
        yield from _terms(part.left, sign)
        yield from _terms(part.right, sign if part.by == "+" else -sign)
    elif isinstance(part, Signed):
        yield from _terms(part.value, sign if part.sign == "+" else -sign)
    else:
        yield part, sign


def _counting(part: Part) -> Iterator[Dice]:
    """The dice of parts that count."""
    if part.dropped:
        return
    if isinstance(part, Dice):
        yield part
    for inside in part.parts():
        yield from _counting(inside)
