"""Features of the shipped classes, with numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import light_at
from combatlog.testing import Drill, only
from ledger.events import SaveResolved
from tests.rules.dnd5e.test_creature_powers import ROOM, beast


def berserker() -> Drill:
    """Ragna the level 3 barbarian (+5, 1d12+3 and 2 for the rage) beside a beast with AC 12. She rages in her turn."""
    drill = Drill(map=ROOM)
    drill.join("barbarian_3", "Ragna", (2, 2), reactions={"*": "never"})
    drill.join(beast(hp=100), "Cat", (3, 2), side="foes", reactions={"*": "never"})
    drill.start(dice=[20, 1])
    drill.do("ragna", "rage")
    drill.do("ragna", "melee_attack", target="cat", dice=[2])
    drill.next_turn()
    drill.next_turn()
    return drill


def test_frenzy_strikes_with_the_bonus_action_and_exhausts() -> None:
    drill = berserker()
    drill.do("ragna", "frenzy", target="cat", dice=[15, 6])
    assert (drill["cat.hp"], drill["ragna.bonus_action"], drill["ragna.action"]) == (89, 0, 1)  # 6 + 3 + 2
    assert drill["ragna.conditions"] == ["frenzied", "raging"]
    drill.do("gm", "rule", target="ragna", options={"remove": ["raging"], "reason": "it is over"})
    assert drill["ragna.conditions"] == ["exhaustion"]


def test_frenzy_needs_rage() -> None:
    drill = berserker()
    drill.do("gm", "rule", target="ragna", options={"remove": ["raging"], "reason": "calm"})
    assert (drill["ragna.conditions"], drill.refusal("ragna", "frenzy", target="cat").code) == ([], "frenzy/not-raging")


def monk() -> Drill:
    """Ki-lin the level 3 monk (+5; save DC 8 + 2 + 2 = 12) has taken the Attack action and begun a flurry."""
    drill = Drill(map=ROOM)
    drill.join("monk_3", "Kilin", (2, 2), reactions={"*": "never"})
    drill.join(beast(hp=100), "Cat", (3, 2), side="foes", reactions={"*": "never"})
    drill.start(dice=[20, 1])
    drill.do("kilin", "melee_attack", target="cat", dice=[2])
    drill.do("kilin", "flurry_of_blows")
    return drill


@pytest.mark.parametrize(("die", "held"), [(10, ["prone"]), (11, [])])
def test_open_hand_knocks_down(die: int, held: list[str]) -> None:
    """Dexterity +1 against 12."""
    drill = monk()
    events = drill.do("kilin", "flurry_strike", target="cat", dice=[15, 3, die])
    assert (only(events, SaveResolved).against, drill["cat.conditions"]) == (12, held)


def test_open_hand_pushes_or_staggers() -> None:
    drill = monk()
    drill.do("kilin", "flurry_strike", target="cat", options={"technique": "stagger"}, dice=[15, 3])
    assert drill["cat.conditions"] == ["staggered"]
    drill.do("kilin", "flurry_strike", target="cat", options={"technique": "push"}, dice=[15, 3, 5])
    assert drill["cat.position"] == (6, 2)


def test_staggered_has_no_reactions() -> None:
    drill = monk()
    drill.do("kilin", "flurry_strike", target="cat", options={"technique": "stagger"}, dice=[15, 3])
    drill.do("gm", "rule", target="cat", options={"set": {"reaction": 1}, "reason": "a test"})
    drill.do("kilin", "move", to=(2, 6))  # nobody strikes at the monk
    assert drill["kilin.position"] == (2, 6)


def test_frenzied_is_over_with_the_rage() -> None:
    drill = berserker()
    drill.do("ragna", "frenzy", target="cat", dice=[2])
    drill.do("gm", "rule", target="ragna", options={"add": ["unconscious"], "reason": "a test"})
    assert "frenzied" not in drill["ragna.conditions"]


def test_the_cleric_has_a_cantrip_and_hands_for_its_weapons() -> None:
    drill = Drill(map=ROOM)
    drill.join("cleric", "Osric", (2, 2))
    drill.join(beast(hp=100), "Cat", (6, 2), side="foes")
    drill.start(dice=[20, 1])
    drill.do("osric", "sacred_flame", target="cat", dice=[5, 6, 2])  # level 5: 2d8; 2 + 1 fails against 15
    assert drill["cat.hp"] == 89


def test_sacred_flame_ignores_cover() -> None:
    """Cat has half cover behind a bystander: 13 + 1 fails against 15, and would not with 2 more."""
    drill = Drill(map=ROOM)
    drill.join("cleric", "Osric", (2, 2))
    drill.join(beast(hp=100), "Cat", (6, 2), side="foes")
    drill.join(beast(), "Ox", (4, 2), side="neutral")
    drill.start(dice=[20, 1, 1])
    events = drill.do("osric", "sacred_flame", target="cat", dice=[5, 6, 13])
    assert (only(events, SaveResolved).total, drill["cat.hp"]) == (14, 89)


def test_sacred_weapon_is_magical_and_shines() -> None:
    """Osric's longsword deals 1d8+3: 4 + 3, of which a creature that resists nonmagical slashing would take 3."""
    drill = Drill(map=ROOM, options={"light": "dark"})
    told = {"features": ["sacred_weapon"], "weapons": ["longsword"], "abilities": ABILITIES}
    drill.join("paladin", "Osric", (2, 2), overrides=told)
    drill.join(beast(hp=100, nonmagical_resistances=["slashing"]), "Cat", (3, 2), side="foes")
    drill.start(dice=[20, 1])
    drill.do("osric", "sacred_weapon")
    assert [light_at(drill.fight.battle, (column, 2)).value for column in (6, 7, 10, 11)] == [
        "bright",
        "dim",
        "dim",
        "dark",
    ]
    drill.next_turn()
    drill.next_turn()
    drill.do("osric", "melee_attack", target="cat", dice=[15, 4])
    assert drill["cat.hp"] == 93
    drill.do("gm", "rule", target="osric", options={"add": ["unconscious"], "reason": "a blow on the head"})
    assert "hallowed" not in drill["osric.conditions"]


ABILITIES = {"str": 16, "dex": 10, "con": 12, "int": 10, "wis": 10, "cha": 14}


def test_turned_undead_keep_what_only_incapacitation_takes() -> None:
    """They still hold whom they grapple and concentrate, and can use their action to flee."""
    drill = Drill(map=ROOM)
    drill.join("cleric", "Mila", (2, 2), overrides={"features": ["turn_undead"]}, reactions={"*": "never"})
    drill.join("zombie", "Mort", (3, 2), side="foes", reactions={"*": "never"})
    drill.start(dice=[1, 20])
    drill.do("mort", "attack")
    drill.do("mort", "grapple", target="mila", dice=[20, 1])
    drill.do("gm", "rule", target="mort", options={"add": ["concentrating"], "reason": "a test"})
    drill.next_turn()
    drill.do("mila", "turn_undead", target="mort", dice=[1])
    drill.next_turn()
    assert (drill["mort.conditions"], drill["mila.conditions"]) == (["concentrating", "turned"], ["grappled"])
    assert drill.refusal("mort", "attack").code == "turn/cannot-act"
    drill.do("mort", "dash")
    assert (drill["mort.action"], drill["mort.movement"]) == (0, 40)


def rule_side(drill: Drill, side: str) -> None:
    drill.do("gm", "rule", target="ugh", options={"side": side, "reason": "a bribe"})


def dominated() -> Drill:
    drill = Drill(map=ROOM)
    drill.join("wizard", "Mila", (1, 1), overrides={"spells": ["dominate_person"], "slots": {"5": 1}})
    drill.join("orc", "Ugh", (2, 1), side="foes", reactions={"*": "never"})
    drill.start(dice=[20, 1])
    return drill


def wake_up(drill: Drill) -> None:
    drill.do("gm", "rule", target="mila", options={"remove": ["concentrating"], "reason": "the spell ends"})


def test_dominated_goes_back_to_the_side_that_a_ruling_gave_it() -> None:
    drill = dominated()
    rule_side(drill, "bandits")
    drill.do("mila", "dominate_person", target="ugh", dice=[3])
    assert drill.fight.battle.combatants["ugh"].side == "heroes"
    wake_up(drill)
    assert drill.fight.battle.combatants["ugh"].side == "bandits"  # not the foes, with whom it came


def test_dominated_stays_where_a_ruling_sends_it_meanwhile() -> None:
    drill = dominated()
    drill.do("mila", "dominate_person", target="ugh", dice=[3])
    rule_side(drill, "neutral")
    wake_up(drill)
    assert drill.fight.battle.combatants["ugh"].side == "neutral"


@pytest.mark.parametrize(("die", "left"), [(2, ("dead", 7)), (20, ("", 0))])
def test_dark_ones_blessing_rewards_any_felling(die: int, left: tuple[str, int]) -> None:
    """A save that fails against Sacred Flame fells Cat, which has 5 hit points: charisma +2 and level 5 are 7."""
    drill = Drill(map=ROOM)
    told = {"level": 5, "features": ["dark_ones_blessing"], "abilities": ABILITIES, "spells": ["sacred_flame"]}
    drill.join("cleric", "Malo", (2, 2), overrides=told)
    drill.join(beast(hp=5), "Cat", (6, 2), side="foes")
    drill.start(dice=[20, 1])
    drill.do("malo", "sacred_flame", target="cat", dice=[5, 6, die])
    assert (" ".join(drill["cat.conditions"]), drill["malo.temp_hp"]) == left


def dying(**overrides: Any) -> Drill:
    """Rurik is dying, and the turn of his enemy ends next."""
    drill = Drill(map=ROOM)
    drill.join(beast(), "Cat", (6, 2), side="foes")
    drill.join("fighter", "Rurik", (2, 2), overrides=overrides)
    drill.start(dice=[20, 1])
    drill.do("gm", "rule", target="rurik", options={"set": {"hp": 0}, "reason": "a fall"})
    return drill


@pytest.mark.parametrize(("second", "tally"), [(12, (1, 0)), (5, (0, 1))])
def test_luck_helps_with_death_saves(second: int, tally: tuple[int, int]) -> None:
    drill = dying(features=["lucky"])
    drill.end_turn("cat", dice=[4])
    drill.react("rurik", "lucky", dice=[second])
    data = drill.fight.battle.combatants["rurik"].conditions["dnd5e:condition:dying"].data
    assert (data.get("successes", 0), data.get("failures", 0), drill["rurik.luck"]) == (*tally, 2)


def test_inspiration_helps_with_death_saves() -> None:
    """8 and a 3 of the bard's d6 are a success."""
    drill = Drill(map=ROOM)
    drill.join("bard_3", "Lin", (2, 3))
    drill.join("fighter", "Rurik", (2, 2))
    drill.start(dice=[20, 1])
    drill.do("lin", "bardic_inspiration", target="rurik")
    drill.do("gm", "rule", target="rurik", options={"set": {"hp": 0}, "reason": "a fall"})
    drill.end_turn("lin", dice=[8])
    drill.react("rurik", "inspired", dice=[3])
    assert drill.fight.battle.combatants["rurik"].conditions["dnd5e:condition:dying"].data["successes"] == 1
