"""The helper for authors of rulesets and bots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import combatlog
from combatlog import Amend, Redo, Undo
from combatlog.events import AttackResolved, Rolled
from combatlog.testing import Drill, all_of, only
from tests.support import protected_duel


def test_a_refusal_is_the_problem_with_its_facts() -> None:
    problem = protected_duel().refusal("rurik", "dodge")
    assert isinstance(problem, combatlog.Refusal)
    assert problem.code == "turn/other"
    assert problem.sentence


def test_what_is_not_refused_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="it was not refused"):
        protected_duel().refusal("snig", "dodge")


def test_the_one_event_of_a_kind() -> None:
    drill = protected_duel()
    drill.do("snig", "attack")
    events = drill.do("snig", "strike", target="rurik", dice=[15, 4], replies={"osric": None})
    assert only(events, AttackResolved).hit
    assert [roll.faces for roll in all_of(events, Rolled)] == [(15,), (4,)]
    with pytest.raises(AssertionError, match="there are 2 events of the kind Rolled"):
        only(events, Rolled)


def bot(fight: combatlog.Fight) -> None:
    """Plays, is asked, corrects, and asks."""
    fight.join("goblin", "Snig", (2, 1), side="foes")
    fight.join("fighter", "Rurik", (1, 1))
    fight.join("paladin", "Osric", (1, 2))
    fight.start(dice=[20, 10, 5])
    assert fight.seen_by().actions("snig")
    fight.do("snig", "attack")
    assert fight.do("snig", "strike", target="rurik", dice=[]).window
    fight.react("osric", "protection", dice=[15, 8])
    plan = fight.plan(Amend(fight.history()[-1].seq, replies={"osric": None}, dice=[4]))
    assert plan.state_changes()
    fight.apply(plan)
    assert fight.apply(plan).repeated
    fight.apply(fight.plan(Redo()))
    fight.apply(fight.plan(Undo(turn=True)))
    assert len(fight.seen_by().corrections()) == 3
    assert fight.state(at=5).seq == 5
    fight.end_turn("snig")


def in_json(fight: combatlog.Fight) -> list[dict[str, Any]]:
    own = {"encounter": True, "recorded_at": True, "command": True}
    opening, *later = fight.events()
    first = opening.model_dump(mode="json", exclude={**own, "options": {"salt"}})
    return [first, *(event.model_dump(mode="json", exclude=own) for event in later)]


def test_a_bot_does_not_notice_the_difference(opened: combatlog.Ledger) -> None:
    """The same events, but for ids, times and the salt of proofs, which only recorded fights need."""
    drill, recorded = Drill(), opened.new("drill", dice="table")
    bot(drill)
    bot(recorded)
    assert in_json(drill) == in_json(recorded)
    assert combatlog.say(drill.events()[-1]) == combatlog.say(recorded.events()[-1])


def test_a_drill_with_packs_a_map_and_options() -> None:
    frost = Path(__file__).parents[2] / "docs" / "examples" / "frost"
    drill = Drill(map="...\n...", options={"diagonals": "5-10-5"}, packs=[frost])
    drill.join("winter_knight", "Ulf", (1, 1))
    assert drill["ulf.position"] == (1, 1)
    assert drill.state().encounter.options["diagonals"] == "5-10-5"
