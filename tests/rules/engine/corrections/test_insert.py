"""Insert: what was forgotten is declared where it belongs, and what came later is resolved again."""

from __future__ import annotations

import pytest

from combatlog import Insert, Redo, Undo
from combatlog.rules.engine.corrections.plan import Plan, PlanVerdict
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of, only
from ledger.errors import Problem
from ledger.events import Declared, Inserted, Rolled, Run
from projections.battle.journal import copy_of
from projections.battle.timeline import standing
from projections.review.difference import differences
from projections.views.state import battle_state
from tests.support import protected_duel


@pytest.fixture
def drill() -> Drill:
    """Rurik (armour class 16) ends his turn, Snig (+4 to hit) strikes him with a 12 for 4 + 2, and round 2 begins."""
    drill = Drill()
    drill.join("fighter", "Rurik", (3, 2))
    drill.join("goblin", "Snig", (4, 2), side="foes")
    drill.start(dice=[17, 6])
    drill.end_turn("rurik")
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", dice=[12, 4])
    drill.end_turn("snig")
    return drill


def seq_of(drill: Drill, actor: str, action: str) -> int:
    found = [e.seq for e in all_of(drill.fight.events, Declared) if e.actor == actor and e.action.endswith(action)]
    return found[-1]


def verdicts(plan: Plan) -> list[tuple[str, PlanVerdict]]:
    return [(entry.declared.action.rsplit(":", 1)[1], entry.verdict) for entry in plan.entries]


def applied(drill: Drill, plan: Plan) -> Drill:
    drill.apply(plan)
    assert battle_state(drill.battle) == battle_state(plan.after)
    assert list(check_declarations(drill.fight.events)) == []
    return drill


def test_a_forgotten_dodge_makes_the_strike_miss(drill: Drill) -> None:
    """With disadvantage, 12 and 3 keep the 3: 3 + 4 is 7 against 16, and Rurik keeps his 12 hit points."""
    plan = drill.plan(Insert("rurik", "dodge", before=seq_of(drill, "rurik", "end-turn"), dice=[3]))
    assert verdicts(plan) == [
        ("dodge", PlanVerdict.INSERTED),
        ("end-turn", PlanVerdict.KEPT),
        ("attack", PlanVerdict.KEPT),
        ("strike", PlanVerdict.CHANGED),
        ("end-turn", PlanVerdict.CHANGED),  # his dodging ends when his turn begins
    ]
    assert plan.dice_added == 1
    assert drill["rurik.hp"] == 6
    applied(drill, plan)
    assert drill["rurik.hp"] == 12
    assert all_of(standing(drill.fight.events), Rolled)[-1].faces == (12, 3)


def test_it_stands_where_it_belongs(drill: Drill) -> None:
    end = seq_of(drill, "rurik", "end-turn")
    last = len(drill.fight.events)
    plan = drill.plan(Insert("gm", "rule", before=end, targets="snig", options={"set": {"hp": 3}, "reason": "a trap"}))
    inserted = only(plan.new, Inserted)
    # declared, ruled and damaged come right after what came before the end of the turn
    assert (inserted.after, inserted.retracts) == (end - 1, ())
    assert inserted.places == (Run(first=last + 2, last=last + 4, after=end - 1),)
    order = [event.seq for event in standing(applied(drill, plan).fight.events)]
    assert order.index(end) == order.index(last + 4) + 1


@pytest.mark.parametrize("seq", range(2, 6))
def test_after_an_event_is_after_its_declaration(drill: Drill, seq: int) -> None:
    """Events 2 and 3 are the join of Rurik, 4 and 5 that of Snig."""
    plan = drill.plan(Insert("gm", "label", after=seq, options={"add": ["x"]}))
    assert only(plan.new, Inserted).after == (3 if seq < 4 else 5)


def test_after_the_opening_is_before_everything(drill: Drill) -> None:
    plan = drill.plan(Insert("gm", "label", after=1, options={"add": ["x"]}))
    assert verdicts(plan)[:2] == [("label", PlanVerdict.INSERTED), ("join", PlanVerdict.KEPT)]


def test_after_everything_it_is_a_declaration_like_any_other(drill: Drill) -> None:
    plan = drill.plan(Insert("rurik", "dodge", after=len(drill.fight.events)))
    assert verdicts(plan) == [("dodge", PlanVerdict.INSERTED)]
    assert applied(drill, plan)["rurik.conditions"] == ["dodging"]


def test_redo_and_undo_of_it_restore_the_fight(drill: Drill) -> None:
    before = copy_of(drill.battle)
    end = seq_of(drill, "rurik", "end-turn")
    ruling = {"set": {"hp": 3}, "reason": "a trap"}
    applied(drill, drill.plan(Insert("gm", "rule", before=end, targets="snig", options=ruling)))
    applied(drill, drill.plan(Redo()))
    assert differences(before, drill.battle) == []
    applied(drill, drill.plan(Insert("gm", "rule", before=end, targets="snig", options=ruling)))
    assert drill["snig.hp"] == 3
    applied(drill, drill.plan(Undo(seq_of(drill, "gm", "rule"))))
    assert differences(before, drill.battle) == []


def test_what_is_not_legal_there_is_refused(drill: Drill) -> None:
    with pytest.raises(Problem, match="It is Rurik's turn, not Snig's") as refused:
        drill.plan(Insert("snig", "dodge", before=seq_of(drill, "rurik", "end-turn")))
    assert refused.value.code == "turn/other"


def test_a_turn_that_ended_earlier(drill: Drill) -> None:
    """Snig's turn ended before he attacked, so neither that nor its end can be declared any more."""
    attack = seq_of(drill, "snig", "attack")
    plan = drill.plan(Insert("snig", "end-turn", before=attack, impossible="drop"))
    assert verdicts(plan) == [
        ("end-turn", PlanVerdict.INSERTED),
        ("attack", PlanVerdict.IMPOSSIBLE),
        ("strike", PlanVerdict.IMPOSSIBLE),
        ("end-turn", PlanVerdict.IMPOSSIBLE),
    ]
    assert applied(drill, plan)["turn"] == "rurik"
    assert (drill["round"], drill["rurik.hp"]) == (2, 12)


def test_somebody_who_was_there_from_the_start(drill: Drill) -> None:
    """Grub joins before the start, so that the start rolls initiative for him: 10 + 2, after Rurik's 17 + 1."""
    start = seq_of(drill, "gm", "start")
    goblin = {"sheet": drill.ruleset.sheet("goblin"), "name": "Grub", "side": "foes", "position": (5, 2)}
    plan = drill.plan(Insert("gm", "join", before=start, options=goblin, dice=[10], impossible="drop"))
    assert applied(drill, plan)["order"] == ["rurik", "grub", "snig"]
    assert [e.declared.actor for e in plan.of(PlanVerdict.NEW_TURN)] == ["gm"]  # Grub's turn, which had not taken place
    assert drill["rurik.hp"] == 6


def test_a_turn_that_takes_place_now_ends_only_with_an_answer() -> None:
    """Grub's new turn comes between Rurik's and Ulf's. Ulf has a legendary action after every turn of another."""
    drill = Drill()
    drill.join("fighter", "Rurik", (3, 2))
    legend = {"legendary_actions": 3, "legendary": ["scimitar"]}
    drill.join("goblin", "Ulf", (4, 2), side="foes", overrides=legend, reactions={"*": "ask"})
    drill.start(dice=[17, 6])
    drill.end_turn("rurik")
    drill.react("ulf", None)
    drill.do("ulf", "dodge")
    goblin = {"sheet": drill.ruleset.sheet("goblin"), "name": "Grub", "side": "foes", "position": (5, 2)}
    asked = {"before": seq_of(drill, "gm", "start"), "options": goblin, "dice": [10]}
    with pytest.raises(Problem) as refused:
        drill.plan(Insert("gm", "join", **asked))
    assert refused.value.code == "correction/needs-answer"
    new_turn = refused.value.facts["declaration"]
    assert refused.value.facts == {"declaration": new_turn, "who": "ulf", "available": ["legendary_action"]}
    plan = drill.plan(Insert("gm", "join", **asked, later_replies={new_turn: {"ulf": None}}))
    assert applied(drill, plan)["order"] == ["rurik", "grub", "ulf"]
    assert drill["turn"] == "ulf"


def test_those_who_join_later_keep_their_names(drill: Drill) -> None:
    drill.join("goblin", None, (6, 2), side="foes", initiative=1)
    goblin = {"sheet": drill.ruleset.sheet("goblin"), "side": "foes", "position": (7, 2)}
    plan = drill.plan(Insert("gm", "join", before=seq_of(drill, "gm", "start"), options=goblin, dice=[1]))
    assert "goblin-2" in applied(drill, plan).battle.combatants
    assert drill["goblin.position"] == (6, 2)


def test_answers_to_what_is_inserted() -> None:
    """Snig could have struck Rurik; Osric would have been asked. 15 + 4 hits 16 unless the 2 counts."""
    drill = protected_duel()
    drill.do("snig", "attack")
    attack = drill.fight.events[-1].declaration
    drill.end_turn("snig")
    asked = {"target": "rurik", "after": attack}
    with pytest.raises(Problem) as refused:
        drill.plan(Insert("snig", "strike", **asked, dice=[15, 4]))
    assert refused.value.code == "correction/needs-answer"
    plan = drill.plan(Insert("snig", "strike", **asked, dice=[15, 2], replies={"osric": "protection"}))
    assert applied(drill, plan)["rurik.hp"] == 12
    assert drill["osric.reaction"] == 0


def test_nothing_is_inserted_where_a_declaration_waited() -> None:
    drill = protected_duel()
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik")
    strike = drill.fight.events[-1].declaration
    drill.rule(note="it is dark", reason="night")
    ruling = drill.fight.events[-1].declaration
    drill.react("osric", None, dice=[15, 4])
    with pytest.raises(Problem) as refused:
        drill.plan(Insert("gm", "rule", before=ruling, options={"note": "x", "reason": "x"}))
    assert (refused.value.code, refused.value.facts["waiting"]) == ("insert/while-waiting", strike)
    plan = drill.plan(Insert("gm", "rule", after=ruling, options={"note": "x", "reason": "x"}))
    assert applied(drill, plan)["rurik.hp"] == 6


@pytest.mark.parametrize(
    ("where", "code"),
    [({}, "insert/where"), ({"before": 9, "after": 9}, "insert/where"), ({"before": 9000}, "undo/no-event")],
)
def test_the_point_has_to_be_named(drill: Drill, where: dict[str, int], code: str) -> None:
    with pytest.raises(Problem) as refused:
        drill.plan(Insert("rurik", "dodge", **where))
    assert refused.value.code == code


def test_a_repeated_command_does_nothing(drill: Drill) -> None:
    from uuid import uuid4

    command = uuid4()
    forgotten = Insert("rurik", "dodge", after=len(drill.fight.events))
    drill.apply(drill.plan(forgotten, command_id=command))
    again = drill.plan(forgotten, command_id=command)
    assert again.repeated
    assert drill.apply(again).events == ()
