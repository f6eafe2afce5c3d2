"""The menu says what would be refused, and the advice which payment fits."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.action_points import RULESET
from combatlog.rules.action_points.menu_and_summary import ap_are_low, fat_is_low
from combatlog.rules.engine.ruleset_types import Advice, Choice
from combatlog.testing import Drill
from ledger.errors import Problem
from tests.rules.action_points.support import ZERO, duel, pass_turns, rule

DECLARED: dict[str, dict[str, Any]] = {
    "aim": {"target": "bor"},
    "attack": {"target": "bor", "dice": (*ZERO, 1, 1)},
    "cast": {"options": {"spell": "mend"}},
    "defend": {},
    "delay": {},
    "disarm": {"target": "bor", "dice": ZERO},
    "knockback": {"target": "bor", "dice": ZERO},
    "step": {"to": (5, 6)},
    "move": {"to": (5, 6)},
    "full_sprint": {"to": (5, 6)},
    "rearm": {},
    "rest": {"options": {"ap": 1}},
    "use_item": {"options": {"item": "vigour draught"}},
    "use_skill": {"options": {"skill": "athletics", "tv": 4}, "dice": ZERO},
}


def menu(drill: Drill, who: str, title: str) -> dict[str, Choice]:
    battle = drill.fight.battle
    sections = {section.title: section for section in RULESET.menu(battle, battle.combatants[who])}
    return {choice.name: choice for choice in sections[title].choices} if title in sections else {}


def spent(drill: Drill) -> None:
    rule(drill, "ana", ap=0)


def exhausted(drill: Drill) -> None:
    rule(drill, "ana", fat=0)


def rested(drill: Drill) -> None:
    drill.do("ana", "rest", options={"ap": 1})


def acted(drill: Drill) -> None:
    drill.do("ana", "defend")


def waiting_for_its_turn(drill: Drill) -> None:
    pass_turns(drill)


@pytest.mark.parametrize("after", [None, spent, exhausted, rested, acted, waiting_for_its_turn])
def test_the_menu_and_the_refusals_say_the_same(after: Any) -> None:
    """Whatever the menu gives a reason against is refused when declared, and everything else is not."""
    shown = {}
    for action, said in DECLARED.items():
        drill = duel()
        if after:
            after(drill)
        shown = menu(drill, "ana", "Actions")
        if shown[action].why_not is None:
            drill.do("ana", action, **said)
        else:
            drill.refusal("ana", action, **{**said, "dice": ()})
    assert set(shown) == set(DECLARED)


def test_costs_and_reasons() -> None:
    drill = duel()
    actions = menu(drill, "ana", "Actions")
    assert (actions["attack"].cost, actions["attack"].why_not) == ("1 AP + 1 FAT or 2 AP", None)
    assert (actions["step"].cost, actions["rest"].cost) == ("free", "any number of AP")
    assert actions["cast"].why_not == _refused(drill, "cast", options={"spell": "mend"})
    assert "boost" not in actions
    rule(drill, "ana", ap=0)
    assert menu(drill, "ana", "Actions")["attack"].why_not == _refused(drill, "attack", target="bor")


def _refused(drill: Drill, action: str, **said: Any) -> str:
    """The sentence with which ana is refused an action."""
    with pytest.raises(Problem) as refused:
        drill.do("ana", action, **said)
    return refused.value.sentence


def test_an_attack_says_what_it_would_roll_and_against_whom() -> None:
    """Ana has swords 15. The second action of a round is harder, which the menu knows before it is declared."""
    drill = duel()
    first = menu(drill, "ana", "Actions")["attack"].effects[0]
    assert (first.to_hit, [one.who for one in first.in_reach or ()]) == ("4dF+ +15", ["bor"])
    drill.do("ana", "defend")
    assert menu(drill, "ana", "Actions")["attack"].effects[0].to_hit == "4dF+ +14"


def test_answers_to_an_attack() -> None:
    drill = duel()
    answers = menu(drill, "bor", "Reactions to an attack")
    assert list(answers) == ["parry", "dodge", "shield_block", "passive"]
    assert [name for name, choice in answers.items() if choice.why_not is None] == ["parry", "dodge", "passive"]


def test_spells_and_items() -> None:
    drill = Drill(ruleset="action_points")
    drill.join("hedge_mage", "Mia")
    assert list(menu(drill, "mia", "Spells")) == ["firebolt", "mend", "bless", "hamper"]
    assert menu(drill, "mia", "Items")["healing salve"].note == "2 left"
    assert menu(drill, "mia", "Spells")["mend"].why_not  # nobody's turn yet
    drill.start()
    assert menu(drill, "mia", "Spells")["mend"].why_not is None
    rule(drill, "mia", **{"healing salve": 0})
    assert "healing salve" in (menu(drill, "mia", "Items")["healing salve"].why_not or "")
    assert menu(duel(), "bor", "Spells") == {}


# Advice


@pytest.mark.parametrize(("fat", "low"), [(5, False), (4, True), (3, True), (16, False)])
def test_fat_is_low_when_the_standard_payment_leads_to_focus_checks(fat: int, low: bool) -> None:
    assert fat_is_low(fat) is low


@pytest.mark.parametrize(("ap", "low"), [(0, True), (1, True), (2, False), (12, False)])
def test_ap_are_low_when_they_do_not_pay_for_a_fatigue_free_action(ap: int, low: bool) -> None:
    assert ap_are_low(ap) is low


def payments(drill: Drill) -> list[Advice]:
    """The advice about ana's payments, which follows the ranking of what she can do."""
    battle = drill.fight.battle
    return [one for one in RULESET.advise(battle, battle.combatants["ana"]) if one.score is None]


@pytest.mark.parametrize(
    ("fat", "ap", "recommended"),
    [(16, 1, "standard"), (4, 4, "fatigue-free"), (4, 1, "rest"), (16, 4, "standard")],
)
def test_the_table_of_situations(fat: int, ap: int, recommended: str) -> None:
    drill = duel()
    rule(drill, "ana", fat=fat, ap=ap)
    advice = payments(drill)
    assert [one.choice for one in advice] == ["standard", "fatigue-free", "rest"]
    assert [one.choice for one in advice if one.recommended] == [recommended]


def test_advice_shows_what_each_payment_would_leave() -> None:
    drill = duel()
    leaves = {one.choice: one.leaves for one in payments(drill)}
    assert leaves == {
        "standard": {"ap": 3, "fat": 15},
        "fatigue-free": {"ap": 2, "fat": 16},
        "rest": {"ap": 0, "fat": 16, "pending_fat_healing": 4},
    }


def test_what_cannot_be_chosen_is_not_recommended_and_says_why() -> None:
    drill = duel()
    rule(drill, "ana", fat=16, ap=1)
    free = payments(drill)[1]
    assert (free.recommended, free.leaves) == (False, {})
    assert free.why == _refused(drill, "attack", target="bor", options={"pay": "fatigue-free"})


def test_advice_is_there_for_a_dodge_out_of_turn() -> None:
    drill = duel()
    battle = drill.fight.battle
    advice = RULESET.advise(battle, battle.combatants["bor"])
    assert [one.leaves for one in advice if one.recommended] == [{"ap": 1, "fat": 13}]


def test_advice_does_not_change_the_fight() -> None:
    drill = duel()
    before = len(drill.fight.events)
    RULESET.advise(drill.fight.battle, drill.fight.battle.combatants["bor"])
    assert len(drill.fight.events) == before
