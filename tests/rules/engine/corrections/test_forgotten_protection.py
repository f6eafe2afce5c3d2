"""A fight of three rounds where the GM forgot Protection in round 1, put right two rounds later."""

from __future__ import annotations

from combatlog.rules.engine.commands import Reply
from combatlog.rules.engine.corrections.amend import Amendment, plan_amend
from combatlog.rules.engine.corrections.plan import PlanVerdict
from combatlog.rules.engine.corrections.rebase import Remedies
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of
from ledger.events import Declared, Rolled
from projections.battle.timeline import standing


def forgotten_protection() -> tuple[Drill, int]:
    """Order: Snig, Rurik, Osric, Grub. Osric was not asked when Snig struck Rurik down."""
    drill = Drill()
    drill.join("goblin", "Snig", (2, 1), side="foes", overrides={"hp": 30})
    drill.join("fighter", "Rurik", (1, 1), controller="player", overrides={"hp": 6, "nature": "monster"})
    drill.join("paladin", "Osric", (1, 2))
    drill.join("goblin", "Grub", (2, 2), side="foes", overrides={"hp": 30})
    drill.start(dice=[20, 15, 12, 5])
    # Round 1: Snig hits Rurik with 15 + 4 = 19 against 16 for 4 + 2: he drops.
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", dice=[15, 4], replies={"osric": None})
    strike = drill.fight.events[-1].declaration
    assert drill["rurik.conditions"] == ["dead"]  # a character would lie dying, and have its turns
    drill.next_turn()
    assert drill["turn"] == "osric"  # Rurik's turn is skipped
    # Osric hits Snig: 11 + 5 = 16 against 15, 6 + 3 damage.
    drill.do("osric", "attack")
    drill.do("osric", "strike", target="snig", dice=[11, 6])
    drill.next_turn()
    # Grub misses Osric: 7 + 4 against 18.
    drill.do("grub", "attack")
    drill.do("grub", "strike", target="osric", dice=[7])
    drill.next_turn()
    # Round 2: Snig misses Osric; Osric hits Snig again; Grub dodges.
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="osric", dice=[2])
    drill.next_turn()
    drill.do("osric", "attack")
    drill.do("osric", "strike", target="snig", dice=[19, 3])
    drill.next_turn()
    drill.do("grub", "dodge")
    drill.next_turn()
    # Round 3: Snig has begun his turn.
    drill.do("snig", "dodge")
    assert drill["round"] == 3
    return drill, strike


def test_the_hit_becomes_a_miss_and_the_rest_keeps_its_dice() -> None:
    drill, strike = forgotten_protection()
    amendment = Amendment(replies=(Reply(reactor="osric", reaction="protection"),))
    plan = plan_amend(
        drill.fight, strike, amendment, by="gm", reason="Protection was forgotten", remedies=Remedies(dice=[8])
    )
    said = [(entry.declared.actor, entry.declared.action.rsplit(":", 1)[1], entry.verdict) for entry in plan.entries]
    assert said == [
        ("snig", "strike", PlanVerdict.AMENDED),
        ("snig", "end-turn", PlanVerdict.CHANGED),  # Rurik is up, so his turn begins
        ("gm", "end-turn", PlanVerdict.NEW_TURN),
        ("osric", "attack", PlanVerdict.KEPT),
        ("osric", "strike", PlanVerdict.KEPT),
        ("osric", "end-turn", PlanVerdict.KEPT),
        ("grub", "attack", PlanVerdict.KEPT),
        ("grub", "strike", PlanVerdict.KEPT),
        ("grub", "end-turn", PlanVerdict.KEPT),
        ("snig", "attack", PlanVerdict.KEPT),
        ("snig", "strike", PlanVerdict.KEPT),
        ("snig", "end-turn", PlanVerdict.CHANGED),
        ("gm", "end-turn", PlanVerdict.NEW_TURN),
        ("osric", "attack", PlanVerdict.KEPT),
        ("osric", "strike", PlanVerdict.KEPT),
        ("osric", "end-turn", PlanVerdict.KEPT),
        ("grub", "dodge", PlanVerdict.KEPT),
        ("grub", "end-turn", PlanVerdict.KEPT),
        ("snig", "dodge", PlanVerdict.KEPT),
    ]
    inserted = plan.of(PlanVerdict.NEW_TURN)
    assert all("rurik's turn was skipped before" in (entry.why or "") for entry in inserted)

    after = plan.after
    assert after.combatants["rurik"].vitals["hp"].current == 6
    assert after.combatants["rurik"].conditions == {}
    assert after.combatants["snig"].vitals["hp"].current == 30 - 9 - 6
    assert (after.clock.round, after.clock.turn) == (3, "snig")

    assert [roll.faces for roll in all_of(plan.new, Rolled)] == [(15, 8)]
    now = standing([*drill.fight.events, *plan.new])
    assert [roll.faces for roll in all_of(now, Rolled)][-7:] == [(15, 8), (11,), (6,), (7,), (2,), (19,), (3,)]
    assert all(entry.replaced_by == entry.declared.seq for entry in plan.of(PlanVerdict.KEPT))
    assert plan.dice_added == 1


def test_it_is_one_append_and_stands_verification() -> None:
    drill, strike = forgotten_protection()
    amendment = Amendment(replies=(Reply(reactor="osric", reaction="protection"),))
    plan = plan_amend(drill.fight, strike, amendment, by="gm", reason="forgotten", remedies=Remedies(dice=[8]))
    corrected = FightEngine([*drill.fight.events, *plan.new])
    assert [event.seq for event in corrected.events] == list(range(1, len(corrected.events) + 1))
    assert list(check_declarations(corrected.events)) == []
    causes = [event.cause for event in plan.new if isinstance(event, Declared)]
    assert set(causes) == {plan.correction.seq}


def test_a_character_that_was_dying_has_its_turns_back() -> None:
    """Characters at 0 hit points have turns that start with a death save; corrected, there is none to make."""
    drill = Drill()
    drill.join("goblin", "Snig", (2, 1), side="foes", overrides={"hp": 30})
    drill.join("fighter", "Rurik", (1, 1), overrides={"hp": 6})
    drill.join("paladin", "Osric", (1, 2))
    drill.start(dice=[20, 15, 12])
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", dice=[15, 4], replies={"osric": None})
    strike = drill.fight.events[-1].declaration
    assert "dying" in drill["rurik.conditions"]
    drill.next_turn(dice=[11])  # Rurik's turn begins with a death save
    drill.next_turn()
    drill.do("osric", "attack")
    drill.do("osric", "strike", target="snig", dice=[11, 6])

    amendment = Amendment(replies=(Reply(reactor="osric", reaction="protection"),))
    plan = plan_amend(drill.fight, strike, amendment, by="gm", reason="forgotten", remedies=Remedies(dice=[8]))

    assert plan.after.combatants["rurik"].vitals["hp"].current == 6
    assert plan.after.combatants["rurik"].conditions == {}
    assert [entry.verdict for entry in plan.entries] == [
        PlanVerdict.AMENDED,
        PlanVerdict.CHANGED,  # no death save
        PlanVerdict.CHANGED,  # Osric's reaction, now spent, comes back at the start of his turn
        PlanVerdict.KEPT,
        PlanVerdict.KEPT,
    ]
    gone = [change.recorded for change in plan.entries[1].changes if change.now is None]
    assert [roll.faces for roll in gone if isinstance(roll, Rolled)] == [(11,)]
    now = standing([*drill.fight.events, *plan.new])
    assert [roll.faces for roll in all_of(now, Rolled)][-3:] == [(15, 8), (11,), (6,)]
