"""What every action goes through: being able to act, Focus, payment, boosts, the penalty of later actions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from combatlog.rules.engine.commands import Reply
from combatlog.rules.engine.menu import history_of
from combatlog.testing import Drill, all_of, only
from ledger.errors import Problem
from ledger.events import ChainModified, CheckResolved, Event, ReactionWindowOpened, ResourceChanged, Rolled
from tests.cases import each
from tests.rules.action_points.support import ZERO, attack, changes, duel, next_round, pass_turns, rule

SKILL = {"skill": "athletics", "tv": "easy"}


def use_skill(drill: Drill, dice: tuple[int, ...] = ZERO, **options: object) -> Sequence[Event]:
    return drill.do("ana", "use_skill", options={**SKILL, **options}, dice=dice)


@pytest.mark.parametrize(("pay", "ap", "fat"), [("standard", 3, 15), ("fatigue-free", 2, 16)])
def test_the_payment_is_chosen_with_the_declaration(pay: str, ap: int, fat: int) -> None:
    drill = duel()
    use_skill(drill, pay=pay)
    assert (drill["ana.ap"], drill["ana.ap.spent"], drill["ana.fat"]) == (ap, 4 - ap, fat)


def test_standard_is_the_usual_payment_and_is_no_damage() -> None:
    drill = duel()
    events = use_skill(drill)
    spent = [(e.resource, e.before, e.after, e.spent) for e in all_of(events, ResourceChanged)]
    assert spent == [("ap", 4, 3, 1), ("fat", 16, 15, 0), ("actions_taken", 0, 1, 0)]


def test_the_history_of_the_economy_has_ap_and_fat() -> None:
    drill = duel()
    use_skill(drill)
    use_skill(drill, pay="fatigue-free")
    history = [
        (change.resource, change.before, change.after)
        for change in history_of(drill.battle, drill.fight.events, "ana", ["ap", "fat"])
    ]
    assert history == [("ap", 4, 3), ("fat", 16, 15), ("ap", 3, 1)]


@pytest.mark.parametrize(
    ("have", "options", "code"),
    [
        ({"ap": 0}, {}, "economy/no-ap-left"),
        ({"ap": 1}, {"pay": "fatigue-free"}, "economy/no-ap-left"),
        ({"ap": 1}, {"boost_ap": 1}, "economy/no-ap-left"),
        ({"fat": 4}, {"boost_fat": 4}, "economy/no-fat-left"),
        ({}, {"pay": "later"}, "declaration/invalid-option"),
        ({}, {"boost_ap": -1}, "declaration/invalid-option"),
        ({}, {"bost": 1}, "declaration/unknown-option"),
    ],
)
def test_paying_what_one_does_not_have_is_refused(have: dict[str, int], options: dict[str, object], code: str) -> None:
    drill = duel()
    if have:
        rule(drill, "ana", **have)
    assert drill.refusal("ana", "use_skill", options={**SKILL, **options}, dice=ZERO).code == code


def test_modifiers_are_on_record_before_the_roll() -> None:
    drill = duel()
    events = use_skill(drill, boost_ap=1, boost_fat=2)
    roll = only(events, Rolled)
    assert changes(events, "skill") == {"str": 9, "athletics": 6, "ability_score": -5, "ap": 1, "fat": 2}
    assert all(event.seq < roll.seq for event in all_of(events, ChainModified))
    assert (roll.total, drill["ana.ap"], drill["ana.fat"]) == (13, 2, 13)


def test_every_action_after_the_first_has_minus_one_and_it_does_not_add_up() -> None:
    drill = duel()
    totals = [only(use_skill(drill), Rolled).total for _ in range(3)]
    assert totals == [10, 9, 9]


def test_the_first_action_of_the_next_round_has_no_penalty() -> None:
    drill = duel()
    use_skill(drill)
    next_round(drill)
    assert only(use_skill(drill), Rolled).total == 10


def test_boosting_after_the_roll_is_refused() -> None:
    drill = duel()
    use_skill(drill)
    assert drill.refusal("ana", "boost", options={"boost_ap": 1}).code == "boost/after-roll"


def test_boosting_while_the_defender_is_asked_is_refused() -> None:
    drill = Drill(ruleset="action_points")
    drill.join("duelist", "Ana")
    drill.join("guard", "Gil", side="foes")
    drill.start()
    drill.do("ana", "attack", target="gil", dice=())
    assert drill["waiting"] == "gil"
    assert drill.refusal("ana", "boost", options={"boost_ap": 1}).code == "window/waiting"
    with pytest.raises(Problem) as refused:
        drill.fight.answer(Reply(reactor="ana", reaction="dodge", options={"boost_ap": 1}))
    assert refused.value.code == "reaction/not-asked"


@pytest.mark.parametrize(
    ("action", "options"),
    [("defend", {}), ("use_item", {"item": "vigour draught"})],
)
def test_there_is_nothing_to_boost_without_a_roll(action: str, options: dict[str, object]) -> None:
    assert duel().refusal("ana", action, options={**options, "boost_ap": 1}).code == "declaration/unknown-option"


# Low FAT and VIT


@pytest.mark.parametrize(
    ("low", "tv"),
    [({"fat": 3}, 5), ({"fat": 2}, 7), ({"fat": 1}, 12), ({"vit": 3}, 7), ({"vit": 2}, 12), ({"fat": 3, "vit": 3}, 7)],
)
def test_the_low_need_focus_to_act(low: dict[str, int], tv: int) -> None:
    drill = duel()
    rule(drill, "ana", **low)
    events = use_skill(drill, (1, 0, 0, 0, *ZERO))  # focus 11 + 1
    focus = all_of(events, CheckResolved)[0]
    assert (focus.check, focus.total, focus.against, focus.success) == ("focus", 12, tv, True)


def test_a_failed_focus_check_costs_nothing_and_nothing_happens() -> None:
    drill = duel()
    rule(drill, "ana", fat=1)
    events = use_skill(drill, ZERO)  # 11 against 12
    assert only(events, CheckResolved).success is False
    assert (drill["ana.ap"], drill["ana.fat"], drill["ana.actions_taken"]) == (4, 1, 0)
    assert all_of(events, ResourceChanged) == []


def test_the_next_action_after_a_failed_focus_check_is_still_the_first() -> None:
    drill = duel()
    rule(drill, "ana", vit=2)
    use_skill(drill, ZERO)
    next_round(drill)
    assert all_of(use_skill(drill, (1, 0, 0, 0, *ZERO)), Rolled)[1].total == 10


@each(
    ("values", "code"),
    [({"fat": 0}, "state/exhausted"), ({"vit": 1}, "state/incapacitated"), ({"vit": 0}, "state/dead")],
)
@each(
    ("action", "more"),
    [
        ("use_skill", {"options": SKILL}),
        ("attack", {"target": "bor"}),
        ("defend", {}),
        ("rest", {"options": {"ap": 1}}),
        ("step", {"to": (5, 6)}),
        ("full_sprint", {"to": (5, 9)}),
    ],
)
def test_those_who_cannot_act_are_refused(values: dict[str, int], code: str, action: str, more: dict) -> None:
    drill = duel()
    rule(drill, "ana", **values)
    assert drill.refusal("ana", action, **more).code == code


def test_paying_with_the_last_fat_costs_two_vit_at_once_and_the_action_goes_on() -> None:
    drill = duel()
    rule(drill, "ana", fat=1)
    events = use_skill(drill, (1, 0, 0, 0, *ZERO))
    assert (drill["ana.fat"], drill["ana.vit"], drill["ana.ap"]) == (0, 11, 3)
    assert [event.check for event in all_of(events, CheckResolved)] == ["focus", "athletics"]


def test_whoever_dies_of_paying_does_not_act() -> None:
    drill = duel()
    rule(drill, "ana", fat=1, vit=2)
    events = use_skill(drill, (1, 0, 0, 0))
    assert [event.check for event in all_of(events, CheckResolved)] == ["focus"]
    assert (drill["ana.vit"], drill["ana.conditions"]) == (0, ["dead"])
    pass_turns(drill)
    assert drill["turn"] == "bor"


def test_the_dead_have_no_turns() -> None:
    drill = duel()
    rule(drill, "bor", vit=0)
    pass_turns(drill)
    assert (drill["round"], drill["turn"], drill["order"]) == (2, "ana", ["ana"])


def test_nobody_acts_out_of_turn() -> None:
    drill = duel()
    assert drill.refusal("bor", "use_skill", options=SKILL).code == "turn/other"


def test_nobody_acts_before_the_start() -> None:
    drill = Drill(ruleset="action_points")
    drill.join("duelist", "Ana")
    assert drill.refusal("ana", "use_skill", options=SKILL).code == "turn/not-started"


# Rest


def test_the_rest_of_the_example() -> None:
    """4 available, rest 2: 2 queued, 2 locked, no other action, and back at the end of the round."""
    drill = duel()
    drill.do("ana", "rest", options={"ap": 2})
    assert drill["ana.pending_fat_healing"] == 2
    assert (drill["ana.ap"], drill["ana.ap.spent"], drill["ana.ap.locked"]) == (0, 2, 2)
    for action, more in (("attack", {"target": "bor"}), ("rest", {"options": {"ap": 1}}), ("step", {"to": (5, 6)})):
        assert drill.refusal("ana", action, **more).code == "rest/resting"
    next_round(drill)
    assert (drill["ana.ap"], drill["ana.ap.spent"], drill["ana.ap.locked"]) == (4, 0, 0)
    assert drill["ana.conditions"] == []


def test_locked_ap_return_beside_the_recovery() -> None:
    drill = duel()
    rule(drill, "ana", ap=3, fat=4)
    drill.do("ana", "rest", options={"ap": 2})
    next_round(drill)  # FAT 4 + 2 of the 3 that are pending = 6: recovers 1, and the locked one returns
    assert (drill["ana.fat"], drill["ana.pending_fat_healing"], drill["ana.ap"]) == (6, 1, 2)


def test_resting_leaves_only_the_passive_defence() -> None:
    drill = duel()
    drill.do("ana", "rest", options={"ap": 1})
    pass_turns(drill)
    events = attack(drill, (0, 0, 0, -1), by="bor", at="ana")
    assert all_of(events, ReactionWindowOpened) == []
    assert only(events, CheckResolved).against == 13


@pytest.mark.parametrize(
    ("options", "code"),
    [({}, "declaration/missing-option"), ({"ap": 0}, "declaration/invalid-option"), ({"ap": 5}, "economy/no-ap-left")],
)
def test_rest_takes_a_number_of_ap_that_there_are(options: dict[str, int], code: str) -> None:
    assert duel().refusal("ana", "rest", options=options).code == code


def test_rest_is_instead_of_other_actions() -> None:
    drill = duel()
    use_skill(drill)
    assert drill.refusal("ana", "rest", options={"ap": 1}).code == "rest/already-acted"


def test_the_low_need_focus_to_rest() -> None:
    drill = duel()
    rule(drill, "ana", fat=1)
    drill.do("ana", "rest", options={"ap": 1}, dice=ZERO)
    assert (drill["ana.ap"], drill["ana.ap.locked"], drill["ana.pending_fat_healing"]) == (4, 0, 0)
