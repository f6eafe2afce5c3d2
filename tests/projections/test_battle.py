"""The folds: what each event changes, and the state at any moment."""

from __future__ import annotations

import pytest

from combatlog.testing import Drill
from ledger.events import ResourceChanged
from ledger.registry import KINDS
from projections.battle.fold import FOLDS, fold
from projections.views.state import battle_state


def test_every_kind_has_a_fold() -> None:
    assert set(FOLDS) == set(KINDS.values())


@pytest.fixture
def drill() -> Drill:
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (9, 1), side="foes")
    drill.start(dice=[20, 5])
    drill.do("rurik", "move", to=(4, 1))
    drill.do("rurik", "dodge")
    drill.next_turn()
    return drill


def test_the_state_at_any_seq_is_the_fold_up_to_it(drill: Drill) -> None:
    events = drill.fight.events
    positions = [fold(events[:seq]).combatants["rurik"].position for seq in range(3, len(events) + 1)]
    assert positions[0] == (1, 1)
    assert positions[-1] == (4, 1)
    assert {(2, 1), (3, 1)} < set(positions)


def test_a_resource_has_its_history(drill: Drill) -> None:
    movement = drill.fight.battle.combatants["rurik"].economy["movement"]
    assert [(change.before, change.after) for change in movement.recent] == [(0, 30), (30, 25), (25, 20), (20, 15)]
    assert (movement.current, movement.maximum, movement.spent, movement.locked) == (15, 30, 15, 0)
    assert all(isinstance(change, ResourceChanged) and change.why for change in movement.recent)


def test_a_condition_knows_its_source_and_its_end(drill: Drill) -> None:
    (dodging,) = drill.fight.battle.combatants["rurik"].conditions.values()
    assert (dodging.name, dodging.source, dodging.owner) == ("dodging", "dnd5e:ability:dodge", "rurik")
    assert dodging.until is not None
    assert (dodging.until.moment, dodging.until.whose) == ("turn_start", "rurik")
    assert drill.fight.events[dodging.since - 1].kind == "condition_applied"


def test_it_ends_when_it_says(drill: Drill) -> None:
    drill.next_turn()
    assert drill["turn"] == "rurik"
    assert drill["rurik.conditions"] == []
    assert drill["round"] == 2


def test_a_fold_does_not_depend_on_what_is_not_recorded(drill: Drill) -> None:
    assert battle_state(fold(drill.fight.events)) == battle_state(fold(list(drill.fight.events)))
