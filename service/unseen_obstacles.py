"""What a player is refused because of somebody whom the player does not see.

A refusal costs nothing. So what is wrong as far as the player sees comes first: otherwise somebody could try every
square of the map to find out where the unseen are. Only what would be possible without them tells that something is
there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ledger.errors import Problem
from rules.engine.commands import Declaration
from rules.engine.fight import Fight
from rules.engine.foresight import foresee
from rules.engine.from_a_seat import without_the_unseen
from rules.engine.refusal import Refusal
from service.seating import Place

Way = Callable[[Fight], Declaration]
"""What somebody says, put together by the state of a fight."""


@contextmanager
def as_far_as_seen(place: Place, said: Way) -> Iterator[None]:
    """Refuse what is done in the block, if it is refused because of somebody unseen, for a reason that is seen."""
    try:
        yield
    except Refusal as refusal:
        if place.sees_all or place.as_seen(refusal) is refusal:
            raise
        raise _reason_seen(place, said) or refusal from refusal


def _reason_seen(place: Place, said: Way) -> Problem | None:
    """Why it is not possible even without those who are not seen."""
    fight = Fight(start=without_the_unseen(place.watch.onlooker))
    try:
        foresee(fight, said(fight))
    except Refusal as refusal:
        return refusal
    return None
