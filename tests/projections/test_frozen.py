"""A frozen state is the same when it is thawed, at every moment of every kind of fight."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ledger.events import Event
from projections.battle import snapshots
from projections.battle.event_history import EventHistory
from projections.battle.fold import Battle
from projections.battle.journal import copy_of
from projections.battle.snapshots import battle_from_bytes, battle_to_bytes, fold_version
from tests.cases import each
from tests.projections.test_course import OLD, state
from tests.randomplay import random_fight


def same(one: Battle, other: Battle) -> bool:
    return state(one) == state(other) and one.actions == other.actions


def follow(events: list[Event], every: int = 1) -> None:
    course = EventHistory()
    for at, event in enumerate(events):
        course.feed(event)
        if at % every == 0:
            thawed = battle_from_bytes(battle_to_bytes(course.battle))
            assert same(thawed, course.battle), f"after event {event.seq}, {event.kind}"
            assert battle_to_bytes(thawed) == battle_to_bytes(course.battle)
            assert same(copy_of(course.battle), course.battle)


@pytest.mark.slow
@each("name", OLD)
def test_an_old_fight(name: str) -> None:
    follow(OLD[name], every=3)


@pytest.mark.parametrize("seed", range(4))
def test_a_fight_at_random(seed: int) -> None:
    follow(random_fight(seed, 40).events)


def test_a_copy_goes_its_own_way() -> None:
    fight = random_fight(1, 20)
    before = battle_to_bytes(fight.battle)
    copy = copy_of(fight.battle)
    for combatant in copy.combatants.values():
        combatant.conditions.clear()
        for vital in combatant.vitals.values():
            vital.current = -1
        combatant.economy.clear()
        combatant.piles["hand"] = ["x"]
    copy.clock.round = 99
    copy.questions.clear()
    assert battle_to_bytes(fight.battle) == before


def test_nothing_but_data_is_thawed() -> None:
    state: dict[str, Any] = json.loads(battle_to_bytes(random_fight(2, 5).battle))
    state["clock"]["round"] = {"__class__": "os.system"}
    with pytest.raises(ValueError, match="round"):
        battle_from_bytes(json.dumps(state).encode())


def test_the_version_changes_with_the_code_that_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    read, before = snapshots._source, fold_version.__wrapped__()
    assert before == fold_version()
    monkeypatch.setattr(snapshots, "_source", lambda module: read(module) + b"#" * (module == Battle.__module__))
    assert fold_version.__wrapped__() != before
