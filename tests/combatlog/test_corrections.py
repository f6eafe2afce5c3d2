"""Planning and applying corrections through the public interface."""

from __future__ import annotations

from uuid import uuid4

import pytest

import combatlog
from combatlog import Amend, Redo, Undo
from combatlog.rules.engine.corrections.plan import PlanVerdict
from projections.review.difference import PoolState


@pytest.fixture
def struck(fight: combatlog.RecordedFight) -> combatlog.RecordedFight:
    """Snig has hit Rurik, 15 + 4 = 19 against 16, for 4 + 2 of his 12 hit points; Osric let it pass."""
    fight.do("snig", "attack")
    fight.do("snig", "strike", target="rurik", dice=[15, 4], replies={"osric": None})
    return fight


def hp(fight: combatlog.Fight) -> int:
    return fight.state().combatants["rurik"].vitals["hp"].current


def test_undo_and_redo(struck: combatlog.RecordedFight) -> None:
    assert hp(struck) == 6
    plan = struck.plan(Undo(reason="the wrong goblin", by="Ann"))
    assert [entry.verdict for entry in plan.entries] == [PlanVerdict.TAKEN_BACK]
    (healed,) = [change for change in plan.state_changes() if (change.who, change.name) == ("rurik", "hp")]
    assert isinstance(healed.before, PoolState)
    assert isinstance(healed.after, PoolState)
    assert (healed.before.current, healed.after.current) == (6, 12)
    assert hp(struck) == 6
    struck.apply(plan)
    assert hp(struck) == 12
    struck.apply(struck.plan(Redo()))
    assert hp(struck) == 6
    said = [
        (entry.correction.kind, entry.correction.by, entry.correction.reason)
        for entry in struck.seen_by().corrections()
    ]
    assert said == [("undone", "Ann", "the wrong goblin"), ("redone", "gm", "it was right after all")]


def test_what_can_be_taken_back(struck: combatlog.RecordedFight) -> None:
    attack, strike = [event.seq for event in struck.events(kinds=["declared"])][-2:]
    assert [entry.declared.seq for entry in struck.plan(Undo()).entries] == [strike]
    assert [entry.declared.seq for entry in struck.plan(Undo(turn=True)).entries] == [attack, strike]
    assert [entry.declared.seq for entry in struck.plan(Undo(round=True)).entries] == [attack, strike]
    assert [entry.declared.seq for entry in struck.plan(Undo(back_to=attack)).entries] == [strike]
    dropped = struck.plan(Undo(attack, impossible="drop"))
    assert [entry.verdict for entry in dropped.entries] == [PlanVerdict.TAKEN_BACK, PlanVerdict.IMPOSSIBLE]
    with pytest.raises(combatlog.Refusal) as caught:
        struck.plan(Undo(turn=True, round=True))
    assert caught.value.code == "undo/ambiguous"


def test_amend_an_answer_a_face_and_a_forgotten_modifier(struck: combatlog.RecordedFight) -> None:
    strike = struck.events(kinds=["declared"])[-1].seq
    roll = struck.events(kinds=["rolled"])[-2].seq
    protected = struck.plan(Amend(strike, replies={"osric": "protection"}, dice=[3]))
    assert protected.after.combatants["rurik"].vitals["hp"].current == 12
    misread = struck.plan(Amend(strike, faces={roll: [11]}))
    assert misread.after.combatants["rurik"].vitals["hp"].current == 12  # 11 + 4 = 15 misses 16
    forgotten = struck.plan(Amend(strike, add=[combatlog.Forgotten(what="-4", source="darkness")]))
    assert forgotten.after.combatants["rurik"].vitals["hp"].current == 12  # 19 - 4 = 15 misses 16
    assert forgotten.correction.changes["add"] == [{"what": "-4", "source": "darkness", "owner": "snig"}]


def test_a_plan_is_not_changed_by_what_comes_after_it(struck: combatlog.RecordedFight) -> None:
    plan = struck.plan(Undo())
    before = plan.state_changes()
    struck.end_turn("snig")
    assert plan.state_changes() == before


def test_a_plan_that_was_overtaken_is_refused(struck: combatlog.RecordedFight) -> None:
    plan = struck.plan(Undo())
    struck.end_turn("snig")
    with pytest.raises(combatlog.Refusal) as caught:
        struck.apply(plan)
    assert caught.value.code == "correction/moved-on"


def test_a_repeated_correction_does_nothing(struck: combatlog.RecordedFight) -> None:
    command = uuid4()
    assert not struck.apply(struck.plan(Undo(), command_id=command)).repeated
    again = struck.apply(struck.plan(Undo(), command_id=command))
    assert (again.repeated, len(again)) == (True, 0)
    assert hp(struck) == 12


def test_a_fork_takes_no_name_of_a_shorter_fight(struck: combatlog.RecordedFight) -> None:
    struck.ledger.new("short")
    with pytest.raises(combatlog.Problem) as refused:
        struck.fork("short")
    assert refused.value.code == "ledger/name-taken"


def test_a_fork_goes_its_own_way(struck: combatlog.RecordedFight) -> None:
    end = struck.history()[-1].seq
    other = struck.fork("what if", at=end, by="Ann")
    assert other.outcome is not None
    assert [event.kind for event in other.outcome] == ["forked"]
    other.rule("rurik", set={"hp": 1}, reason="it was worse")
    assert (hp(struck), hp(other)) == (6, 1)
    difference = struck.seen_by().diff(other.seen_by())
    assert (difference.common, list(difference.only_first)) == (end, [])
    assert struck.seen_by("gm", end).diff(struck.seen_by("gm", end)).state == []
