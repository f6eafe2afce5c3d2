"""Pages of encounters with their labels, read without folding the encounters."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

import combatlog
from combatlog import Redo, Undo
from ledger.store.encounters import Page


@pytest.fixture
def fights(database: str) -> Iterator[combatlog.Ledger]:
    """Five fights, of which b and d are archived."""
    with combatlog.open(database) as ledger:
        for name in "abcde":
            fight = ledger.new(name)
            if name in "bd":
                fight.label("archived")
        yield ledger


def names(shown: Page) -> list[str]:
    return [entry.name for entry in shown]


def test_archived_fights_are_passed_over_unless_asked_for(fights: combatlog.Ledger) -> None:
    assert (names(fights.list()), fights.list().archived) == (["e", "c", "a"], 2)
    everything = fights.list(archived=True)
    assert (names(everything), everything.archived) == (["e", "d", "c", "b", "a"], 0)
    assert [entry.labels for entry in everything] == [(), ("archived",), (), ("archived",), ()]


def test_pages_are_full_although_some_are_passed_over(fights: combatlog.Ledger) -> None:
    first = fights.list(2)
    second = fights.list(2, first.next)
    assert (names(first), names(second)) == (["e", "c"], ["a"])
    assert (first.archived, second.archived, second.next) == (1, 1, None)
    assert (first.total, second.total) == (5, 5)


def test_a_page_may_end_with_the_last_that_is_shown(fights: combatlog.Ledger) -> None:
    """After a nothing follows; after c, b and a do, although b is not shown."""
    assert fights.list(3).next is None
    assert names(fights.list(1, fights.list(2).next)) == ["a"]


def test_a_label_that_was_taken_back_is_none(fights: combatlog.Ledger) -> None:
    fight = fights.fight("b")
    fight.apply(fight.plan(Undo(reason="it is fine")))
    assert names(fights.list()) == ["e", "c", "b", "a"]
    fight.apply(fight.plan(Redo(reason="it is not")))
    assert names(fights.list()) == ["e", "c", "a"]


def test_a_label_that_a_correction_changed(fights: combatlog.Ledger) -> None:
    """The later label comes out otherwise without the earlier one, and as before when that comes back."""
    fight = fights.fight("b")
    fight.label("boss")
    archiving = next(event.declaration for event in fight.events() if event.kind == "encounter_labelled")
    fight.apply(fight.plan(Undo(archiving, reason="x")))
    assert labels_of(fights, "b") == ("boss",) == fight.battle.labels
    fight.apply(fight.plan(Redo(reason="y")))
    assert labels_of(fights, "b") == ("archived", "boss") == fight.battle.labels


def test_a_fork_begins_without_labels(fights: combatlog.Ledger) -> None:
    fights.fight("b").fork("what if")
    assert labels_of(fights, "what if") == () == fights.fight("what if").battle.labels


def test_a_fight_can_be_opened_with_labels(fights: combatlog.Ledger) -> None:
    fights.new("f", labels=["practice"])
    assert labels_of(fights, "f") == ("practice",)
    assert [event.kind for event in fights.fight("f").events()] == [
        "encounter_opened",
        "declared",
        "encounter_labelled",
    ]


def test_a_label_that_cannot_be_read_is_left_out(fights: combatlog.Ledger, database: str) -> None:
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute("ALTER TABLE combatlog.ledger_events DISABLE TRIGGER append_only")
        conn.execute("UPDATE combatlog.ledger_events SET state = 'x' WHERE topic = 'encounter_labelled'")
    assert names(fights.list()) == ["e", "d", "c", "b", "a"]


def labels_of(ledger: combatlog.Ledger, name: str) -> tuple[str, ...]:
    return next(entry.labels for entry in ledger.list(archived=True) if entry.name == name)
