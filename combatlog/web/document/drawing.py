"""What an event draws on the map: a step, an area, the line of an attack, a number that floats up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from combatlog.web.document.tables import Texts
from ledger.events import (
    AreaAffected,
    AttackResolved,
    ChainModified,
    Damaged,
    Event,
    Healed,
    Moved,
    ReactionChosen,
    ReactionUsed,
    TerrainChanged,
)
from projections.phrases import change_in_words
from projections.text import short
from projections.views.seen import SeenAttack, SeenHealed, SeenHurt

COVER = "cover"
"""What modifiers come from that stand for something in the way, by the last part of their ref."""


def drawn(event: Event, group: Sequence[Event], texts: Texts) -> list[Any] | None:
    """None: nothing. The first entry says what it is, and `modules/types.js` what the others are."""
    draw = DRAWN.get(type(event))
    return draw(event, group, texts) if draw is not None else None


def _moved(event: Moved, group: Sequence[Event], texts: Texts) -> list[Any]:
    return ["step", event.mover, event.origin, event.to, int(event.forced)]


def _area(event: AreaAffected, group: Sequence[Event], texts: Texts) -> list[Any]:
    squares = [number for square in event.squares for number in square]
    return ["area", event.origin, squares, list(event.caught), texts.of(short(event.source))]


def _attack(event: AttackResolved | SeenAttack, group: Sequence[Event], texts: Texts) -> list[Any]:
    outcome = 2 if event.critical else 1 if event.hit else 0
    notes = [*_reaction(event, group), *_cover(event, group)]
    return ["attack", event.attacker, event.target, outcome, texts.of(", ".join(notes)), int(any(_cover(event, group)))]


def _reaction(event: AttackResolved | SeenAttack, group: Sequence[Event]) -> list[str]:
    """The reaction that an attack was made with, such as an opportunity attack."""
    earlier = [one for one in group if one.seq < event.seq and isinstance(one, ReactionChosen | ReactionUsed)]
    used = [one.reaction for one in earlier if one.reactor == event.attacker]
    return [short(used[-1])] if used else []


def _cover(event: AttackResolved | SeenAttack, group: Sequence[Event]) -> list[str]:
    counted = [one for one in group if isinstance(one, ChainModified) and one.seq < event.seq]
    found = [one for one in counted if one.owner == event.target and short(one.source) == COVER]
    return [f"{COVER} {change_in_words(found[-1].change)}"] if found else []


DRAWN: dict[type[Event], Callable[[Any, Sequence[Event], Texts], list[Any]]] = {
    Moved: _moved,
    AreaAffected: _area,
    AttackResolved: _attack,
    SeenAttack: _attack,
    Damaged: lambda event, group, texts: ["hurt", event.target, event.amount],
    SeenHurt: lambda event, group, texts: ["hurt", event.target, None],
    Healed: lambda event, group, texts: ["heal", event.target, event.amount],
    SeenHealed: lambda event, group, texts: ["heal", event.target, None],
    TerrainChanged: lambda event, group, texts: ["terrain", event.square],
}
