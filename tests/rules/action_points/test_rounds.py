"""The end of a round in the order of the rules, and initiative by available AP each round anew."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of, only
from ledger.events import (
    AttackResolved,
    Damaged,
    Event,
    Healed,
    InitiativeSet,
    ResourceChanged,
    RoundEnded,
    RoundStarted,
)
from tests.rules.action_points.support import ZERO, attack, duel, next_round, pass_turns, rule


def of(events: Sequence[Event], who: str) -> list[Event]:
    return [event for event in events if who in (getattr(event, "owner", None), getattr(event, "target", None))]


def in_words(event: Event) -> str:
    if isinstance(event, ResourceChanged):
        return f"{event.resource} {event.before}>{event.after} spent {event.spent} locked {event.locked}"
    if isinstance(event, Damaged):
        return f"{event.pool} -{event.amount} = {event.left}"
    if isinstance(event, Healed):
        return f"{event.pool} +{event.amount} = {event.left}"
    return event.kind


def give(drill: Drill, who: str, condition: str) -> None:
    drill.do("gm", "rule", target=who, options={"add": [condition], "reason": "the test says so"})


def test_the_steps_of_a_rounds_end_come_in_order() -> None:
    """Effects and wounds, baseline recovery, pending pools, AP recovery, locked AP, spent to 0, cap."""
    drill = duel()
    next_round(drill)  # round 2: wounds cost
    give(drill, "ana", "poisoned")
    give(drill, "ana", "wounded")
    rule(drill, "ana", fat=13, pending_vit_damage=3)
    drill.do("ana", "rest", options={"ap": 1})
    assert [in_words(event) for event in of(next_round(drill), "ana")] == [
        "pending_fat_damage 0>1 spent 0 locked 0",  # the poison
        "fat -1 = 12",  # the wound
        "condition_removed",  # resting is over
        "pending_fat_healing 1>2 spent 0 locked 0",  # baseline recovery, beside the 1 of resting
        "pending_fat_damage 1>0 spent 0 locked 0",
        "fat -1 = 11",
        "pending_vit_damage 3>1 spent 0 locked 0",
        "vit -2 = 11",
        "pending_fat_healing 2>1 spent 0 locked 0",
        "fat +1 = 12",
        "ap 0>3 spent 1 locked 3",  # FAT 12 / 4
        "ap 3>6 spent 1 locked 0",
        "ap 6>6 spent 0 locked 0",
        "ap 6>4 spent 0 locked 0",
        "actions_taken 1>0 spent 0 locked 0",
    ]


def test_everything_at_a_rounds_end_is_caused_by_it() -> None:
    drill = duel()
    events = pass_turns(drill, 2)
    ended = only(events, RoundEnded)
    assert all_of(events, ResourceChanged)
    assert {event.cause for event in all_of(events, ResourceChanged)} == {ended.seq}
    assert {event.round for event in all_of(events, ResourceChanged)} == {1}


@pytest.mark.parametrize(
    ("fat", "fat_after", "ap_after"),
    [(15, 16, 4), (7, 8, 2), (2, 3, 1), (0, 1, 1), (16, 16, 4)],
)
def test_recovery_is_by_fat_after_the_pools_are_applied(fat: int, fat_after: int, ap_after: int) -> None:
    drill = duel()
    rule(drill, "ana", fat=fat, ap=0)
    next_round(drill)
    assert (drill["ana.fat"], drill["ana.ap"]) == (fat_after, ap_after)


def test_available_ap_never_exceed_the_maximum() -> None:
    drill = duel()
    next_round(drill)
    assert (drill["ana.ap"], drill["bor.ap"]) == (4, 2)


def test_pending_damage_is_felt_half_by_half() -> None:
    drill = duel()
    rule(drill, "bor", pending_vit_damage=7)
    seen = []
    for _ in range(4):
        next_round(drill)
        seen.append((drill["bor.vit"], drill["bor.pending_vit_damage"]))
    assert seen == [(15, 3), (13, 1), (12, 0), (12, 0)]


def test_healing_above_the_maximum_is_lost() -> None:
    drill = duel()
    rule(drill, "bor", vit=18, pending_vit_healing=8)
    next_round(drill)
    assert (drill["bor.vit"], drill["bor.pending_vit_healing"]) == (19, 4)


def test_fat_overflow_goes_to_vit_and_reaching_zero_costs_two_more() -> None:
    drill = duel()
    rule(drill, "bor", fat=3, pending_fat_damage=12)
    next_round(drill)  # 6 applied: 3 from FAT, 3 over, 2 for exhaustion; then 1 FAT is recovered
    assert (drill["bor.fat"], drill["bor.vit"]) == (1, 14)


def test_zero_fat_hurts_once() -> None:
    drill = duel()
    rule(drill, "bor", fat=0, pending_fat_damage=2)
    next_round(drill)
    assert (drill["bor.fat"], drill["bor.vit"]) == (1, 18)


def test_a_wound_costs_fat_at_the_end_of_every_second_round() -> None:
    drill = duel()
    rule(drill, "bor", fat=10)
    give(drill, "bor", "wounded")
    seen = []
    for _ in range(4):
        next_round(drill)
        seen.append(drill["bor.fat"])
    assert seen == [11, 11, 12, 12]  # +1 each round, -1 in rounds 2 and 4


def test_a_wound_hinders_from_the_moment_it_is_there() -> None:
    drill = duel()
    attack(drill, (*ZERO, 3, 4))
    pass_turns(drill)
    events = attack(drill, ZERO, by="bor", at="ana")  # 13 - 2 against 13
    assert only(events, AttackResolved).total == 11


def test_death_ends_what_the_round_does_to_somebody() -> None:
    drill = duel()
    rule(drill, "bor", vit=2, fat=1, pending_vit_damage=4, ap=0, pending_fat_healing=3)
    events = of(next_round(drill), "bor")
    assert drill["bor.conditions"] == ["dead"]
    assert (drill["bor.ap"], drill["bor.fat"]) == (0, 1)
    assert [event for event in events if isinstance(event, Healed)] == []


def test_the_last_one_dead_leaves_nobodys_turn() -> None:
    drill = duel()
    rule(drill, "bor", vit=0)
    rule(drill, "ana", pending_vit_damage=40)
    next_round(drill)
    assert drill["turn"] is None
    assert drill.refusal("gm", "end-turn").code == "turn/none"


# Initiative


def test_the_most_ap_act_first_and_each_round_anew() -> None:
    drill = duel()
    assert drill["order"] == ["ana", "bor"]
    rule(drill, "ana", ap=0, fat=4)
    events = next_round(drill)
    (order,) = all_of(events, InitiativeSet)
    assert [(entry.combatant, entry.value) for entry in order.order] == [("bor", 2), ("ana", 1)]
    assert only(events, RoundStarted).number == 2
    assert drill["turn"] == "bor"


def test_among_equals_the_more_aware_acts_first_and_then_the_first_to_join() -> None:
    drill = Drill(ruleset="action_points")
    drill.join("guard", "Gil")
    drill.join("guard", "Gus")
    drill.join("archer", "Ada", side="foes")
    drill.start()
    assert drill["order"] == ["ada", "gil", "gus"]  # awareness 7, 4 and 4


def test_a_latecomer_acts_last_in_the_round_and_has_its_place_in_the_next() -> None:
    drill = duel()
    drill.join("guard", "Gil")
    drill.join("duelist", "Cat")
    pass_turns(drill, 2)
    assert drill["turn"] == "gil"
    pass_turns(drill)
    assert drill["turn"] == "cat"
    pass_turns(drill)
    assert drill["order"] == ["ana", "cat", "gil", "bor"]


def test_those_who_cannot_act_have_their_turn_all_the_same() -> None:
    drill = duel()
    rule(drill, "bor", fat=0)
    pass_turns(drill)
    assert drill["turn"] == "bor"


def test_a_turn_can_be_delayed_until_after_a_latecomer() -> None:
    """Cai and Dov join after the round began, so they act last in it, Cai first."""
    drill = duel()
    for name, place in (("Cai", (7, 5)), ("Dov", (8, 5))):
        drill.join("brigand", name, place, side="foes")
    drill.do("ana", "delay", target="cai")
    assert drill["order"] == ["bor", "cai", "ana"]
    pass_turns(drill, 1)
    drill.do("cai", "delay")
    assert (drill["turn"], drill["order"]) == ("ana", ["bor", "ana", "dov", "cai"])
    pass_turns(drill, 2)
    assert (drill["round"], drill["turn"]) == (1, "cai")
    assert list(check_declarations(drill.fight.events)) == []
