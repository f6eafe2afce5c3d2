"""Rolls, damage and healing of a log as events, with exactly the faces and numbers that the log gives."""

from __future__ import annotations

from combatlog.importers.logs.dice_expressions import NumberTerm, RollTerm
from combatlog.importers.logs.dice_parser import RollText, UnreadableDice, read_roll
from combatlog.importers.logs.fight_writer import FightWriter
from combatlog.importers.logs.log_formats import slug, whole
from ledger.events import Damaged, DamagePart, Event, FaceOrigin, Healed, Rolled, RollModifier
from projections.battle.combatant import Combatant

_LONGEST_NOTATION = 300


def read_or_none(text: object) -> RollText | None:
    try:
        return read_roll(text) if isinstance(text, str) else None
    except UnreadableDice:
        return None


def purpose(text: str) -> str:
    """The purpose of a roll as a stable identifier: `Acrobatics check` is `acrobatics check`."""
    return slug(text).replace("_", " ")


def record_roll(
    scribe: FightWriter,
    roller: str,
    what_for: str,
    roll: RollText,
    total: int | None = None,
    cause: Event | None = None,
) -> Rolled | None:
    """Record a roll. Returns None, without recording, if it has no dice or no total."""
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
    except UnreadableDice:  # it divides by zero
        return None


def modifiers_of(roll: RollText) -> tuple[RollModifier, ...]:
    """The numbers added to the dice. For more complicated rolls, only the notation has them."""
    numbers = [term for term in roll.terms or () if isinstance(term.part, NumberTerm)]
    return tuple(RollModifier(source=_source(term), amount=term.amount or 0) for term in numbers)


def _source(term: RollTerm) -> str:
    return f"recorded:modifier:{slug(term.part.notes[0]) if term.part.notes else 'bonus'}"


def damage_parts(roll: RollText | None, amount: int, source: str) -> tuple[DamagePart, ...]:
    """Damage by type if the roll says the types, otherwise in one part."""
    parts = _by_type(roll, source) if roll is not None else None
    if parts is None or sum(part.amount for part in parts) != amount:
        return (DamagePart(source=source, amount=amount),)
    return tuple(parts)


def _by_type(roll: RollText, source: str) -> list[DamagePart] | None:
    """Each annotation gives the type of the terms since the annotation before it."""
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


HP, TEMPORARY = "hp", "temp_hp"


def apply_damage(
    scribe: FightWriter,
    target: Combatant,
    amount: int,
    source: str,
    action: str,
    roll: RollText | None = None,
    cause: Event | None = None,
    *,
    floor: bool = False,
) -> None:
    """Damage temporary hit points first. Negative damage is healing. `floor` keeps hit points at 0 or more."""
    dealt_by = source if source in scribe.battle.combatants else None
    if amount < 0:
        _heal(scribe, target, -amount, dealt_by or action, cause)
        return
    shield = target.vitals.get(TEMPORARY)
    absorbed = min(amount, shield.current) if shield is not None and shield.current > 0 else 0
    for pool, dealt in ((TEMPORARY, absorbed), (HP, amount - absorbed)):
        if dealt or (pool == HP and not absorbed):
            before = target.vitals[pool].current
            lost = min(dealt, max(0, before)) if floor else dealt
            scribe.record(
                Damaged,
                target=target.id,
                pool=pool,
                amount=lost,
                left=before - lost,
                overkill=dealt - lost,
                parts=damage_parts(roll, dealt, action),
                source=dealt_by,
                cause=cause,
            )


def _heal(scribe: FightWriter, target: Combatant, amount: int, source: str, cause: Event | None) -> None:
    """Record healing up to the maximum."""
    vital = target.vitals[HP]
    room = amount if vital.maximum is None else max(0, min(amount, vital.maximum - vital.current))
    scribe.record(
        Healed,
        target=target.id,
        pool=HP,
        amount=room,
        left=vital.current + room,
        source=source,
        why="healed",
        cause=cause,
    )
