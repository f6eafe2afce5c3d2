"""The state of a fight besides its combatants: the clock, the open reaction window and the map.

The clock has rounds, turns and the initiative order. The letters of the map say what each square is; the rules decide
what that means. A footprint is the set of squares that a combatant takes up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from ledger.events import Data, InitiativeEntry, LinkAsked, Offer, Position, ReactionWindowOpened, Until, UntilMoment
from projections.battle.dice import MOMENT, offer_of


@dataclass(slots=True)
class Clock:
    round: int = 0
    turn: str | None = None
    order: list[InitiativeEntry] = field(default_factory=list)
    closed: bool = False

    @property
    def started(self) -> bool:
        return bool(self.order)

    def rank(self, combatant: str) -> int:
        """A combatant's place in the initiative order. Combatants without a place come last."""
        for place, entry in enumerate(self.order):
            if entry.combatant == combatant:
                return place
        return len(self.order)

    def dated(self, until: Until) -> Until:
        """The same moment with its round, if the order tells, so that it still reads correctly later."""
        number = self._round_of(until) if until.round is None else None
        return until.model_copy(update={"round": number}) if number is not None else until

    def _round_of(self, until: Until) -> int | None:
        if until.moment is UntilMoment.ROUND_END:
            return self.round or None
        known = {entry.combatant for entry in self.order}
        if until.whose is None or self.turn is None or not known >= {until.whose, self.turn}:
            return None
        if until.whose == self.turn:  # the end of the turn in progress needs no round
            return self.round + 1 if until.moment is UntilMoment.TURN_START else None
        return self.round + (self.rank(until.whose) < self.rank(self.turn))


@dataclass(slots=True)
class ReactionWindow:
    seq: int
    declaration: int
    moment: str
    subject: str
    offers: tuple[Offer, ...]
    asked_at: datetime
    """When the combatant that has to answer next was asked."""
    answered: set[str] = field(default_factory=set)
    binding: str | None = None
    """For a roll of shared dice: SHA-256 of the host's link, by which players identify the roll."""

    @classmethod
    def of(cls, event: ReactionWindowOpened) -> ReactionWindow:
        return cls(event.seq, event.declaration, event.moment, event.subject, event.offers, event.recorded_at)

    @classmethod
    def of_roll(cls, event: LinkAsked) -> ReactionWindow:
        """A window for a roll of shared dice that waits for a link."""
        offers = (offer_of(event),)
        return cls(event.seq, event.declaration, MOMENT, event.roller, offers, event.recorded_at, binding=event.binding)

    @property
    def is_for_dice(self) -> bool:
        return self.moment == MOMENT

    @property
    def waiting(self) -> Offer | None:
        """The offer that has to be answered next."""
        return next((offer for offer in self.offers if offer.reactor not in self.answered), None)


FLOOR, WALL, DIFFICULT = ".", "#", "~"
WATER, CLIFF, CHASM = "w", "^", ":"
"""Deep water to swim through, steep ground to climb, and a drop that only fliers cross."""
DOOR, OPEN_DOOR = "+", "/"

TERRAIN = {
    FLOOR: "floor",
    WALL: "wall",
    DIFFICULT: "difficult terrain",
    WATER: "deep water",
    CLIFF: "steep ground",
    CHASM: "a chasm",
    DOOR: "a closed door",
    OPEN_DOOR: "an open door",
}
"""Every letter, in words."""

SOLID = (WALL, DOOR)
"""What blocks movement and sight."""
ROUGH = (DIFFICULT, WATER, CLIFF)
"""What slows down anyone without a better way to move there."""

OPEN_GROUND = (FLOOR * 30,) * 30
"""The map of an encounter that was opened without one."""


def terrain_at(rows: tuple[str, ...] | None, square: tuple[int, int]) -> str:
    return (rows or OPEN_GROUND)[square[1]][square[0]]


def with_square(rows: tuple[str, ...] | None, square: tuple[int, int], letter: str) -> tuple[str, ...]:
    """The map with one square changed."""
    (x, y), drawn = square, rows or OPEN_GROUND
    return (*drawn[:y], drawn[y][:x] + letter + drawn[y][x + 1 :], *drawn[y + 1 :])


SQUARES = {"large": 2, "huge": 3, "gargantuan": 4}
"""How many squares the named sizes measure each way. Any other word is one square."""
_ACROSS_AND_DOWN = re.compile(r"([1-9])x([1-9])")


def footprint(sheet: Data) -> tuple[int, int]:
    """Columns and rows. A size is a word, or is written like `1x2`."""
    size = str(sheet.get("size") or "")
    if found := _ACROSS_AND_DOWN.fullmatch(size):
        return int(found[1]), int(found[2])
    wide = SQUARES.get(size, 1)
    return wide, wide


def covered(place: Position, across: int, down: int) -> Iterator[Position]:
    for row in range(down):
        for column in range(across):
            yield place[0] + column, place[1] + row
