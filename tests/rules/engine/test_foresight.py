"""What a declaration would need and lead to, found out without making it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from combatlog.rules.engine.commands import Declaration, Reply
from combatlog.rules.engine.resolution.dry_run import foresee, needed_rolls
from combatlog.testing import Drill, only
from ledger.events import AttackResolved, Face, Rolled
from projections.story.rolls_needed import rolls_in_words


@pytest.fixture
def drill() -> Drill:
    """Rurik's turn. He stands between Snig and Fang, and Mira beside him."""
    drill = Drill()
    drill.join("fighter", "Rurik", (3, 2))
    drill.join("wizard", "Mira", (3, 3))
    drill.join("goblin", "Snig", (4, 2), side="foes")
    drill.join("wolf", "Fang", (2, 3), side="foes")
    drill.start(dice=[20, 15, 4, 3])
    return drill


def needed(drill: Drill, said: Declaration | Reply, dice: Sequence[Face] = ()) -> list[str]:
    names = {combatant.id: combatant.name for combatant in drill.battle.combatants.values()}
    return rolls_in_words(needed_rolls(drill.fight, said, dice), names)


ATTACK = Declaration(actor="rurik", action="melee_attack", targets=("snig",))


def test_an_attack_needs_its_roll_and_then_what_depends_on_it(drill: Drill) -> None:
    assert needed(drill, ATTACK) == [
        "Rurik: d20+5, attack on Snig with a longsword",
        "Rurik: d8+3, damage to Snig, if it hits",
        "Rurik: 2d8+3, damage to Snig, if it hits critically",
    ]


@pytest.mark.parametrize(
    ("attack", "then"),
    [
        (2, []),  # 7 against 15
        (15, ["Rurik: d8+3, damage to Snig"]),
        (20, ["Rurik: 2d8+3, damage to Snig"]),
    ],
)
def test_a_face_that_is_known_decides(drill: Drill, attack: int, then: list[str]) -> None:
    assert needed(drill, ATTACK, [attack]) == then


def test_a_roll_with_one_of_its_faces_lacks_the_other(drill: Drill) -> None:
    [save, *_] = needed_rolls(drill.fight, Declaration(actor="rurik", action="move", destination=(6, 2)), [15])
    assert (save.roller, save.notation, save.dice) == ("fang", "2d20kh1", ("d20",))


def test_opportunity_attacks_on_the_way(drill: Drill) -> None:
    """Fang has advantage from pack tactics, and knocks down whoever it bites.

    Whether Snig gets to attack depends on whether Rurik is still up.
    """
    assert needed(drill, Declaration(actor="rurik", action="move", destination=(6, 2))) == [
        "Fang: 2d20+4 with advantage, opportunity attack on Rurik",
        "Fang: 2d4+2, damage to Rurik, if it hits",
        "Fang: 4d4+2, damage to Rurik, if it hits critically",
        "Rurik: d20+5, Strength save against knockdown (DC 11), if it comes to that",
        "Snig: d20+4, opportunity attack on Rurik, if it comes to that",
        "Snig: 2d20+4 with advantage, opportunity attack on Rurik, if Rurik fails",
        "Snig: d6+2, damage to Rurik, if it hits",
    ]


def test_everybody_saves_against_an_area(drill: Drill) -> None:
    """Fang has half cover from the blast, behind Rurik and Mira."""
    drill.end_turn("rurik")
    save = "d20+2, Dexterity save against Mira's fireball (DC 15)"
    assert needed(drill, Declaration(actor="mira", action="fireball", destination=(4, 2))) == [
        "Mira: 8d6, fireball damage",
        f"Rurik: {save}",
        f"Mira: {save}",
        f"Snig: {save}",
        "Fang: d20+4, Dexterity save against Mira's fireball (DC 15)",
    ]


def test_initiative_asks_for_everyone_by_name() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (3, 2))
    drill.join("cleric", "Sister Ysolde", (4, 2))
    refused = drill.refusal("gm", "start")
    assert refused.sentence == "Rolls are missing: Rurik: d20+2, initiative; Sister Ysolde: d20, initiative."
    assert [roll["roller"] for roll in refused.facts["rolls"]] == ["rurik", "sister-ysolde"]
    assert drill.start(dice=[10, 11])


def test_the_refusal_for_missing_dice_lists_every_roll(drill: Drill) -> None:
    refused = drill.refusal("rurik", "melee_attack", target="snig")
    assert refused.code == "dice/too-few"
    assert [(roll["purpose"], roll["certain"], roll.get("only_if")) for roll in refused.facts["rolls"]] == [
        ("attack", True, None),
        ("damage", False, {"who": "rurik", "turnout": "hit"}),
        ("damage", False, {"who": "rurik", "turnout": "critical"}),
    ]


def test_damage_dice_of_a_miss_are_left_out(drill: Drill) -> None:
    outcome = drill.do("rurik", "melee_attack", target="snig", dice=[2, 6])
    assert not only(outcome, AttackResolved).hit
    assert only(outcome, Rolled).faces == (2,)
    assert outcome.left_over([2, 6]) == [6]


@pytest.mark.parametrize("dice", [[2, 6, 7, 8], [15, 6, 7]])
def test_more_faces_than_could_ever_be_needed_are_refused(drill: Drill, dice: list[Face]) -> None:
    assert drill.refusal("rurik", "melee_attack", target="snig", dice=dice).code == "dice/too-many"


def test_what_needs_no_dice_still_takes_none(drill: Drill) -> None:
    assert drill.refusal("rurik", "dash", dice=[3]).code == "dice/too-many"


def test_looking_ahead_changes_nothing(drill: Drill) -> None:
    before, state = list(drill.fight.events), drill.state()
    course = foresee(drill.fight, ATTACK, [15, 6])
    assert (course.used, course.rolls) == (2, [])
    assert only(course.events, AttackResolved).hit
    assert drill.fight.events == before
    assert drill.fight.battle.seq == state.seq
    assert drill["snig.hp"] == state.combatants["snig"].vitals["hp"].current
    assert drill.do("rurik", "melee_attack", target="snig", dice=[15, 6])


def test_an_answer_is_foreseen_over_the_tape_of_what_waits_for_it() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (3, 2))
    drill.join("paladin", "Osric", (3, 3))
    drill.join("goblin", "Snig", (4, 2), side="foes")
    drill.start(dice=[11, 6, 17])
    drill.do("snig", "melee_attack", target="rurik")
    assert needed(drill, Reply(reactor="osric", reaction="protection"))[0] == (
        "Snig: 2d20+4 with disadvantage, attack on Rurik with a scimitar"
    )
    assert needed(drill, Reply(reactor="osric"))[0] == "Snig: d20+4, attack on Rurik with a scimitar"
    assert drill.react("osric", "protection", dice=[15, 8])


@pytest.mark.parametrize("ruleset", ["action_points", "skirmish"])
def test_every_ruleset_says_what_it_needs_to_start(ruleset: str) -> None:
    drill = Drill(ruleset)
    sheets = {"action_points": ["duelist", "guard"], "skirmish": ["rebel-player", "imperial-player"]}[ruleset]
    for place, sheet in enumerate(sheets):
        drill.join(sheet, f"Side {place}", side=f"side{place}")
    if ruleset == "skirmish":
        drill.join("scout", at=(1, 1), side="side0")
        drill.join("trooper", at=(3, 1), side="side1")
    rolls = needed_rolls(drill.fight, Declaration(actor="gm", action="core:time:start"))
    assert all(roll.dice for roll in rolls)
    assert {roll.purpose for roll in rolls} <= {"initiative", "shuffle"}
