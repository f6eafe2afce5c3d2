"""What conceals is declared by the ruleset, a third party's as well, and recorded with the fight."""

from __future__ import annotations

import re

import pytest
from pydantic_core import to_json

from combatlog.rules.dnd5e import RULESET as DND5E
from combatlog.testing import Drill
from combatlog.web.replay_document import replay_document
from ledger.events import ConditionApplied, EncounterOpened
from projections.views.state import battle_state
from projections.views.visibility import CONCEALS
from tests.rules.veils_ruleset import PLOTTING, RULESET, VEILED

PLAYERS = "players:heroes"
DIFFERENT_ANYWAY = re.compile(rb"[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d[T ][\d:.]+")
"""Ids and times."""


def drill(*, veil: bool = True) -> Drill:
    """Ann faces Zed, who veils himself on his turn."""
    made = Drill(RULESET)
    made.join("anybody", "Ann", (1, 1), side="heroes")
    made.join("anybody", "Zed", (4, 4), side="foes")
    made.start()
    made.end_turn("ann")
    if veil:
        made.do("zed", "veil")
    return made


def told(fight: Drill, seat: str) -> bytes:
    """Everything that a seat is told: events, state, and the page to step through."""
    view = fight.seen_by(seat)
    document = replay_document(fight.history(), view.seat)
    return DIFFERENT_ANYWAY.sub(b"", to_json([view.events(), battle_state(view.battle), document], fallback=str))


def test_a_condition_of_a_plug_in_conceals_its_owner() -> None:
    fight = drill()
    seen = fight.seen_by(PLAYERS)
    assert set(seen.battle.combatants) == {"ann"}
    assert not [event for event in seen.events() if isinstance(event, ConditionApplied)]
    assert set(fight.seen_by("gm").battle.combatants) == {"ann", "zed"}
    assert set(fight.seen_by("players:foes").battle.combatants) == {"ann", "zed"}


@pytest.mark.parametrize("seat", ["players:heroes", "player:ann", "spectator"])
def test_what_the_concealed_do_changes_nothing_for_others(seat: str) -> None:
    quiet, busy = drill(), drill()
    for square in ((5, 4), (6, 4), (2, 1)):
        busy.do("zed", "walk", to=square)
    busy.do("zed", "plot")
    assert told(busy, seat) == told(quiet, seat)
    assert b"zed" not in to_json(battle_state(busy.seen_by(seat).battle))


def test_a_condition_that_does_not_show_is_known_to_its_own_side() -> None:
    fight = drill(veil=False)
    fight.do("zed", "plot")
    assert PLOTTING not in fight.seen_by(PLAYERS).battle.combatants["zed"].conditions
    assert PLOTTING in fight.seen_by("players:foes").battle.combatants["zed"].conditions


def test_it_is_recorded_with_the_fight_whatever_becomes_of_the_ruleset(monkeypatch: pytest.MonkeyPatch) -> None:
    fight = drill()
    opened = fight.history()[0]
    assert isinstance(opened, EncounterOpened)
    assert opened.options[CONCEALS] == {"unseen": [VEILED], "unnoticed": [PLOTTING]}
    monkeypatch.setattr(RULESET, "concealing", type(RULESET.concealing)())
    assert set(fight.seen_by(PLAYERS).battle.combatants) == {"ann"}


def test_a_dnd_fight_that_was_opened_before_is_seen_as_it_was() -> None:
    fight = Drill("dnd5e")
    opened = fight.history()[0]
    assert isinstance(opened, EncounterOpened)
    recorded = DND5E.concealing.as_option()
    assert {CONCEALS: opened.options[CONCEALS]} == recorded
    assert recorded == {CONCEALS: {"unseen": ["dnd5e:condition:hidden"], "unnoticed": ["dnd5e:condition:readied"]}}
    assert type(DND5E.concealing).in_force("dnd5e", {}) == DND5E.concealing
    assert type(DND5E.concealing).in_force("skirmish", {}) == type(DND5E.concealing)()
