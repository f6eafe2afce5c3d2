"""Undo, redo and the rebase: what is kept, what changes, what is no longer possible."""

from __future__ import annotations

import pytest

from combatlog import Undo
from combatlog.rules.engine.commands import Declaration, Reply
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.corrections.insert import before, plan_insert
from combatlog.rules.engine.corrections.plan import Plan, PlanVerdict
from combatlog.rules.engine.corrections.rebase import Impossible, Remedies
from combatlog.rules.engine.declarations import uphold
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of
from ledger.errors import Problem
from ledger.events import Declared, Rolled, TerrainChanged
from projections.battle.timeline import standing
from projections.review.difference import differences
from projections.views.state import battle_state
from tests.support import protected_duel


@pytest.fixture
def drill() -> Drill:
    """Rurik moves, attacks and strikes Snig; Snig strikes back and misses."""
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (3, 1), side="foes", overrides={"hp": 30})
    drill.start(dice=[20, 5])
    drill.do("rurik", "move", to=(2, 1))
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="snig", dice=[15, 4])
    drill.next_turn()
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", dice=[3])
    return drill


def seq_of(drill: Drill, actor: str, action: str) -> int:
    found = [e.seq for e in all_of(drill.fight.events, Declared) if e.actor == actor and e.action.endswith(action)]
    return found[-1]


def apply(fight: FightEngine, plan: Plan) -> FightEngine:
    corrected = FightEngine([*fight.events, *plan.new])
    assert battle_state(corrected.battle) == battle_state(plan.after)
    assert list(check_declarations(corrected.events)) == []
    return corrected


def take_back(fight: FightEngine, what: set[int], remedies: Remedies | None = None) -> tuple[Plan, FightEngine]:
    plan = undo.plan_undo(fight, what, by="gm", reason="a mistake", remedies=remedies)
    return plan, apply(fight, plan)


def verdicts(plan: Plan) -> list[tuple[str, PlanVerdict]]:
    return [(entry.declared.action.rsplit(":", 1)[1], entry.verdict) for entry in plan.entries]


def test_undo_takes_back_the_last_declaration(drill: Drill) -> None:
    before = FightEngine(drill.fight.events[: seq_of(drill, "snig", "strike") - 1])
    plan, after = take_back(drill.fight, undo.last(drill.fight))
    assert verdicts(plan) == [("strike", PlanVerdict.TAKEN_BACK)]
    assert differences(before.battle, after.battle) == []


def test_nothing_is_deleted(drill: Drill) -> None:
    _, after = take_back(drill.fight, undo.last(drill.fight))
    assert after.events[: len(drill.fight.events)] == drill.fight.events


def test_undo_of_a_turn_and_of_a_round(drill: Drill) -> None:
    turn, _ = take_back(drill.fight, undo.turn(drill.fight))
    assert verdicts(turn) == [("attack", PlanVerdict.TAKEN_BACK), ("strike", PlanVerdict.TAKEN_BACK)]
    all_of_it, after = take_back(drill.fight, undo.round_(drill.fight))
    assert len(all_of_it.entries) == 6
    assert after.battle.combatants["snig"].vitals["hp"].current == 30
    assert after.battle.clock.turn == "rurik"


def test_undo_of_an_empty_turn_takes_the_one_before(drill: Drill) -> None:
    _, once = take_back(drill.fight, undo.turn(drill.fight))
    plan, _ = take_back(once, undo.turn(once))
    assert [name for name, _ in verdicts(plan)] == ["move", "attack", "strike", "end-turn"]


def test_undo_back_to_an_event(drill: Drill) -> None:
    plan, _ = take_back(drill.fight, undo.back_to(drill.fight, seq_of(drill, "rurik", "end-turn")))
    assert verdicts(plan) == [("attack", PlanVerdict.TAKEN_BACK), ("strike", PlanVerdict.TAKEN_BACK)]


def test_undo_in_the_middle_keeps_what_it_does_not_touch(drill: Drill) -> None:
    plan, after = take_back(drill.fight, undo.one(drill.fight, seq_of(drill, "rurik", "strike")))
    assert verdicts(plan) == [
        ("strike", PlanVerdict.TAKEN_BACK),
        ("end-turn", PlanVerdict.CHANGED),
        ("attack", PlanVerdict.KEPT),
        ("strike", PlanVerdict.KEPT),
    ]
    assert after.battle.combatants["snig"].vitals["hp"].current == 30
    assert all_of(plan.new, Rolled) == []
    assert [roll.faces for roll in all_of(standing(after.events), Rolled)][-1] == (3,)
    assert all(entry.replaced_by == entry.declared.seq for entry in plan.of(PlanVerdict.KEPT))


def test_what_is_no_longer_possible_stops_it_unless_told_otherwise(drill: Drill) -> None:
    attack = undo.one(drill.fight, seq_of(drill, "rurik", "attack"))
    shown = drill.plan(Undo(seq_of(drill, "rurik", "attack"), reason="a mistake"))
    assert [entry.declared.action for entry in shown.of(PlanVerdict.IMPOSSIBLE)] == ["dnd5e:action:strike"]
    with pytest.raises(Problem) as caught:
        drill.apply(shown)
    assert caught.value.code == "correction/impossible"
    plan, after = take_back(drill.fight, attack, Remedies(Impossible.DROP))
    impossible = plan.of(PlanVerdict.IMPOSSIBLE)
    assert [entry.declared.action for entry in impossible] == ["dnd5e:action:strike"]
    assert "no attacks left" in (impossible[0].why or "")
    assert after.battle.combatants["snig"].vitals["hp"].current == 30


def test_what_is_no_longer_possible_can_be_kept_as_a_ruling(drill: Drill) -> None:
    attack = undo.one(drill.fight, seq_of(drill, "rurik", "attack"))
    plan, after = take_back(drill.fight, attack, Remedies(Impossible.KEEP))
    assert [entry.verdict for entry in plan.entries][:2] == [PlanVerdict.TAKEN_BACK, PlanVerdict.UPHELD]
    assert after.battle.combatants["snig"].vitals["hp"].current == 23  # 4 + 3 stay lost


def test_redo_takes_the_undo_back(drill: Drill) -> None:
    _, undone = take_back(drill.fight, undo.one(drill.fight, seq_of(drill, "rurik", "strike")))
    plan = undo.plan_redo(undone, by="gm", reason="it was right")
    redone = apply(undone, plan)
    assert differences(drill.fight.battle, redone.battle) == []
    assert {entry.verdict for entry in plan.entries} == {PlanVerdict.RESTORED}


def test_redo_is_too_late_once_something_new_is_declared(drill: Drill) -> None:
    _, undone = take_back(drill.fight, undo.last(drill.fight))
    drill.fight = undone
    drill.do("snig", "strike", target="rurik", dice=[9])
    with pytest.raises(Problem) as caught:
        undo.plan_redo(drill.fight, by="gm", reason="oops")
    assert caught.value.code == "redo/too-late"


def test_redo_is_too_late_once_an_answer_was_given() -> None:
    """The strike took 6 of 12 hit points, and not of the 10 that the ruling would leave."""
    drill = protected_duel()
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", dice=[])
    drill.do("gm", "rule", target="rurik", options={"set": {"hp": 10}, "reason": "a trap"})
    ruling, strike = drill.fight.events[-1].declaration, seq_of(drill, "snig", "strike")
    _, fight = take_back(drill.fight, {ruling})
    fight.answer(Reply(reactor="osric"), dice=[15, 4])
    with pytest.raises(Problem) as refused:
        undo.plan_redo(fight, by="gm", reason="a test")
    assert refused.value.code == "redo/too-late"
    assert refused.value.facts == {"declaration": strike, "correction": fight.course.timeline.taken_back_by(ruling)}
    assert list(check_declarations(fight.events)) == []


def test_undo_twice_redo_twice(drill: Drill) -> None:
    _, once = take_back(drill.fight, undo.last(drill.fight))
    _, twice = take_back(once, undo.last(once))
    again = apply(twice, undo.plan_redo(twice, by="gm", reason="one"))
    assert differences(again.battle, once.battle) == []
    whole = apply(again, undo.plan_redo(again, by="gm", reason="two"))
    assert differences(whole.battle, drill.fight.battle) == []
    with pytest.raises(Problem) as caught:
        undo.plan_redo(whole, by="gm", reason="three")
    assert caught.value.code == "redo/nothing"


def test_undo_while_a_window_waits() -> None:
    drill = protected_duel()
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik")
    assert drill["waiting"] == "osric"
    _, after = take_back(drill.fight, undo.last(drill.fight))
    assert after.battle.window is None
    assert after.battle.combatants["snig"].economy.left("attacks") == 1
    plan, after = take_back(drill.fight, undo.one(drill.fight, 2), Remedies(Impossible.DROP))  # Snig never joined
    assert after.battle.window is None
    assert len(plan.of(PlanVerdict.IMPOSSIBLE)) == 2


def test_a_ruling_made_while_a_window_waited_can_be_undone() -> None:
    drill = protected_duel()
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik")
    drill.do("gm", "rule", target="rurik", options={"set": {"hp": 3}, "reason": "he was hurt"})
    ruling = drill.fight.events[-1].declaration
    drill.react("osric", None, dice=[15, 4])
    assert drill["rurik.hp"] == 0
    plan, after = take_back(drill.fight, undo.one(drill.fight, ruling))
    assert after.battle.combatants["rurik"].vitals["hp"].current == 6  # 12 less 4 and 2
    assert [roll.faces for roll in all_of(plan.new, Rolled)] == [(15,), (4,)]


def test_a_ruling_made_while_a_window_waited_is_kept_in_its_place() -> None:
    drill = Drill()
    drill.join("goblin", "Snig", (3, 1), side="foes")
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("paladin", "Osric", (1, 2))
    drill.start(dice=[20, 10, 5])
    drill.do("gm", "rule", options={"note": "rain", "reason": "weather"})
    weather = drill.fight.events[-1].declaration
    drill.do("snig", "move", to=(2, 1))
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik")
    drill.do("gm", "rule", target="rurik", options={"set": {"hp": 3}, "reason": "he was hurt"})
    drill.react("osric", None, dice=[15, 4])
    plan, after = take_back(drill.fight, undo.one(drill.fight, weather))
    assert {verdict for _, verdict in verdicts(plan)[1:]} == {PlanVerdict.KEPT}
    assert differences(drill.fight.battle, after.battle) == []


def test_a_window_that_was_not_there_before_is_asked_for() -> None:
    drill = protected_duel()
    drill.do("gm", "rule", target="osric", options={"to": [9, 9], "reason": "he ran away"})
    ran = drill.fight.events[-1].declaration
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", dice=[15, 4])
    strike = drill.fight.events[-1].declaration
    with pytest.raises(Problem) as caught:
        take_back(drill.fight, {ran})
    assert caught.value.code == "correction/needs-answer"
    assert caught.value.facts == {"declaration": strike, "who": "osric", "available": ["protection"]}
    replies = {strike: [Reply(reactor="osric", reaction="protection")]}
    with pytest.raises(Problem) as caught:  # the second die of the disadvantage was never rolled
        take_back(drill.fight, {ran}, Remedies(replies=replies))
    assert caught.value.code == "dice/too-few"
    plan, after = take_back(drill.fight, {ran}, Remedies(replies=replies, dice=[2]))
    (roll,) = all_of(plan.new, Rolled)
    assert (roll.faces, roll.kept) == ((15, 2), (2,))
    assert plan.dice_added == 1
    assert after.battle.combatants["rurik"].vitals["hp"].current == 12


@pytest.mark.parametrize(("seq", "code"), [(0, "undo/no-event"), (999, "undo/no-event"), (1, "undo/not-standing")])
def test_what_cannot_be_undone(drill: Drill, seq: int, code: str) -> None:
    with pytest.raises(Problem) as caught:
        undo.one(drill.fight, seq)
    assert caught.value.code == code


def test_nothing_to_undo() -> None:
    with pytest.raises(Problem) as caught:
        undo.last(Drill().fight)
    assert caught.value.code == "undo/nothing"


def test_a_door_that_is_kept_open_as_a_ruling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without his move, Rurik is too far from the door. It stays open, and so does what no function carries over."""
    for _ in range(2):
        drill = Drill(map="......\n....+.\n......")
        drill.join("fighter", "Rurik", (1, 1))
        drill.start(dice=[20])
        drill.do("rurik", "move", to=(3, 1))
        drill.do("rurik", "open_door", to=(4, 1))
        remedies = Remedies(Impossible.KEEP)
        plan, after = take_back(drill.fight, {seq_of(drill, "rurik", "move")}, remedies)
        assert verdicts(plan) == [("move", PlanVerdict.TAKEN_BACK), ("open_door", PlanVerdict.UPHELD)]
        assert after.battle.map is not None
        assert after.battle.map[1] == "..../."
        monkeypatch.delitem(uphold._CARRY_OVER, TerrainChanged, raising=False)


def test_a_roll_after_an_answer_is_kept_without_the_window() -> None:
    """Osric was asked, the GM made a ruling, and a 16 hit. Had Osric been elsewhere, the 16 would have hit as well."""
    drill = protected_duel()
    drill.do("gm", "rule", target="osric", options={"note": "a gust", "reason": "weather"})
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", dice=[])
    drill.do("gm", "rule", options={"note": "rain", "reason": "weather"})
    drill.react("osric", None, dice=[16, 4])
    away = Declaration(
        actor="gm",
        action="core:ruling:rule",
        targets=("osric",),
        options={"to": (9, 9), "reason": "he was elsewhere"},
    )
    first = before(drill.fight, seq_of(drill, "snig", "attack"))
    plan = plan_insert(drill.fight, first, away, by="gm", reason="a test")
    assert plan.dice_added == 0
    fight = apply(drill.fight, plan)
    assert [roll.faces for roll in all_of(standing(fight.events), Rolled)][-2:] == [(16,), (4,)]


def test_a_policy_that_changes_while_a_declaration_waits_for_longer_than_a_correction() -> None:
    """Osric is asked. That he always protects from now on does not answer for him, so the strike waits on record."""
    drill = protected_duel()
    drill.do("snig", "attack")
    drill.do("gm", "note", options={"text": "rain"})
    note = drill.fight.events[-1].declaration
    drill.do("snig", "strike", target="rurik", dice=[])
    drill.do("osric", "policies", options={"policies": {"protection": "always"}})
    _, fight = take_back(drill.fight, {note})
    fight.answer(Reply(reactor="osric"), dice=[15, 4])
    assert list(check_declarations(fight.events)) == []
