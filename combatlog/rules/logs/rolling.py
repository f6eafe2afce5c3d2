"""Rolls of a log as events: every face that it gives, and nothing that it does not give."""

from __future__ import annotations

from combatlog.rules.logs.plain import slug, whole
from combatlog.rules.logs.rolls import RollText, Unreadable, read_roll
from combatlog.rules.logs.rolls.nodes import Number
from combatlog.rules.logs.rolls.reading import Term
from combatlog.rules.logs.scribe import Scribe
from ledger.events import DamagePart, Event, FaceOrigin, Rolled, RollModifier

_LONGEST_NOTATION = 300


def read_or_none(text: object) -> RollText | None:
    try:
        return read_roll(text) if isinstance(text, str) else None
    except Unreadable:
        return None


def purpose(text: str) -> str:
    """What a roll is for, as a stable identifier: `Acrobatics check` is `acrobatics check`."""
    return slug(text).replace("_", " ")


def record_roll(
    scribe: Scribe, roller: str, what_for: str, roll: RollText, total: int | None = None, cause: Event | None = None
) -> Rolled | None:
    """None: there were no dice in it, or the log does not say what they came to."""
    said = total if total is not None else _total(roll)
    if not roll.dice or said is None:
        return None
    return scribe.record(
        Rolled,
        purpose=what_for,
        roller=roller,
        notation=roll.notation[:_LONGEST_NOTATION],
        mode=roll.mode,
        faces=roll.faces,
        kept=roll.kept,
        modifiers=modifiers_of(roll),
        total=said,
        dice_source=FaceOrigin.RECORDED,
        cause=cause,
    )


def _total(roll: RollText) -> int | None:
    try:
        return whole(roll.total)
    except Unreadable:  # it divides by zero
        return None


def modifiers_of(roll: RollText) -> tuple[RollModifier, ...]:
    """The numbers that are added to dice. Where more is done with them, the notation has it all."""
    numbers = [term for term in roll.terms or () if isinstance(term.part, Number)]
    return tuple(RollModifier(source=_source(term), amount=term.amount or 0) for term in numbers)


def _source(term: Term) -> str:
    return f"recorded:modifier:{slug(term.part.notes[0]) if term.part.notes else 'bonus'}"


def damage_parts(roll: RollText | None, amount: int, source: str) -> tuple[DamagePart, ...]:
    """Damage by its types, where the roll says what is of which type; else in one part."""
    parts = _by_type(roll, source) if roll is not None else None
    if parts is None or sum(part.amount for part in parts) != amount:
        return (DamagePart(source=source, amount=amount),)
    return tuple(parts)


def _by_type(roll: RollText, source: str) -> list[DamagePart] | None:
    """An annotation says the type of everything before it, up to the annotation before that."""
    found: list[DamagePart] = []
    amount = 0
    for term in roll.terms or ():
        if term.amount is None:
            return None
        amount += term.amount
        if term.part.notes:
            found.append(DamagePart(source=source, amount=amount, damage_type=purpose(" ".join(term.part.notes))))
            amount = 0
    return [*found, DamagePart(source=source, amount=amount)] if amount or not found else found
