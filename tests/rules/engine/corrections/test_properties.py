"""What holds for every correction of every fight."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.corrections.insert import before, plan_insert
from combatlog.rules.engine.corrections.plan import Plan, PlanVerdict
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.verification.verify import check_declarations
from ledger.events import Declared, Event, Face, Rolled
from projections.battle.fold import fold
from projections.battle.timeline import standing
from projections.review.difference import differences
from tests.effort import examples
from tests.randomplay import plan_amend_passing, plan_insert_passing, plan_undo_passing, random_fight, step

fights = st.builds(random_fight, seed=st.integers(0, 10_000), steps=st.integers(1, 40))
long_fights = st.builds(random_fight, seed=st.integers(0, 10_000), steps=st.integers(30, 60))
Faces = dict[tuple[str, str], list[tuple[Face, ...]]]
whole = examples(25)


def corrected(fight: FightEngine, plan: Plan) -> FightEngine:
    return FightEngine([*fight.events, *plan.new])


def middle(fight: FightEngine, chance: Random) -> int:
    return chance.choice([e.seq for e in standing(fight.events) if isinstance(e, Declared)][5:])


@whole
@given(fights)
def test_undo_of_the_last_declaration_is_the_state_before_it(fight: FightEngine) -> None:
    last = max(undo.last(fight))
    after = corrected(fight, plan_undo_passing(fight, {last}))
    if fight.events[-1].declaration == last and all(e.declaration == last for e in fight.events[last - 1 :]):
        assert differences(fold(fight.events[: last - 1]), after.battle) == []
    assert list(check_declarations(after.events)) == []


@whole
@given(fights, st.randoms(use_true_random=False))
def test_undo_then_redo_is_as_if_never_undone(fight: FightEngine, chance: Random) -> None:
    undone = corrected(fight, plan_undo_passing(fight, {middle(fight, chance)}))
    redone = corrected(undone, undo.plan_redo(undone, by="gm", reason="property"))
    assert differences(fight.battle, redone.battle) == []
    assert list(check_declarations(redone.events)) == []


@whole
@given(fights, st.randoms(use_true_random=False))
def test_a_rebase_with_nothing_changed_changes_nothing(fight: FightEngine, chance: Random) -> None:
    """A note that changed nothing is taken back from below everything that was declared after it."""
    assume(fight.battle.window is None)
    fight.declare(Declaration(actor="gm", action="core:ruling:rule", options={"note": "x", "reason": "property"}))
    note = fight.events[-1].declaration
    for _ in range(15):
        step(fight, chance)
    plan = plan_undo_passing(fight, {note})
    assert {entry.verdict for entry in plan.entries[1:]} <= {PlanVerdict.KEPT}
    assert plan.dice_added == 0
    assert differences(fight.battle, plan.after) == []


@whole
@given(fights)
def test_two_independent_undos_in_either_order(fight: FightEngine) -> None:
    assume(fight.battle.window is None)
    rulings = []
    for name in ("rurik", "snig"):
        options = {"set": {"hp": 5}, "reason": f"property {name}"}
        fight.declare(Declaration(actor="gm", action="core:ruling:rule", targets=(name,), options=options))
        rulings.append(fight.events[-1].declaration)
    first, second = rulings

    def both(one: int, other: int) -> FightEngine:
        half = corrected(fight, plan_undo_passing(fight, {one}))
        moved = next(
            (e.seq for e in half.events if isinstance(e, Declared) and e.cause and e.seq > len(fight.events)), other
        )
        still = {e.seq for e in standing(half.events)}
        return corrected(half, plan_undo_passing(half, {other if other in still else moved}))

    assert differences(both(first, second).battle, both(second, first).battle) == []


@whole
@given(fights, st.randoms(use_true_random=False))
def test_verification_passes_after_many_corrections(fight: FightEngine, chance: Random) -> None:
    for _ in range(4):
        fight = corrected(fight, plan_undo_passing(fight, {middle(fight, chance)}))
        step(fight, chance)
    assert list(check_declarations(fight.events)) == []
    assert [event.seq for event in fight.events] == list(range(1, len(fight.events) + 1))


@pytest.mark.parametrize("seed", range(5))
def test_the_kept_dice_are_the_same_to_the_face(seed: int) -> None:
    fight = random_fight(seed, 60)
    plan = plan_undo_passing(fight, {middle(fight, Random(seed))})
    now = standing([*fight.events, *plan.new])
    for entry in plan.of(PlanVerdict.KEPT):
        old = [e.faces for e in fight.events if isinstance(e, Rolled) and e.declaration == entry.declared.seq]
        new = [e.faces for e in now if isinstance(e, Rolled) and e.declaration == entry.replaced_by]
        assert old == new


@whole
@given(fights, st.randoms(use_true_random=False))
def test_what_stays_the_same_keeps_its_numbers(fight: FightEngine, chance: Random) -> None:
    """Nothing is recorded again that would mean the same: neither a declaration nor any event that follows from it."""
    plan = plan_undo_passing(fight, {middle(fight, chance)})
    recorded = {entry.declared.seq for entry in plan.entries if entry.replaced_by not in (None, entry.declared.seq)}
    assert recorded <= {e.declared.seq for verdict in _DIFFERENT for e in plan.of(verdict)}
    assert {event.seq for event in plan.new}.isdisjoint(event.seq for event in fight.events)
    again = FightEngine([*fight.events, *plan.new])
    assert differences(again.battle, plan.after) == []


_DIFFERENT = (PlanVerdict.CHANGED, PlanVerdict.UPHELD, PlanVerdict.AMENDED)


# What was forgotten


@whole
@given(fights, st.randoms(use_true_random=False))
def test_insert_then_redo_is_as_if_never_inserted(fight: FightEngine, chance: Random) -> None:
    inserted = corrected(fight, assumed(plan_insert_passing(fight, chance)))
    assert list(check_declarations(inserted.events)) == []
    redone = corrected(inserted, undo.plan_redo(inserted, by="gm", reason="property"))
    assert differences(fight.battle, redone.battle) == []
    assert list(check_declarations(redone.events)) == []


@whole
@given(fights, st.randoms(use_true_random=False))
def test_undo_of_what_was_inserted_is_as_if_never_inserted(fight: FightEngine, chance: Random) -> None:
    """Unless something came out differently: what that lost is lost."""
    plan = assumed(plan_insert_passing(fight, chance))
    assume(not any(plan.of(verdict) for verdict in (PlanVerdict.CHANGED, PlanVerdict.IMPOSSIBLE, PlanVerdict.NEW_TURN)))
    inserted = corrected(fight, plan)
    undone = corrected(inserted, plan_undo_passing(inserted, {plan.of(PlanVerdict.INSERTED)[0].declared.seq}))
    assert differences(fight.battle, undone.battle) == []


@whole
@given(fights, st.randoms(use_true_random=False))
def test_an_insertion_keeps_the_dice_of_the_others(fight: FightEngine, chance: Random) -> None:
    plan = assumed(plan_insert_passing(fight, chance))
    now = standing([*fight.events, *plan.new])
    for entry in (*plan.of(PlanVerdict.KEPT), *plan.of(PlanVerdict.CHANGED)):
        assert_same_dice(faces(fight.events, entry.declared.seq), faces(now, entry.replaced_by))


@whole
@given(fights, st.randoms(use_true_random=False))
def test_an_inserted_note_changes_nothing(fight: FightEngine, chance: Random) -> None:
    assume(fight.battle.window is None)
    note = Declaration(actor="gm", action="core:ruling:rule", options={"note": "x", "reason": "property"})
    first = before(fight, middle(fight, chance))
    plan = plan_insert(fight, first, note, by="gm", reason="property")
    assert plan.entries[0].verdict is PlanVerdict.INSERTED
    assert {entry.verdict for entry in plan.entries[1:]} <= {PlanVerdict.KEPT}
    assert differences(fight.battle, plan.after) == []
    assert plan.dice_added == 0


@whole
@given(fights, st.randoms(use_true_random=False))
def test_verification_passes_after_undos_and_insertions(fight: FightEngine, chance: Random) -> None:
    for _ in range(4):
        fight = corrected(fight, assumed(plan_insert_passing(fight, chance)))
        fight = corrected(fight, plan_undo_passing(fight, {middle(fight, chance)}))
        step(fight, chance)
    assert list(check_declarations(fight.events)) == []


@whole
@given(long_fights, st.randoms(use_true_random=False))
def test_amend_then_redo_is_as_if_never_amended(fight: FightEngine, chance: Random) -> None:
    plan = assumed(plan_amend_passing(fight, chance))
    amended = corrected(fight, plan)
    assert list(check_declarations(amended.events)) == []
    redone = corrected(amended, undo.plan_redo(amended, by="gm", reason="property"))
    assert differences(fight.battle, redone.battle) == []
    assert list(check_declarations(redone.events)) == []


@whole
@given(long_fights, st.randoms(use_true_random=False))
def test_an_amendment_keeps_the_dice_of_the_others(fight: FightEngine, chance: Random) -> None:
    plan = assumed(plan_amend_passing(fight, chance))
    now = standing([*fight.events, *plan.new])
    for entry in (*plan.of(PlanVerdict.KEPT), *plan.of(PlanVerdict.CHANGED), *plan.of(PlanVerdict.AMENDED)):
        assert_same_dice(faces(fight.events, entry.declared.seq), faces(now, entry.replaced_by))


def assert_same_dice(had: Faces, has: Faces) -> None:
    """A roll for the same purpose shows the faces that it had, as far as it still needs them."""
    for roll in had.keys() & has.keys():
        assert all(old[: len(new)] == new[: len(old)] for old, new in zip(had[roll], has[roll], strict=False))


def assumed(plan: Plan | None) -> Plan:
    assume(plan is not None)
    assert plan is not None
    return plan


def faces(events: Iterable[Event], declaration: int | None) -> Faces:
    """By purpose and roller, as the tape finds them."""
    found: Faces = {}
    for event in events:
        if isinstance(event, Rolled) and event.declaration == declaration:
            found.setdefault((event.purpose, event.roller), []).append(event.faces)
    return found
