"""Numbers that are rounded: a part of a whole, divided here and not in the database.

PostgreSQL divides decimal numbers and DuckDB binary ones, which round differently. Both count alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Ratio:
    """SQL for a part and for the whole, both of them whole numbers; how often the part counts; decimal places."""

    part: str
    whole: str
    places: int
    times: int = 1

    def of(self, part: int | None, whole: int | None) -> float | None:
        return (
            rounded(Fraction(self.times * int(part), int(whole)), self.places) if part is not None and whole else None
        )


def mean(what: str, places: int = 2) -> Ratio:
    return Ratio(f"sum({what})", f"count({what})", places)


def percent(part: str, whole: str = "count(*)") -> Ratio:
    return Ratio(part, whole, 1, times=100)


def rounded(number: Fraction, places: int) -> float:
    """Halves go away from zero, as people expect."""
    scaled = abs(number) * 10**places
    whole = Decimal((2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator))
    return float((whole if number >= 0 else -whole).scaleb(-places))
