"""Nothing that is secret comes out, whatever an event contains.

`SECRETS` says, independently of the views, which fields of an event are secret from players: `always`, or as long as
the combatant in a field is not on their own side. Two events that differ in nothing else look the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.events import CombatantJoined, ConditionApplied, ConditionRemoved, Event, Prose
from ledger.registry import KINDS
from projections.views import HOW_SEEN, ApparentHealth, Viewer, redacted
from tests.effort import examples
from tests.projections.views.imagined import ALSO_UNSEEN, BY_SIGHT, OWN, SECRET_PROSE, UNSEEN, events
from tests.rules.veils_ruleset import PLOTTING

PLAYERS = Viewer(
    own=frozenset({OWN}),
    by_sight=frozenset({BY_SIGHT}),
    unseen=frozenset({UNSEEN, ALSO_UNSEEN}),
    health={BY_SIGHT: ApparentHealth.HURT},
    told=frozenset({3, 5, 7}),
)
SPECTATOR = Viewer(by_sight=frozenset({OWN, BY_SIGHT}), unseen=frozenset({UNSEEN, ALSO_UNSEEN}))

ALWAYS, ALL = "always", "*"
SECRETS: dict[str, dict[str, tuple[str, ...]]] = {
    "encounter_opened": {ALWAYS: ("options", "command")},
    "combatant_joined": {"combatant": ("controller", "sheet", "vitals", "resources", "policies")},
    "encounter_labelled": {ALWAYS: (ALL,)},
    "encounter_imported": {ALWAYS: (ALL,)},
    "policies_set": {"combatant": (ALL,)},
    "noted": {ALWAYS: (ALL,)},
    "inserted": {ALWAYS: ("command",)},
    "declared": {ALWAYS: ("adjustments",), "actor": ("command",)},
    "chain_modified": {"owner": (ALL,)},
    "rolled": {"roller": (ALL,)},
    "reaction_chosen": {"reactor": ("options", "decided_by", "command")},
    "reaction_declined": {"reactor": (ALL,)},
    "reaction_used": {"reactor": (ALL,)},
    "attack_resolved": {"attacker": ("roll", "total"), "target": ("against",)},
    "save_resolved": {ALWAYS: ("against",), "saver": ("total",)},
    "check_resolved": {ALWAYS: ("against", "margin"), "checker": (ALL,)},
    "damaged": {"source": ("parts",), "target": ("pool", "amount", "left", "overkill", "parts")},
    "healed": {"target": ("pool", "amount", "left", "source")},
    "condition_applied": {"target": ("data",), "owner": ("data",)},
    "action_granted": {"owner": (ALL,)},
    "action_removed": {"owner": (ALL,)},
    "resource_changed": {"owner": (ALL,)},
    "moved": {"mover": ("cost",)},
    "manual_resolution_needed": {ALWAYS: (ALL,)},
    "amended": {ALWAYS: ("changes", "command")},
    "undone": {ALWAYS: ("command",)},
    "redone": {ALWAYS: ("command",)},
}
PERSON = {
    "combatant_joined": "combatant",
    "combatant_left": "combatant",
    "turn_started": "combatant",
    "turn_ended": "combatant",
    "declared": "actor",
    "reaction_chosen": "reactor",
    "attack_resolved": "target",
    "save_resolved": "saver",
    "damaged": "target",
    "healed": "target",
    "condition_applied": "target",
    "condition_removed": "target",
    "cards_moved": "owner",
    "moved": "mover",
    "ruled": "subject",
}
"""Whom an event is about: if that one is unseen, there is no event."""


def secret_fields(event: Event) -> set[str]:
    found: set[str] = set()
    for whose, fields in SECRETS.get(event.kind, {}).items():
        if whose == ALWAYS or getattr(event, whose) != OWN:
            found |= set(type(event).model_fields) if ALL in fields else set(fields)
    prose = {name for name, field in type(event).model_fields.items() if get_args(Prose)[1] in field.metadata}
    return (found | prose) - {"kind", "turn", "by", *(set(SECRETS.get(event.kind, {})))}


def test_every_kind_has_a_line() -> None:
    assert set(HOW_SEEN) == set(KINDS.values())


def test_a_kind_that_nobody_knows_is_not_seen() -> None:
    class Whispered(Event):
        kind: Literal["whispered"] = "whispered"
        words: str

    whispered = Whispered.model_construct(words="the king is dead", seq=3, declaration=3, turn=None, by="gm")
    assert redacted(whispered, PLAYERS) is None
    assert redacted(whispered, Viewer(sees_all=True)) is whispered


kinds = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
viewers = st.sampled_from([PLAYERS, SPECTATOR])


@kinds
@examples(100)
@given(data=st.data(), viewer=viewers)
def test_no_unseen_combatant_and_no_prose_comes_out(kind: type[Event], data: st.DataObject, viewer: Viewer) -> None:
    seen = redacted(data.draw(events(kind)), viewer)
    text = repr(seen.model_dump()) if seen is not None else ""
    assert UNSEEN not in text
    assert ALSO_UNSEEN not in text
    assert SECRET_PROSE not in text


@pytest.mark.slow
@kinds
@examples(100)
@given(data=st.data())
def test_events_that_differ_only_in_secrets_look_the_same(kind: type[Event], data: st.DataObject) -> None:
    event, other = data.draw(events(kind)), data.draw(events(kind))
    twin = event.model_copy(update={name: getattr(other, name) for name in secret_fields(event)})
    assert redacted(event, PLAYERS) == redacted(twin, PLAYERS)


@given(event=events(ConditionApplied) | events(ConditionRemoved))
@examples(50)
def test_a_condition_that_does_not_show_is_known_to_its_own_side(event: ConditionApplied | ConditionRemoved) -> None:
    secret = event.model_copy(update={"condition": PLOTTING})
    for viewer in (PLAYERS, SPECTATOR):
        seen = redacted(secret, replace(viewer, unnoticed=frozenset({PLOTTING})))
        assert (seen is not None) == (secret.target in viewer.own)


@kinds
@examples(50)
@given(data=st.data())
def test_what_is_about_somebody_unseen_is_no_event(kind: type[Event], data: st.DataObject) -> None:
    event = data.draw(events(kind))
    person = PERSON.get(event.kind)
    if person is not None:
        assert redacted(event.model_copy(update={person: UNSEEN}), PLAYERS) is None


@kinds
@examples(20)
@given(data=st.data())
def test_gm_and_auditor_see_every_event_as_it_is(kind: type[Event], data: st.DataObject) -> None:
    event = data.draw(events(kind))
    assert redacted(event, Viewer(sees_all=True)) is event


@given(event=events(CombatantJoined).filter(lambda event: event.combatant == OWN))
@examples(20)
def test_ones_own_sheet_comes_out_whole(event: CombatantJoined) -> None:
    seen = redacted(event, PLAYERS)
    assert isinstance(seen, CombatantJoined)
    assert (seen.sheet, seen.vitals, seen.resources) == (event.sheet, event.vitals, event.resources)
