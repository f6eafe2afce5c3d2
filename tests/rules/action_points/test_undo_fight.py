"""The fight for corrections is what its table says, with the costly declaration and without."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from combatlog.rules.action_points.economy_and_vitality import AP, RECOVERY
from combatlog.rules.engine.corrections.plan import Plan, PlanVerdict
from combatlog.rules.engine.corrections.undo import one, plan_undo
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.verification.verify import check_declarations
from ledger.events import AttackResolved, Event, ResourceChanged, Rolled, RoundStarted
from projections.battle.fold import fold
from projections.battle.timeline import standing
from projections.story.difference_words import say_difference
from tests.rules.action_points.support import ZERO, attack, duel
from tests.rules.action_points.undo_fight import TOTALS_IN_ROUND_2, WITH, WITHOUT, AfterRound, play


def recovered(event: Event) -> int | None:
    """How many AP ana recovers in this event, if she does."""
    if not isinstance(event, ResourceChanged) or (event.owner, event.resource, event.source) != ("ana", AP, RECOVERY):
        return None
    return event.after - event.before


def after_rounds(events: Sequence[Event]) -> dict[int, AfterRound]:
    """Ana's FAT and AP at the end of each round, and what she recovered then."""
    found = {}
    recovery = 0
    for event in standing(events):
        recovery = recovered(event) or recovery
        if isinstance(event, RoundStarted) and event.number > 1:
            ana = fold(events[: event.seq]).combatants["ana"]
            found[event.round] = AfterRound(ana.vitals["fat"].current, ana.economy["ap"].current, recovery)
    return found


@pytest.mark.parametrize(("costly", "expected"), [(True, WITH), (False, WITHOUT)])
def test_pools_after_each_round(costly: bool, expected: dict[int, AfterRound]) -> None:
    drill, _ = play(costly=costly)
    assert after_rounds(drill.fight.events) == expected


@pytest.mark.parametrize(("costly", "which"), [(True, "with"), (False, "without")])
def test_totals_in_round_2(costly: bool, which: str) -> None:
    drill, _ = play(costly=costly)
    totals = [event.total for event in drill.fight.events if isinstance(event, Rolled) and event.round == 2]
    assert totals == TOTALS_IN_ROUND_2[which]


# An undo in the middle of round 2


def undone() -> tuple[Plan, FightEngine]:
    drill, costly = play()
    assert costly is not None
    plan = plan_undo(drill.fight, one(drill.fight, costly), by="gm", reason="she never said that")
    return plan, FightEngine([*drill.fight.events, *plan.new])


def test_an_undo_in_round_2_changes_what_rounds_2_and_3_recover() -> None:
    _, corrected = undone()
    assert after_rounds(corrected.events) == WITHOUT
    assert list(check_declarations(corrected.events)) == []


def test_the_later_declarations_are_rebased_over_their_own_dice() -> None:
    plan, corrected = undone()
    assert plan.dice_added == 0
    totals = [event.total for event in standing(corrected.events) if isinstance(event, Rolled) and event.round == 2]
    assert totals == TOTALS_IN_ROUND_2["without"]


def test_the_plan_reports_what_the_undo_changes() -> None:
    plan, _ = undone()
    reported = [(entry.declared.action.rsplit(":", 1)[1], entry.verdict) for entry in plan.entries]
    assert reported == [
        ("use_skill", PlanVerdict.TAKEN_BACK),
        *[("use_skill", PlanVerdict.CHANGED)] * 3,
        ("end-turn", PlanVerdict.KEPT),
        ("end-turn", PlanVerdict.CHANGED),
        ("use_skill", PlanVerdict.CHANGED),
        ("end-turn", PlanVerdict.KEPT),
        ("end-turn", PlanVerdict.CHANGED),
    ]
    changes = [change for entry in plan.entries for change in entry.changes if change.recorded and change.now]
    recoveries = [(recovered(change.recorded), recovered(change.now)) for change in changes]  # type: ignore[arg-type]
    assert [pair for pair in recoveries if pair != (None, None)] == [(1, 3), (1, 3)]


def test_the_plan_reports_the_state_it_leads_to() -> None:
    plan, _ = undone()
    said = [say_difference(change) for change in plan.state_changes()]
    assert "Ana's fat rises from 7 to 12" in said
    assert "Ana's ap rises from 1 to 4" in said


# An undo that takes a defence away


def test_a_parry_whose_mode_was_undone_has_to_be_paid_for() -> None:
    drill = duel()
    defended = drill.do("ana", "defend")[0].seq
    drill.do("ana", "end-turn")
    attack(drill, (*ZERO, 0, 0, 0, -1), by="bor", at="ana", answer="parry")  # 12 against 15
    plan = plan_undo(drill.fight, one(drill.fight, defended), by="gm", reason="she attacked instead")
    assert [entry.verdict for entry in plan.entries] == [PlanVerdict.TAKEN_BACK, PlanVerdict.KEPT, PlanVerdict.CHANGED]
    now = [event for event in plan.new if isinstance(event, AttackResolved)]
    assert [(event.total, event.against, event.hit) for event in now] == [(12, 15, False)]
    assert [event.after for event in plan.new if isinstance(event, ResourceChanged) and event.owner == "ana"] == [
        3,
        15,
        1,
    ]
