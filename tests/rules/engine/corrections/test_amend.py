"""Amend: a wrong target, a forgotten modifier or reaction, one that should not have counted, a misread die."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog import Amend, Redo
from combatlog.rules.engine.commands import Reply
from combatlog.rules.engine.corrections.amend import Amendment, Forgotten, plan_amend, read_change
from combatlog.rules.engine.corrections.plan import Plan, PlanVerdict
from combatlog.rules.engine.corrections.rebase import Remedies
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of, only
from ledger.errors import Problem
from ledger.events import AttackResolved, ChainModified, Rolled, RollMode
from tests.support import protected_duel


@pytest.fixture
def drill() -> Drill:
    """Snig strikes at Rurik, whom Osric lets down: a 15 hits for 4 and 2."""
    drill = protected_duel()
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", dice=[15, 4], replies={"osric": None})
    return drill


def amend(drill: Drill, remedies: Remedies | None = None, **what: Any) -> Plan:
    seq = drill.fight.events[-1].declaration
    plan = plan_amend(drill.fight, seq, Amendment(**what), by="gm", reason="we looked it up", remedies=remedies)
    assert list(check_declarations(FightEngine([*drill.fight.events, *plan.new]).events)) == []
    return plan


def hp(plan: Plan, who: str) -> int:
    return plan.after.combatants[who].vitals["hp"].current


def test_a_forgotten_reaction(drill: Drill) -> None:
    plan = amend(drill, Remedies(dice=[3]), replies=(Reply(reactor="osric", reaction="protection"),))
    roll = only(plan.new, Rolled)
    assert (roll.faces, roll.kept, roll.mode) == ((15, 3), (3,), RollMode.DISADVANTAGE)
    assert hp(plan, "rurik") == 12
    assert plan.after.combatants["osric"].economy.left("reaction") == 0
    assert plan.dice_added == 1


def test_a_forgotten_modifier(drill: Drill) -> None:
    forgotten = Forgotten(what="disadvantage", source="Protection", owner="osric")
    plan = amend(drill, Remedies(dice=[3]), add=(forgotten,))
    added = next(e for e in all_of(plan.new, ChainModified) if e.source == "dnd5e:amendment:protection")
    assert (added.owner, added.reason) == ("osric", "Protection (we looked it up)")
    assert only(plan.new, Rolled).kept == (3,)
    assert hp(plan, "rurik") == 12


@pytest.mark.parametrize(
    ("what", "chain", "total", "left"),
    [("-4", "attack", 15, 12), ("+1", "attack", 20, 6), ("+2", "damage", 19, 4), ("-1", "damage", 19, 7)],
)
def test_a_forgotten_number(drill: Drill, what: str, chain: str, total: int, left: int) -> None:
    plan = amend(drill, add=(Forgotten(what=what, source="Bless", owner="snig", chain=chain),))
    assert only(plan.new, AttackResolved).total == total  # against 16
    assert hp(plan, "rurik") == left


@pytest.mark.parametrize("what", ["advantage", "1d4"])
def test_what_damage_that_is_taken_cannot_be_modified_by(drill: Drill, what: str) -> None:
    with pytest.raises(Problem) as refused:
        amend(drill, add=(Forgotten(what=what, source="Ward", owner="rurik", chain="damage_taken"),))
    assert refused.value.code == "amend/without-effect"


def test_a_modifier_that_should_not_have_counted(drill: Drill) -> None:
    plan = amend(drill, drop=("proficiency",))
    resolved = only(plan.new, AttackResolved)
    assert (resolved.total, resolved.hit) == (17, True)


def test_a_misread_die(drill: Drill) -> None:
    attack = all_of(drill.fight.events, Rolled)[-2]
    plan = amend(drill, faces={attack.seq: (5,)})
    assert only(plan.new, Rolled).faces == (5,)
    assert hp(plan, "rurik") == 12
    assert drill.fight.events[attack.seq - 1] == attack  # what was read stays on record


def test_another_target(drill: Drill) -> None:
    plan = amend(drill, targets=("osric",))
    resolved = only(plan.new, AttackResolved)
    assert (resolved.target, resolved.total, resolved.against, resolved.hit) == ("osric", 19, 18, True)
    assert (hp(plan, "rurik"), hp(plan, "osric")) == (12, 14)
    assert plan.entries[-1].verdict is PlanVerdict.AMENDED


def test_a_roll_that_loses_advantage_keeps_its_first_face(drill: Drill) -> None:
    protected = amend(drill, Remedies(dice=[3]), replies=(Reply(reactor="osric", reaction="protection"),))
    drill.fight = FightEngine([*drill.fight.events, *protected.new])
    again = amend(drill, Remedies(dice=[4]), replies=(Reply(reactor="osric", reaction=None),))
    assert [roll.faces for roll in all_of(again.new, Rolled)] == [(15,), (4,)]
    assert hp(again, "rurik") == 6


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ({}, "amend/nothing"),
        ({"targets": ("nobody",)}, "declaration/unknown-combatant"),
        ({"weapon": "spoon"}, "strike/no-weapon"),
        ({"drop": ("bless",)}, "amend/no-modifier"),
        ({"faces": {1: (5,)}}, "amend/no-roll"),
        ({"add": (Forgotten(what="luck", source="x", owner="osric"),)}, "amend/change"),
        ({"add": (Forgotten(what="+1", source="x", owner="nobody"),)}, "amend/owner"),
        ({"add": (Forgotten(what="+1", source="x", owner="osric", chain="save"),)}, "amend/no-chain"),
        ({"replies": (Reply(reactor="rurik", reaction="protection"),)}, "reaction/not-offered"),
    ],
)
def test_what_cannot_be_amended(drill: Drill, what: dict[str, Any], code: str) -> None:
    with pytest.raises(Problem) as caught:
        amend(drill, **what)
    assert caught.value.code == code


def test_impossible_faces_are_refused(drill: Drill) -> None:
    attack = all_of(drill.fight.events, Rolled)[-2]
    for faces in ((21,), (3, 4), ()):
        with pytest.raises(Problem) as caught:
            amend(drill, faces={attack.seq: faces})
        assert caught.value.code == "amend/faces"


@pytest.mark.parametrize("text", ["", "+", "two", "1d", "d", "+99999", "critical"])
def test_what_is_no_modifier(text: str) -> None:
    with pytest.raises(Problem) as caught:
        read_change(text)
    assert caught.value.code == "amend/change"


# Forgotten defences and dice


def struck(**overrides: Any) -> Drill:
    """Rurik hits Snig (30 hit points) with his longsword for 7 + 3 slashing damage."""
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes", overrides={"hp": 30, **overrides})
    drill.start(dice=[20, 5])
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="snig", dice=[15, 7])
    assert drill["snig.hp"] == 20
    return drill


def amended(drill: Drill, **what: Any) -> int:
    """What Snig has left."""
    seq = drill.fight.events[-1].declaration
    plan = drill.plan(Amend(seq, reason="we looked it up", **what))
    drill.apply(plan)
    assert list(check_declarations(drill.fight.events)) == []
    assert plan.dice_added == 0
    return int(drill["snig.hp"])


@pytest.mark.parametrize(
    ("defences", "left"),
    [
        ({"resist": ["slashing"]}, 25),  # 10 // 2
        ({"resist": ["all"]}, 25),
        ({"vulnerable": ["slashing"]}, 10),  # 10 * 2
        ({"immune": ["slashing"]}, 30),
        ({"resist": ["slashing"], "vulnerable": ["slashing"]}, 20),  # halved first: 5 * 2
        ({"resist": ["slashing", "slashing"]}, 25),  # resistances to one type count once
    ],
)
def test_a_forgotten_defence(defences: dict[str, list[str]], left: int) -> None:
    assert amended(struck(), **defences) == left


def test_a_resistance_is_halved_before_a_vulnerability_doubles() -> None:
    """7 + 2 is 9; halved 4, doubled 8: 30 - 8."""
    drill = struck()
    amended(drill, add=[Forgotten(what="-1", source="a nick", chain="damage", label="slashing")])
    assert amended(drill, vulnerable=["slashing"], resist=["slashing"]) == 22


def test_a_forgotten_defence_stays_with_the_declaration_and_can_be_taken_back() -> None:
    drill = struck()
    before = drill["snig.hp"]
    assert amended(drill, resist=["slashing"]) == 25
    added = [e for e in all_of(drill.fight.events, ChainModified) if e.source == "dnd5e:amendment:resistance"]
    assert [(e.chain, e.stage, e.owner) for e in added] == [("damage_taken", "resistance", "snig")]
    drill.apply(drill.plan(Redo()))
    assert drill["snig.hp"] == before
    assert list(check_declarations(drill.fight.events)) == []


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ({"resist": ["fire"]}, "amend/other-damage"),
        ({"resist": ["slashin"]}, "damage/unknown-type"),
        ({"resist": ["slashing"], "whose": "rurik"}, "amend/no-chain"),  # nobody hurt him
        ({"resist": ["slashing"], "whose": "nobody"}, "amend/owner"),
    ],
)
def test_a_defence_that_cannot_count(what: dict[str, Any], code: str) -> None:
    drill = struck()
    with pytest.raises(Problem) as refused:
        drill.plan(Amend(drill.fight.events[-1].declaration, **what))
    assert refused.value.code == code


def fireball() -> Drill:
    """Mira's Fireball: 1 + 2 + 3 + 4 + 5 + 6 + 4 + 3 is 28. Snig and Grub save with 5 + 2 and fail."""
    drill = Drill()
    drill.join("wizard", "Mira", (1, 1))
    for name, place in (("Snig", (8, 1)), ("Grub", (9, 1))):
        drill.join("goblin", name, place, side="foes", overrides={"hp": 50})
    drill.start(dice=[20, 5, 4])
    drill.do("mira", "fireball", to=(8, 1), dice=[1, 2, 3, 4, 5, 6, 4, 3, 5, 5])
    assert (drill["snig.hp"], drill["grub.hp"]) == (22, 22)
    return drill


def test_of_several_who_were_hurt_one_resists() -> None:
    """28 fire damage; Grub resists and takes 14."""
    drill = fireball()
    seq = drill.fight.events[-1].declaration
    with pytest.raises(Problem) as refused:
        drill.plan(Amend(seq, resist=["fire"]))
    assert refused.value.code == "amend/whose"
    drill.apply(drill.plan(Amend(seq, resist=["fire"], whose="grub")))
    assert (drill["snig.hp"], drill["grub.hp"]) == (22, 36)
    assert list(check_declarations(drill.fight.events)) == []


def test_a_bonus_die_on_the_save_of_one_of_several() -> None:
    """Grub saved with 5 + 2; a bonus die of 4 and +4 make it 15, which is enough, so he takes half of 28."""
    drill = fireball()
    seq = drill.fight.events[-1].declaration
    bless = Forgotten(what="1d4", source="Bless", owner="snig", chain="save", of="grub")
    help_ = Forgotten(what="+4", source="Cover", owner="snig", chain="save", of="grub")
    drill.apply(drill.plan(Amend(seq, add=[bless, help_], dice=[4])))
    assert (drill["snig.hp"], drill["grub.hp"]) == (22, 36)
    assert list(check_declarations(drill.fight.events)) == []


@pytest.mark.parametrize(("chain", "left"), [("attack", 20), ("damage", 17)])
def test_a_forgotten_bonus_die(chain: str, left: int) -> None:
    """A 3 on the d4 changes nothing about a hit, and adds 3 to the damage."""
    drill = struck()
    plan = drill.plan(
        Amend(drill.fight.events[-1].declaration, add=[Forgotten(what="1d4", source="Bless", chain=chain)], dice=[3])
    )
    drill.apply(plan)
    assert (plan.dice_added, drill["snig.hp"]) == (1, left)
