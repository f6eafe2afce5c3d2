"""A page that follows a fight, part by part, shows what a page shows that is opened later."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatlog import Redo, Undo
from combatlog.testing import Drill
from combatlog.web.live_document import LiveDocument
from ledger.events import Data, Event
from projections.views import Seat
from tests.combatlog.web.test_document import GM, states
from tests.effort import examples
from tests.randomplay import correct_at_random, random_fight, step
from tests.rules.veils_ruleset import by_every_ruleset, conceal, join_unseen, reveal
from tests.support import protected_duel

SEATS = ("gm", "players", "player:rurik", "spectator")


def merged(document: Data, part: Data) -> Data:
    """As `modules/live.js` does it. What has no order of its own is a whole document."""
    if "fight" in part:
        return part
    rows = {row[0]: row for row in (*document["events"], *part["events"])}
    both = {name: [*document[name], *part[name]] for name in ("texts", "paths", "recorded")}
    told = {name: [*document[name][: part[name][0]], *part[name][1]] for name in document if name.endswith("story")}
    now = document | both | told | {"events": list(rows.values())}
    if "counting" in document:
        counting = document["counting"]
        now["counting"] = counting | {"order": [*counting["order"], *part["order"]]}
    return now


def read(document: Data) -> Data:
    """What a page makes of a document: sentences for numbers, and the states of both tracks."""
    texts = document["texts"]
    return {
        "words": [(row[0], texts[row[1]], texts[row[7]], *row[2:6]) for row in document["events"]],
        "remarks": [[texts[line] for line in more(row).get("remarks", [])] for row in document["events"]],
        "draws": [more(row).get("draw", [None])[0] for row in document["events"]],
        "story": [(texts[line[0]], *line[1:]) for line in document["story"]],
        "recorded story": [(texts[line[0]], *line[1:]) for line in document.get("recorded_story", [])],
        "believed": states(document),
        "counting": states(document, "counting"),
    }


def more(row: list[Any]) -> Data:
    return row[8] if len(row) > 8 else {}


def followed(batches: list[list[Event]], seat: Seat) -> Data:
    chronicle = LiveDocument(seat, batches[0])
    document = chronicle.document()
    for batch in batches[1:]:
        part = chronicle.take(batch)
        document = merged(document, part) if part is not None else document
    return document


@examples(8)
@given(seed=st.integers(0, 10_000), chance=st.randoms(use_true_random=False))
def test_following_and_opening_later_are_the_same(seed: int, chance: Random) -> None:
    fight = random_fight(seed, 4)
    batches, known = [list(fight.events)], len(fight.events)
    for number in range(14):
        if number in (6, 9):
            correct_at_random(fight, chance, 10)
        else:
            step(fight, chance)
        batches.append(list(fight.events[known:]))
        known = len(fight.events)
    for seat in (GM, Seat.read("players")):
        assert read(followed(batches, seat)) == read(LiveDocument(seat, fight.events).document())


def one_by_one(drill: Drill) -> list[list[Event]]:
    return [[event] for event in drill.history()]


@by_every_ruleset
@pytest.mark.parametrize("seat", SEATS)
def test_a_reaction_and_somebody_who_appears(ruleset: str, seat: str) -> None:
    """Event by event, as a spectator with a delay gets it: also across the events of one declaration."""
    drill = protected_duel(ruleset)
    join_unseen(drill, "goblin", "Grimjaw", (9, 9), dice=[1])
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik")
    drill.react("osric", None, dice=[2])
    reveal(drill, "grimjaw")
    chosen = drill.seen_by(seat).seat
    assert read(followed(one_by_one(drill), chosen)) == read(LiveDocument(chosen, drill.history()).document())


@pytest.mark.parametrize("seat", SEATS)
def test_a_correction_event_by_event(seat: str) -> None:
    drill = protected_duel()
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", replies={"osric": "protection"}, dice=[15, 8])
    drill.end_turn("snig")
    drill.apply(drill.plan(Undo(22, reason="wrong target", impossible="drop")))
    drill.apply(drill.plan(Redo(reason="it did happen")))
    drill.note("It did happen.")
    chosen = drill.seen_by(seat).seat
    assert read(followed(one_by_one(drill), chosen)) == read(LiveDocument(chosen, drill.history()).document())


@by_every_ruleset
@pytest.mark.parametrize("corrected", [False, True])
def test_somebody_who_is_concealed_is_gone_at_once(ruleset: str, corrected: bool) -> None:
    """Not only when something else happens that is seen."""
    drill = protected_duel(ruleset)
    if corrected:
        drill.note("A mistake.")
        drill.apply(drill.plan(Undo(reason="never said")))
    conceal(drill, "snig")
    players = drill.seen_by("players").seat
    for document in (
        followed(one_by_one(drill), players),
        drill.seen_by("players").replay_document(),
    ):
        for track in ("recorded", "counting"):
            *_, before, after = states(document, track)
            assert ("snig" in before["who"], "snig" in after["who"]) == (True, False)


def test_what_is_not_seen_is_no_part() -> None:
    drill = protected_duel()
    chronicle = LiveDocument(drill.seen_by("players").seat, drill.history())
    known = len(drill.history())
    drill.note("A trap.", secret=True)
    assert chronicle.take(drill.history()[known:]) is None


def told(seat: str, *, asides: bool) -> list[Data | None]:
    """What pages are told while Osric is asked, it begins to rain, and a GM may have taken back a secret note."""
    drill = protected_duel()
    chronicle, known, parts = LiveDocument(drill.seen_by(seat).seat, drill.history()), len(drill.history()), []

    def tell() -> None:
        nonlocal known
        parts.append(chronicle.take(drill.history()[known:]))
        known = len(drill.history())

    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik")
    tell()
    if asides:
        drill.note("A trap.", secret=True)
        drill.apply(drill.plan(Undo(reason="there is none")))
    drill.note("It rains.")
    tell()
    drill.react("osric", None, dice=[2])
    tell()
    return parts


@pytest.mark.parametrize("seat", ["players", "player:rurik", "spectator"])
def test_what_is_corrected_unseen_does_not_change_the_form_of_what_pages_are_told(seat: str) -> None:
    """Neither at once nor later, when an earlier declaration goes on: parts, and no new document."""
    parts = told(seat, asides=True)
    assert parts == told(seat, asides=False)
    assert all(part is not None and "fight" not in part for part in parts)


def test_a_part_has_nothing_but_what_is_new() -> None:
    """A step of a long fight costs the step, and not the fight again."""
    fight = random_fight(7, 40)
    known = len(fight.events)
    chronicle = LiveDocument(GM, fight.events)
    while len(fight.events) == known:
        step(fight, Random(1))
    part = chronicle.take(fight.events[known:])
    assert part is not None
    assert [row[0] for row in part["events"]] == [event.seq for event in fight.events[known:]]
    assert len(part["recorded"]) == len(fight.events) - known
    assert len(part["story"][1]) <= 3
