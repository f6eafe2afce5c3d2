"""Dice of several sources: heroes roll at the table, foes do not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import combatlog
from combatlog import Insert, Ledger
from combatlog.rules.engine.dice.dice_notation import Die
from combatlog.rules.engine.dice.dice_settings import is_committed, read_setting
from combatlog.rules.engine.dice.dice_sources import CommittedDice, SeededDice
from combatlog.rules.verification.dice_fairness import unfair
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of
from ledger.errors import Problem
from ledger.events import EncounterClosed, FaceOrigin, Rolled
from projections.battle.timeline import standing

SLOW = {"str": 20, "dex": 1, "con": 10, "int": 10, "wis": 8, "cha": 8}
"""Initiative with -5: a 20 of the heroes is higher, whatever such a foe rolls."""


def mill(dice: str = "heroes=table,foes=seed:7") -> Drill:
    """Rurik the hero next to Snig the foe; it is Rurik's turn, whatever Snig rolls."""
    drill = Drill(dice=dice)
    drill.join("fighter", "Rurik", (1, 1), overrides={"hp": 200})
    drill.join("goblin", "Snig", (2, 1), side="foes", overrides={"hp": 200, "abilities": SLOW})
    drill.start(dice=[20])
    assert drill["turn"] == "rurik"
    return drill


def origins(drill: Drill) -> dict[str, set[FaceOrigin]]:
    found: dict[str, set[FaceOrigin]] = {}
    for roll in all_of(drill.fight.events, Rolled):
        found.setdefault(roll.roller, set()).add(roll.dice_source)
    return found


@pytest.mark.parametrize(
    ("setting", "usual", "own"),
    [
        ("table", "table", {}),
        ("heroes=table,foes=random", "random", {"heroes": "table", "foes": "random"}),
        ("heroes=table", "random", {"heroes": "table"}),
        ("committed, Sister Ilse=table", "committed", {"sister-ilse": "table"}),
        ("heroes=table,foes=seed:7", "random", {"heroes": "table", "foes": "seed:7"}),
    ],
)
def test_settings(setting: str, usual: str, own: dict[str, str]) -> None:
    read = read_setting(setting)
    assert (read.usual, dict(read.own)) == (usual, own)
    assert is_committed(setting) is ("committed" in setting)


@pytest.mark.parametrize(("setting", "code"), [("heroes=tabel", "dice/source"), ("=table", "dice/whose")])
def test_wrong_settings(setting: str, code: str) -> None:
    with pytest.raises(Problem) as refused:
        Drill(dice=setting)
    assert refused.value.code == code


def test_a_combatant_comes_before_its_side() -> None:
    drill = Drill(dice="heroes=table,mira=seed:3")
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("wizard", "Mira", (1, 2))
    drill.start(dice=[11])
    assert origins(drill) == {"rurik": {FaceOrigin.TABLE}, "mira": {FaceOrigin.SEED}}


def test_given_faces_are_for_those_who_roll_at_the_table() -> None:
    drill = mill()
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="snig", dice=[15, 7])
    assert drill["snig.hp"] == 190  # 7 + 3
    drill.end_turn("rurik")
    drill.do("snig", "attack")
    refused = drill.refusal("snig", "strike", target="rurik", dice=[15, 4])
    assert refused.code == "dice/too-many"
    drill.do("snig", "strike", target="rurik")
    attack = [roll for roll in all_of(drill.fight.events, Rolled) if roll.purpose == "attack"][-1]
    assert list(attack.faces) == SeededDice("7").faces([Die.with_sides(20)], attack.seq, "attack")
    assert origins(drill) == {"rurik": {FaceOrigin.TABLE}, "snig": {FaceOrigin.SEED}}
    assert list(check_declarations(drill.fight.events)) == []


def test_the_refusal_says_who_has_to_roll() -> None:
    drill = mill()
    drill.do("rurik", "attack")
    refused = drill.refusal("rurik", "strike", target="snig")
    assert (refused.code, refused.facts["roller"], refused.facts["dice"]) == ("dice/too-few", "rurik", ["d20"])


def test_a_correction_asks_the_table_and_rolls_for_the_others() -> None:
    """Snig dodged: Rurik's 15 needs a second die, which Rurik's player rolls; Snig's strike is as it was."""
    drill = mill()
    drill.end_turn("rurik")
    attack = drill.do("snig", "attack")[0].seq
    drill.do("snig", "strike", target="rurik")
    snigs = [roll.faces for roll in all_of(standing(drill.fight.events), Rolled) if roll.roller == "snig"]
    drill.end_turn("snig")
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="snig", dice=[15, 7])
    ruling = {"add": ["dodging"], "reason": "he said so"}
    plan = drill.plan(Insert("gm", "rule", before=attack, targets="snig", options=ruling, dice=[2]))
    drill.apply(plan)
    assert plan.dice_added == 1
    strike = [roll for roll in all_of(standing(drill.fight.events), Rolled) if roll.roller == "rurik"][-1]
    assert (strike.faces, strike.dice_source) == ((15, 2), FaceOrigin.TABLE)
    assert [roll.faces for roll in all_of(standing(drill.fight.events), Rolled) if roll.roller == "snig"] == snigs
    assert list(check_declarations(drill.fight.events)) == []


def test_committed_dice_of_one_side() -> None:
    """Snig's faces follow from the seed that closing reveals; Rurik's are the table's, and nothing is unfair."""
    drill = mill("heroes=table,foes=committed")
    drill.end_turn("rurik")
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik")
    drill.conclude()
    closed = all_of(drill.fight.events, EncounterClosed)[0]
    assert closed.seed is not None
    seed = bytes.fromhex(closed.seed)
    for roll in all_of(drill.fight.events, Rolled):
        if roll.roller == "snig":
            assert roll.drawn is not None
            die = Die.with_sides(20 if "d20" in roll.notation else 6)
            assert roll.faces[0] == CommittedDice(seed, roll.encounter).face(seed, die, roll.drawn, 0)
    assert origins(drill) == {"rurik": {FaceOrigin.TABLE}, "snig": {FaceOrigin.COMMITTED}}
    assert list(unfair(drill.fight.events)) == []


def test_random_dice_of_somebody_whose_dice_are_committed_are_unfair() -> None:
    drill = Drill(dice="heroes=random,foes=committed")
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.start()
    drill.conclude()
    assert list(unfair(drill.fight.events)) == []
    forged = [
        event.model_copy(update={"dice_source": FaceOrigin.RNG, "drawn": None})
        if isinstance(event, Rolled) and event.roller == "snig"
        else event
        for event in drill.fight.events
    ]
    assert any("come from" in problem for _, problem in unfair(forged))


def test_auto_plays_the_side_that_rolls_for_itself() -> None:
    drill = mill()
    with pytest.raises(Problem) as refused:
        list(drill.auto(["heroes"]))
    assert (refused.value.code, refused.value.facts["available"]) == ("auto/table-dice", ["foes"])
    drill.end_turn("rurik")
    played = list(drill.auto(["foes"]))
    assert played[-1].ends_turn
    assert drill["turn"] == "rurik"


def test_auto_stops_where_somebody_else_has_to_roll() -> None:
    """Ilse concentrates, so being hurt makes her roll a save."""
    drill = Drill(dice="foes=seed:7,heroes=table")
    drill.join("cleric", "Ilse", (1, 1), overrides={"hp": 90, "ac": 1})
    drill.join("goblin", "Snig", (2, 1), side="foes", overrides={"hp": 90, "abilities": SLOW})
    drill.start(dice=[20])
    drill.do("ilse", "bless", target=["ilse"])
    drill.end_turn("ilse")
    with pytest.raises(Problem) as refused:
        list(drill.auto(["foes"]))
    assert (refused.value.code, refused.value.facts["roller"]) == ("auto/needs-roll", "ilse")
    assert "con save" in refused.value.sentence or "concentration save" in refused.value.sentence


@pytest.fixture
def ledger(database: str) -> Iterator[Ledger]:
    with combatlog.open(database) as ledger:
        yield ledger


def test_in_a_ledger_and_in_forks(ledger: Ledger) -> None:
    fight = ledger.new("mill", dice="heroes=table,foes=committed")
    fight.join("fighter", "Rurik", at=(1, 1))
    fight.join("goblin", "Snig", at=(2, 1), side="foes", overrides={"abilities": SLOW})
    fight.start(dice=[20])
    fork = fight.fork("what if")
    for one in (fight, fork):
        one.end_turn("rurik")
        one.do("snig", "attack")
        one.do("snig", "strike", target="rurik")
        one.conclude()
        assert one.verify().findings == []


def test_a_face_that_a_miss_of_the_others_makes_useless_is_left_out() -> None:
    """Ilse's player rolls the save and its bonus die beforehand; whether Snig hits or not, he attacks once."""
    for attempt in range(6):
        drill = Drill(dice="foes=random,heroes=table")
        drill.join("cleric", "Ilse", (1, 1), overrides={"hp": 90})
        drill.join("goblin", "Snig", (2, 1), side="foes", overrides={"abilities": SLOW})
        drill.start(dice=[20])
        drill.do("ilse", "bless", target=["ilse"])
        drill.end_turn("ilse")
        drill.do("snig", "attack")
        events = drill.do("snig", "strike", target="ilse", dice=[12, 3])
        hit = [event for event in all_of(events, Rolled) if event.roller == "ilse"]
        assert len(hit) == (2 if any(roll.purpose == "damage" for roll in all_of(events, Rolled)) else 0), attempt
