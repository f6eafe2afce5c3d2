"""A frozen state is the same when it is thawed, at every moment of every kind of fight."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ledger.events import Event
from projections import frozen
from projections.battle import Battle
from projections.course import Course
from projections.frozen import fold_version, freeze, thaw
from projections.journal import copy_of
from tests.cases import each
from tests.projections.test_course import OLD, state
from tests.randomplay import random_fight


def same(one: Battle, other: Battle) -> bool:
    return state(one) == state(other) and one.actions == other.actions


def follow(events: list[Event], every: int = 1) -> None:
    course = Course()
    for at, event in enumerate(events):
        course.feed(event)
        if at % every == 0:
            thawed = thaw(freeze(course.battle))
            assert same(thawed, course.battle), f"after event {event.seq}, {event.kind}"
            assert freeze(thawed) == freeze(course.battle)
            assert same(copy_of(course.battle), course.battle)


@each("name", OLD)
def test_an_old_fight(name: str) -> None:
    follow(OLD[name], every=3)


@pytest.mark.parametrize("seed", range(4))
def test_a_fight_at_random(seed: int) -> None:
    follow(random_fight(seed, 40).events)


def test_a_copy_goes_its_own_way() -> None:
    fight = random_fight(1, 20)
    before = freeze(fight.battle)
    copy = copy_of(fight.battle)
    for combatant in copy.combatants.values():
        combatant.conditions.clear()
        for vital in combatant.vitals.values():
            vital.current = -1
        combatant.economy.clear()
        combatant.piles["hand"] = ["x"]
    copy.clock.round = 99
    copy.questions.clear()
    assert freeze(fight.battle) == before


def test_nothing_but_data_is_thawed() -> None:
    state: dict[str, Any] = json.loads(freeze(random_fight(2, 5).battle))
    state["clock"]["round"] = {"__class__": "os.system"}
    with pytest.raises(ValueError, match="round"):
        thaw(json.dumps(state).encode())


def test_the_version_changes_with_the_code_that_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    read, before = frozen._source, fold_version.__wrapped__()
    assert before == fold_version()
    monkeypatch.setattr(frozen, "_source", lambda module: read(module) + b"#" * (module == Battle.__module__))
    assert fold_version.__wrapped__() != before
