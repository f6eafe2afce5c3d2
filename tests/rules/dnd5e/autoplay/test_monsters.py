"""Monsters played automatically use what their sheets give them."""

from __future__ import annotations

from typing import Any

from combatlog.rules.autoplay.player import PlayLimits, play
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of
from ledger.events import AttackResolved, Declared, ReactionUsed, SaveResolved
from tests.rules.dnd5e.autoplay.support import duel, option

BITE = {
    "name": "bite",
    "damage": "2d10+6",
    "damage_type": "piercing",
    "reach": 10,
    "to_hit": 10,
    "extra": [{"damage": "1d6", "damage_type": "fire"}],
}
CLAW = {"name": "claw", "damage": "2d6+6", "damage_type": "slashing", "to_hit": 10}
MULTIATTACK = {"weapons": [BITE, CLAW], "multiattack": [{"bite": 1, "claw": 2}]}


def fought(monster: dict[str, Any], *, seed: int = 1, hero: dict[str, Any] | None = None) -> Drill:
    """A monster against a fighter who can take much, both played automatically for three rounds."""
    drill = Drill(dice=f"seed:{seed}")
    drill.join("ogre", "Beast", (5, 5), side="foes", overrides={"hp": 300, **monster})
    drill.join("fighter", "Rurik", (7, 5), controller="gm", overrides={"hp": 900, **(hero or {})})
    drill.do("gm", "start")
    list(play(drill.fight, PlayLimits(rounds=3)))
    assert list(check_declarations(drill.fight.events)) == []
    return drill


def test_a_multiattack_is_worth_all_of_its_attacks() -> None:
    bite = option(duel("ogre", **MULTIATTACK), "melee_attack", "bite")
    assert round(bite.average_damage(), 6) == 17 + 3.5 + 2 * 13


def test_a_multiattack_is_made_with_each_of_its_weapons() -> None:
    attacks = all_of(fought(MULTIATTACK).fight.events, AttackResolved)
    for number in {attack.round for attack in attacks}:
        made = [a.weapon for a in attacks if (a.round, a.turn, a.attacker) == (number, "beast", "beast")]
        assert sorted(made) in (["bite", "claw", "claw"], [])
    assert any(attack.weapon == "claw" for attack in attacks)


def test_legendary_actions_are_used_at_the_end_of_other_turns() -> None:
    tail = {"name": "tail", "damage": "2d8+8", "damage_type": "bludgeoning", "reach": 15, "to_hit": 14}
    drill = fought({"weapons": [BITE, tail], "legendary_actions": 3, "legendary": ["tail"]})
    attacks = [a for a in all_of(drill.fight.events, AttackResolved) if a.attacker == "beast" and a.turn == "rurik"]
    assert {attack.weapon for attack in attacks} == {"tail"}


def test_a_lair_acts_by_itself() -> None:
    tremor = {
        "name": "tremor",
        "archetype": "affliction",
        "condition": "prone",
        "save": "dex",
        "dc": 15,
        "range": 120,
    }
    drill = fought({"lair": [tremor]})
    used = [event for event in all_of(drill.fight.events, ReactionUsed) if event.reaction.endswith(":lair_action")]
    assert [event.round for event in used] in ([1, 3], [1], [1, 3, 4])


def test_legendary_resistance_is_kept_for_what_does_more_than_damage() -> None:
    """Hold Person holds nobody who resists; a Fireball is endured while there are many hit points left."""
    drill = Drill()
    drill.join("wizard", "Mila", (1, 1))
    drill.join("orc", "Ugh", (9, 1), side="foes", overrides={"hp": 90, "legendary_resistances": 3})
    drill.start(dice=[20, 1])
    drill.do("mila", "fireball", to=(9, 1), dice=[1] * 8 + [2])
    assert (drill["ugh.legendary_resistance"], drill["ugh.hp"]) == (3, 82)
    drill.next_turn()
    drill.next_turn()
    events = drill.do("mila", "hold_person", target="ugh", dice=[2])
    assert (drill["ugh.legendary_resistance"], drill["ugh.conditions"]) == (2, [])
    assert [save.success for save in all_of(events, SaveResolved)] == [True]


def test_innate_spells_are_cast_as_often_as_there_are_uses() -> None:
    ray = {"name": "ray", "archetype": "bolt", "level": 2, "range": 120, "damage": "20d10", "damage_type": "fire"}
    drill = fought({"innate_ability": "cha", "weapons": [], "innate": [{"spell": ray, "uses": 1}]})
    cast = [event for event in all_of(drill.fight.events, Declared) if event.action == "dnd5e:spell:ray"]
    assert len(cast) == 1


def test_an_area_is_cast_on_named_targets_where_nobody_has_a_place() -> None:
    drill = Drill(dice="seed:3")
    drill.join("wizard", "Mila", controller="gm")
    for name in ("Ugh", "Agh", "Igh"):
        drill.join("orc", name, side="foes")
    drill.do("gm", "start")
    list(play(drill.fight, PlayLimits(rounds=2)))
    (fireball, *_) = [e for e in all_of(drill.fight.events, Declared) if e.action == "dnd5e:spell:fireball"]
    assert sorted(fireball.targets) == ["agh", "igh", "ugh"]
    assert list(check_declarations(drill.fight.events)) == []


def test_what_is_left_of_a_multiattack_decides_where_to_go() -> None:
    """The bite reached from 10 feet away, but the claws do not: it comes closer, once, and uses both."""
    drill = Drill(dice="seed:1")
    drill.join("ogre", "Beast", (5, 5), side="foes", overrides={"hp": 300, **MULTIATTACK})
    drill.join("fighter", "Rurik", (8, 5), controller="gm", overrides={"hp": 900})
    drill.do("gm", "start")
    if drill["turn"] != "beast":
        drill.next_turn()
    drill.do("beast", "melee_attack", target="rurik", weapon="bite")
    list(play(drill.fight, PlayLimits(turns=1)))
    made = [event for event in all_of(drill.fight.events, Declared) if event.actor == "beast"]
    names = [(event.action.rsplit(":", 1)[1], event.weapon) for event in made]
    assert names == [
        ("melee_attack", "bite"),
        ("move", None),
        ("strike", "claw"),
        ("strike", "claw"),
        ("end-turn", None),
    ]
