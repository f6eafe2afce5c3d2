"""The dice of a roll that is on record, and whether its faces follow from what they should."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine.dice import Die, parse
from ledger.events import Rolled


def dice_of(roll: Rolled) -> list[Die]:
    """The die of every recorded face: more than the notation says if dice exploded."""
    notation = parse(roll.notation)
    dice: list[Die] = []
    while len(dice) < len(roll.faces) and (needed := notation.needed(roll.faces[: len(dice)])):
        dice += needed
    return dice


def follows(faces: Sequence[object], computed: Sequence[object], taped: Sequence[object]) -> bool:
    """Whether each face was computed at its place, or rolled earlier and carried over by a correction."""
    return len(faces) <= len(computed) and all(
        face in (computed[index], *taped[index : index + 1]) for index, face in enumerate(faces)
    )
