"""Whatever an event of any kind changes can be taken back: the state is what it was, to the order of everything."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.events import Event
from ledger.registry import KINDS
from projections.battle import journal
from projections.battle.fold import CHANGING, FOLDS
from projections.battle.journal import NOTES, JournaledBattle
from projections.battle.snapshots import battle_to_bytes
from tests.cases import each
from tests.projections.test_words import sample

MAP = (".." * 5, ".." * 5, "....+.....")
GAUGES = {"vitals": {"hp": {"current": 20, "maximum": 20}}, "resources": {"attacks": {"current": 1, "maximum": 1}}}
CAST = ("osric", "snig", "rurik", "mila", "mira", "grub", "rebels")
OFFERS = [{"reactor": who, "reactions": ["dnd5e:feature:protection"]} for who in ("osric", "rurik")]


def before() -> list[Event]:
    """A fight in which a sample of any kind changes something, and in which there is more of everything."""
    differing = {"side": "foes", "position": (8, 2), **GAUGES}
    joined = [sample("combatant_joined", combatant=who, name=who, **differing) for who in CAST]
    deck = {"owner": "rebels", "cards": ("Blitz", "Focus", "Planning"), "origin": None, "to": "deck"}
    return [
        sample("encounter_opened", name="Another fight", map=MAP),
        *joined,
        sample("encounter_labelled", labels=("old",)),
        sample("initiative_set", order=[{"combatant": "mila", "value": 3}, {"combatant": "snig", "value": 1}]),
        sample("round_started", number=3),
        sample("turn_started", combatant="mila"),
        sample("declared", seq=20, declaration=20),
        sample("declared", seq=21, declaration=21),
        sample("rolled", drawn=1, contributions=None),
        sample("cards_moved", **deck),
        sample("condition_applied", level=None),
        sample("condition_applied", condition="dnd5e:condition:prone"),
        sample("action_granted", weapon="shortbow"),
        sample("action_granted", grant="strike-34"),
        sample("resource_changed", resource="movement", before=0, after=30),
        sample("manual_resolution_needed", seq=60),
        sample("manual_resolution_needed", seq=61),
        sample("reaction_window_opened", offers=OFFERS),
    ]


SPECIAL: dict[str, dict[str, Any]] = {"rolled": {"drawn": 3, "contributions": None}, "ruled": {"answers": 60}}
"""What a sample needs to change something."""


def state(battle: JournaledBattle) -> bytes:
    battle.seq = 0  # no number comes back
    return battle_to_bytes(battle)


def kind_of(cls: type[Event]) -> str:
    return str(cls.model_fields["kind"].default)


def take_back_after(cls: type[Event]) -> None:
    battle, states = JournaledBattle(), []
    for event in before():
        states.append((battle.changes, state(battle)))
        battle.apply(event)
    changes, was = battle.changes, state(battle)
    battle.apply(sample(kind_of(cls), **SPECIAL.get(kind_of(cls), {})))
    assert state(battle) != was, "it changes nothing here: `before` and SPECIAL say what it finds and how it differs"
    battle.go_back_to(changes)
    assert state(battle) == was
    for changes, was in reversed(states):
        battle.go_back_to(changes)
        assert state(battle) == was


@each("cls", CHANGING, ids=kind_of)
def test_an_event_of_every_kind_is_taken_back(cls: type[Event]) -> None:
    take_back_after(cls)


@each("cls", CHANGING, ids=kind_of)
def test_a_kind_without_a_note_of_its_own_is_taken_back(cls: type[Event], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(journal._NOTE_BEFORE, cls, journal._everything)
    take_back_after(cls)


def test_notes_are_on_kinds_that_change_something() -> None:
    assert set(NOTES) <= CHANGING <= set(FOLDS) == set(KINDS.values())
