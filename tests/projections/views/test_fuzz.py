"""Whatever an event contains and whatever a fight shows: nobody unseen comes out, and no number of the ledger does."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.events import Event
from ledger.registry import KINDS
from projections.views import redacted
from projections.views.redaction import KEPT_SECRET
from projections.views.seats import SeatNumbering
from projections.views.visibility import ShownDetail
from tests.effort import examples
from tests.projections.test_words import sample
from tests.projections.views.imagined import ALSO_UNSEEN, UNSEEN, events
from tests.projections.views.test_secrecy import PLAYERS, SPECTATOR
from tools.vocabulary import _flattened

kinds = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
PROSE_IS_FREE = frozenset(ShownDetail) - {ShownDetail.REASONS}
"""What people write may name anybody, and a fight that shows it is opened so on purpose."""
REFERENCES = {"seq", "declaration", "cause", "window", "answers", "asked"}
REFERENCES |= {"undone", "amends", "after", "at", "retracts"}
QUANTITIES = {"round", "number", "faces", "kept", "total", "drawn", "first", "roll", "against", "margin"}
QUANTITIES |= {"amount", "left", "overkill", "level", "before", "maximum", "spent", "locked", "cost"}
QUANTITIES |= {"position", "destination", "origin", "to", "square", "squares"}
"""Whole numbers that do not refer to events."""
FIRST = 1000
"""Numbers in this ledger are larger than any that a seat counts to here."""


@kinds
@examples(8)
@given(data=st.data())
def test_whatever_a_fight_shows_the_unseen_stay_unseen(kind: type[Event], data: st.DataObject) -> None:
    event = data.draw(events(kind))
    shown = data.draw(st.frozensets(st.sampled_from(sorted(PROSE_IS_FREE))))
    for viewer in (PLAYERS, SPECTATOR):
        seen = redacted(event, replace(viewer, shown=shown))
        told = (
            repr(seen.model_dump(exclude={"sheet", "options", "policies"}, warnings=False)) if seen is not None else ""
        )
        assert UNSEEN not in told
        assert ALSO_UNSEEN not in told


@kinds
@examples(5)
@given(data=st.data())
def test_of_what_is_for_the_gm_alone_nobody_sees_how_it_came_about(kind: type[Event], data: st.DataObject) -> None:
    event = data.draw(events(kind))
    seen = redacted(event, replace(PLAYERS, secret=frozenset({event.declaration})))
    assert (seen is None) or kind not in KEPT_SECRET


def test_a_kind_that_nobody_knows_is_not_seen() -> None:
    class Whispered(Event):
        kind: Literal["whispered"] = "whispered"

    event = Whispered.model_construct(kind="whispered", seq=1, declaration=1, turn=None, by="gm")
    for viewer in (PLAYERS, SPECTATOR):
        assert redacted(event, viewer) is None


@kinds
def test_a_whole_number_refers_to_an_event_or_is_known_not_to(kind: type[Event]) -> None:
    """A seat counts events itself. Whoever adds a reference adds it to `projections.views.seats.SeatNumbering`, too."""
    numbers = {name for name, field in kind.model_fields.items() if int in list(_flattened(field.annotation))}
    assert numbers <= REFERENCES | QUANTITIES


happened = st.tuples(
    st.sampled_from(sorted(KINDS)), st.booleans(), st.lists(st.integers(0, 20), min_size=4, max_size=4)
)
"""An event of some kind, whether it is seen, and how far back it refers."""


@given(st.lists(happened, min_size=1, max_size=12))
@examples(30)
def test_a_seat_never_learns_a_number_of_the_ledger(story: list[tuple[str, bool, tuple[int, ...]]]) -> None:
    """Events with any references to each other, of which some are seen, are numbered as if there were no others."""
    numbers, count = SeatNumbering(), 0
    for seq, (kind, is_seen, back) in enumerate(story, FIRST):
        if is_seen:
            count += 1
            event = sampled(kind)
            seen = numbers.take(event.model_copy(update=_references(event, seq, back)))
            assert (seen.seq, numbers.recorded[count - 1]) == (count, seq)
            assert all(number < FIRST for number in _numbers(seen))


sampled = cache(sample)


def _referring(event: Event) -> list[str]:
    """Its fields that refer to events. What a resource or a side is `after` a change is no event."""
    fields = [name for name in type(event).model_fields if name in REFERENCES]
    return [name for name in fields if name != "after" or event.kind == "inserted"]


def _references(event: Event, seq: int, back: tuple[int, ...]) -> dict[str, Any]:
    earlier = [max(FIRST, seq - steps) for steps in back]
    named = [name for name in _referring(event) if name not in ("seq", "retracts")]
    changed: dict[str, Any] = {name: earlier[place % 4] for place, name in enumerate(named)}
    if hasattr(event, "retracts"):
        changed["retracts"] = tuple(earlier)
    return changed | {"seq": seq}


def _numbers(event: Event) -> list[int]:
    found = [getattr(event, name) for name in _referring(event)]
    return [number for value in found for number in (value if isinstance(value, tuple) else (value,)) if number]
