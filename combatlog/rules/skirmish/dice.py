"""The six colours of dice, and what their faces show."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from combatlog.rules.engine.dice import NAMED, Die, Notation, parse
from combatlog.rules.skirmish.vocabulary import Symbol
from ledger.events import Face

DODGE = "dodge"


class AttackColour(StrEnum):
    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"


class DefenseColour(StrEnum):
    WHITE = "white"
    BLACK = "black"


_FACES: dict[str, str] = {
    # accuracy/damage/surge
    AttackColour.RED: "0/1/0 0/2/0 0/2/0 0/2/1 0/3/0 0/3/0",
    AttackColour.YELLOW: "0/0/1 2/0/1 2/1/0 1/1/1 1/2/0 1/1/2",
    AttackColour.GREEN: "1/0/1 1/1/1 2/1/1 3/2/0 1/2/0 2/2/0",
    AttackColour.BLUE: "2/0/1 2/1/0 5/1/0 3/1/1 3/2/0 4/2/0",
    # block/evade
    DefenseColour.WHITE: "0/0 1/0 1/0 0/1 1/1 dodge",
    DefenseColour.BLACK: "0/0 1/0 2/0 2/0 3/0 0/1",
}
DICE: dict[str, Die] = {colour: Die(colour, tuple(faces.split())) for colour, faces in _FACES.items()}
NAMED.update(DICE)

_SHOWN = {3: (Symbol.ACCURACY, Symbol.DAMAGE, Symbol.SURGE), 2: (Symbol.BLOCK, Symbol.EVADE)}
"""The symbols on a face, by how many numbers it has."""


def pool_notation(colours: Sequence[str]) -> Notation:
    """One roll of these dice, written as `red+blue`."""
    return parse("+".join(colours))


def symbols(face: Face) -> dict[Symbol, int]:
    if face == DODGE:
        return {Symbol.DODGE: 1}
    numbers = [int(number) for number in str(face).split("/")]
    return dict(zip(_SHOWN[len(numbers)], numbers, strict=True))
