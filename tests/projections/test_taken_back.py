"""What a correction took back names the correction, and says which event it is now."""

from __future__ import annotations

import pytest

from combatlog import Amend, Redo, Undo
from combatlog.rules.engine.corrections.rebase import Impossible
from combatlog.testing import Drill, all_of
from ledger.errors import Problem
from ledger.events import Declared, Event, Rolled
from projections.battle.timeline import successor, taken_back
from projections.review.explanation import explain


def dodged() -> Drill:
    """Rurik dodges, so Snig's strike has disadvantage: 2 counts, not 8."""
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    drill.do("rurik", "dodge")
    drill.end_turn("rurik")
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", dice=[2, 8])
    return drill


def seq_of(events: list[Event], action: str) -> int:
    """The first declaration of an action."""
    return next(event.seq for event in events if isinstance(event, Declared) and event.action.endswith(f":{action}"))


def undo_dodge(drill: Drill) -> int:
    """The seq of the correction."""
    before = len(drill.history())
    drill.apply(drill.plan(Undo(seq_of(drill.history(), "dodge"), reason="he did not dodge")))
    return before + 1


def test_each_declaration_names_the_correction_that_took_it_back() -> None:
    drill = dodged()
    dodge, strike = seq_of(drill.history(), "dodge"), seq_of(drill.history(), "strike")
    assert taken_back(drill.history()) == {}
    undone = undo_dodge(drill)
    gone = taken_back(drill.history())
    assert gone[dodge] == gone[strike] == undone
    assert undone not in gone


def test_a_redo_takes_back_the_correction_and_what_it_recorded() -> None:
    drill = dodged()
    undone = undo_dodge(drill)
    again = [event.seq for event in all_of(drill.history(), Declared) if event.seq > undone]
    redone = len(drill.history()) + 1
    drill.apply(drill.plan(Redo()))
    gone = taken_back(drill.history())
    assert again
    assert gone == dict.fromkeys([undone, *again], redone)


def test_an_undo_after_a_redo_is_the_one_in_force() -> None:
    drill = dodged()
    dodge = seq_of(drill.history(), "dodge")
    undo_dodge(drill)
    drill.apply(drill.plan(Redo()))
    second = undo_dodge(drill)
    assert taken_back(drill.history())[dodge] == second


def test_the_successor_of_an_event_is_the_same_event_recorded_again() -> None:
    drill = dodged()
    strike = seq_of(drill.history(), "strike")
    roll = all_of(drill.history(), Rolled)[-1].seq
    undone = undo_dodge(drill)
    events = drill.history()
    gone = taken_back(events)
    now = successor(events, gone, strike)
    assert now is not None
    assert now > undone
    assert isinstance(events[now - 1], Declared)
    assert events[now - 1].action == "dnd5e:action:strike"  # type: ignore[attr-defined]
    assert successor(events, gone, roll) == all_of(events, Rolled)[-1].seq
    assert successor(events, gone, seq_of(events, "dodge")) is None


def test_what_is_kept_as_a_ruling_is_the_successor() -> None:
    """Without the attack action, there is no strike; its outcome is kept."""
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="snig", dice=[10, 1])
    strike = seq_of(drill.history(), "strike")
    attack = seq_of(drill.history(), "attack")
    drill.apply(drill.plan(Undo(attack, reason="no action", impossible=Impossible.KEEP.value)))
    events = drill.history()
    now = successor(events, taken_back(events), strike)
    assert now is not None
    assert events[now - 1].action == "core:ruling:uphold"  # type: ignore[attr-defined]


def test_undo_and_amend_say_which_event_it_is_now() -> None:
    drill = dodged()
    strike = seq_of(drill.history(), "strike")
    undone = undo_dodge(drill)
    now = successor(drill.history(), taken_back(drill.history()), strike)
    for plan in (lambda: drill.plan(Undo(strike)), lambda: drill.plan(Amend(strike, targets="rurik"))):
        with pytest.raises(Problem) as refused:
            plan()
        assert refused.value.code == "undo/not-standing"
        assert refused.value.sentence == (
            f"Event {strike} was taken back by {undone} and recorded again: it is event {now} now."
        )
        assert refused.value.facts["now"] == now


def test_undo_says_if_it_was_not_recorded_again() -> None:
    drill = dodged()
    dodge = seq_of(drill.history(), "dodge")
    undone = undo_dodge(drill)
    with pytest.raises(Problem) as refused:
        drill.plan(Undo(dodge))
    assert refused.value.sentence == f"Event {dodge} was taken back by {undone} and not recorded again."


def test_an_explanation_says_who_took_it_back_and_what_it_is_now() -> None:
    drill = dodged()
    strike = seq_of(drill.history(), "strike")
    undone = undo_dodge(drill)
    explained = explain(drill.history(), strike)
    assert explained.taken_back_by == undone
    assert explained.successor == successor(drill.history(), taken_back(drill.history()), strike)
    assert explain(drill.history(), explained.successor or 0).taken_back_by is None
