"""What creatures do that characters do not, with numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.dnd5e.archetypes.traits import TraitCircumstances
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import light_at
from combatlog.rules.engine.refusal import Refusal
from combatlog.testing import Drill, all_of, only
from ledger.events import AttackResolved, Damaged, Healed, SaveResolved

CLAW = {"name": "claw", "to_hit": 4, "damage": "1d6+2", "damage_type": "slashing"}
ROOM = ["." * 12] * 8


def beast(**more: Any) -> dict[str, Any]:
    """+4 to hit, 1d6+2; 40 hit points, AC 12, speed 30, dexterity save +1."""
    return {
        "name": "Beast",
        "nature": "monster",
        "abilities": {"str": 14, "dex": 12, "con": 12, "int": 3, "wis": 10, "cha": 6},
        "ac": 12,
        "hp": 40,
        "weapons": [CLAW],
        **more,
    }


def fight(at: tuple[int, int] = (2, 2), map: list[str] = ROOM, light: str | None = None, **more: Any) -> Drill:
    """The beast's turn; Rurik the fighter (AC 16) at 3,2."""
    drill = Drill(map=map, options={"light": light} if light else {})
    drill.join(beast(**more), "Beast", at, side="foes")
    drill.join("fighter", "Rurik", (3, 2), overrides={"hp": 40}, reactions={"*": "never"})
    drill.start(dice=[20, 1])
    return drill


# Legendary actions with movement


def legend(**stride: Any) -> Drill:
    drill = Drill(map=ROOM)
    claw = {"name": "claw", "stride": stride, "once": True}
    drill.join(beast(legendary=[claw], legendary_actions=3), "Beast", (9, 2), side="foes", reactions={"*": "ask"})
    drill.join("fighter", "Rurik", (3, 2), reactions={"*": "never"})
    drill.start(dice=[20, 1])
    drill.next_turn()
    drill.next_turn()
    return drill


def test_a_legendary_action_can_begin_with_a_move() -> None:
    drill = legend(when="before", share="full")
    events = drill.react("beast", "legendary_action", options={"move": "4,2", "target": "rurik"}, dice=[12, 3])
    assert drill["beast.position"] == (4, 2)  # 25 of its 30 feet
    assert drill["beast.claw_once"] == 1  # its own turn has begun since
    assert only(events, AttackResolved).total == 16


@pytest.mark.parametrize(
    ("stride", "to", "code"),
    [
        ({"when": "before"}, "4,2", "stride/too-far"),  # half of 30 is 15
        ({"when": "before"}, "x", "move/square"),
    ],
)
def test_a_legendary_move_has_its_limits(stride: dict[str, Any], to: str, code: str) -> None:
    drill = legend(**stride)
    with pytest.raises(Refusal) as refused:
        drill.react("beast", "legendary_action", options={"move": to, "target": "rurik"})
    assert refused.value.code == code


# Bodies


def test_swarm_stops_in_the_space_of_others_and_regains_nothing() -> None:
    drill = fight(features=["swarm"])
    drill.do("beast", "move", to=(3, 2))
    assert drill["beast.position"] == (3, 2)
    drill.do("gm", "rule", target="beast", options={"set": {"hp": 10}, "reason": "a test"})
    drill.do("gm", "heal", target="beast", options={"amount": 5, "reason": "a test"})
    assert drill["beast.hp"] == 10


def test_formless_stops_in_the_space_of_an_enemy() -> None:
    drill = fight(features=["formless"])
    drill.do("beast", "move", to=(3, 2))
    assert drill["beast.position"] == (3, 2)


def test_others_do_not_stop_in_occupied_spaces() -> None:
    assert fight().refusal("beast", "move", to=(3, 2)).code == "move/occupied"


WALLED = ["#######", "#..#..#", "#..#..#", "#######"]


def test_incorporeal_movement_passes_walls_as_difficult_terrain_but_does_not_stop_in_them() -> None:
    drill = Drill(map=WALLED)
    drill.join(beast(features=["incorporeal_movement"]), "Beast", (2, 1), side="foes")
    drill.join("fighter", "Rurik", (5, 2))
    drill.start(dice=[20, 1])
    assert drill.refusal("beast", "move", to=(3, 1)).code == "move/not-open"
    drill.do("beast", "move", to=(4, 1))
    assert (drill["beast.position"], drill["beast.movement"]) == ((4, 1), 15)  # 10 for the wall and 5


INVISIBLE = {
    "name": "vanish",
    "archetype": "stance",
    "condition": "invisible",
    "lasts": "until_ended",
    "fleeting": True,
}


def test_fleeting_invisibility_ends_with_an_attack() -> None:
    drill = fight(actions=[{**INVISIBLE, "takes": "bonus_action"}])
    drill.do("beast", "vanish")
    drill.do("beast", "attack")
    events = drill.do("beast", "strike", target="rurik", dice=[2, 15, 3])
    assert only(events, AttackResolved).total == 19  # the better of two, and 4
    assert drill["beast.conditions"] == []


def test_invisibility_can_take_concentration() -> None:
    drill = fight(actions=[{**INVISIBLE, "concentration": True}])
    drill.do("beast", "vanish")
    assert drill["beast.conditions"] == ["concentrating", "invisible"]
    drill.do("gm", "rule", target="beast", options={"remove": ["concentrating"], "reason": "a test"})
    assert drill["beast.conditions"] == []


def test_blending_in_helps_to_hide_only_those_with_camouflage() -> None:
    contributes = [{"to": "check", "advantage": True, "when": {"skill": "stealth", "owner_is": "blending_in"}}]
    pillar = [".....", ".#...", ".....", "....."]
    drill = fight((0, 1), pillar, features=[{"name": "hue", "archetype": "trait", "contributes": contributes}])
    drill.do("gm", "rule", target="beast", options={"add": ["blending_in"], "reason": "rocks"})
    drill.do("beast", "hide", dice=[3, 17])  # two dice


def test_absorption_heals_instead() -> None:
    drink = {"name": "drink", "archetype": "absorption", "damage_type": "fire"}
    drill = fight(features=[drink])
    drill.do("gm", "rule", target="beast", options={"set": {"hp": 10}, "reason": "a test"})
    events = drill.do("gm", "hurt", target="beast", options={"amount": 7, "type": "fire", "reason": "a test"})
    assert (only(events, Healed).amount, drill["beast.hp"]) == (7, 17)


TROLL = {"name": "mend", "archetype": "regeneration", "amount": 10, "stopped_by": ["fire"], "undying": True}


@pytest.mark.parametrize(("kind", "hp", "held"), [("cold", 10, ["prone"]), ("fire", 0, ["dead"])])
def test_regeneration_that_only_fire_stops(kind: str, hp: int, held: list[str]) -> None:
    drill = fight(features=[TROLL])
    drill.do("gm", "hurt", target="beast", options={"amount": 40, "type": kind, "reason": "a test"})
    assert "unconscious" in drill["beast.conditions"]
    drill.next_turn()
    drill.next_turn()
    assert (drill["beast.hp"], set(held) <= set(drill["beast.conditions"])) == (hp, True)


def test_glow_lights_the_dark() -> None:
    drill = fight(light="dark", features=[{"name": "shine", "archetype": "glow", "bright": 10, "dim": 10}])
    lights = [light_at(drill.fight.battle, (column, 2)).value for column in (4, 5, 6, 7)]
    assert lights == ["bright", "dim", "dim", "dark"]  # 10 feet, then 10 more


@pytest.mark.parametrize(("light", "dice", "total"), [("dark", [18, 7, 3], 22), (None, [18, 5], 9)])
def test_light_sensitivity_hampers_only_in_bright_light(light: str | None, dice: list[int], total: int) -> None:
    """In the dark, Rurik does not see it: the better of two dice. In the light, the worse."""
    shy = [{"to": "attack", "disadvantage": True, "when": {"in_light": "bright"}}]
    trait = {"name": "shy", "archetype": "trait", "contributes": shy}
    drill = fight(light=light, features=[trait], senses={"blindsight": 60})
    drill.do("beast", "attack")
    assert only(drill.do("beast", "strike", target="rurik", dice=dice), AttackResolved).total == total


# Less to do


def test_sluggish_has_one_attack_and_either_kind_of_action() -> None:
    drill = fight(multiattack=3, actions=[{**INVISIBLE, "takes": "bonus_action"}])
    drill.do("gm", "rule", target="beast", options={"add": ["sluggish"], "reason": "a test"})
    drill.do("beast", "attack")
    assert (drill["beast.attacks"], drill["beast.bonus_action"]) == (1, 0)
    assert drill.refusal("beast", "vanish").code.startswith("economy/")


@pytest.mark.parametrize(("condition", "against"), [("sluggish", 16), ("slowed", 14)])
def test_slowed_is_easier_to_hit(condition: str, against: int) -> None:
    drill = fight()
    drill.do("gm", "rule", target="rurik", options={"add": [condition], "reason": "a test"})
    drill.do("beast", "attack")
    events = drill.do("beast", "strike", target="rurik", dice=[2])
    assert only(events, AttackResolved).against == against


# Actions and reactions


def breath(**more: Any) -> dict[str, Any]:
    return {
        "name": "breath",
        "archetype": "area",
        "shape": "cone",
        "size": 15,
        "range": 15,
        "save": "dex",
        "dc": 12,
        "damage": "4d6",
        "damage_type": "fire",
        **more,
    }


@pytest.mark.parametrize(("die", "hp"), [(15, 40), (2, 33)])
def test_evasion_takes_none_or_half(die: int, hp: int) -> None:
    """14 damage: none after a save that would halve it, and 7 if it fails."""
    drill = Drill(map=ROOM)
    drill.join(beast(actions=[breath()]), "Beast", (2, 2), side="foes")
    drill.join(beast(features=["evasion"]), "Cat", (3, 2))
    drill.start(dice=[20, 1])
    drill.do("beast", "breath", to=(4, 2), dice=[3, 3, 4, 4, die])
    assert drill["cat.hp"] == hp


@pytest.mark.parametrize(("die", "hp"), [(15, 40), (2, 36)])
def test_evasion_helps_against_a_death_burst(die: int, hp: int) -> None:
    """8 damage of 2d6: none with 15 + 1 against 12, and 4 with 2 + 1."""
    burst = {"name": "burst", "archetype": "death_burst", "size": 5, "save": "dex", "dc": 12}
    drill = Drill(map=ROOM)
    drill.join(beast(features=["evasion"]), "Cat", (3, 2), reactions={"*": "never"})
    mephit = beast(hp=1, features=[{**burst, "damage": "2d6", "damage_type": "fire"}])
    drill.join(mephit, "Mephit", (2, 2), side="foes", reactions={"*": "never"})
    drill.start(dice=[20, 1])
    drill.do("cat", "attack")
    drill.do("cat", "strike", target="mephit", dice=[15, 1, die, 4, 4])
    assert drill["cat.hp"] == hp


@pytest.mark.parametrize(("die", "hp"), [(15, 40), (2, 36)])
def test_evasion_helps_against_the_poison_of_a_bite(die: int, hp: int) -> None:
    """An on-hit effect that a Dexterity save halves: 8 damage of 2d6, besides 3 of the claw."""
    flash = {"save": "dex", "dc": 12, "damage": "2d6", "damage_type": "fire"}
    drill = Drill(map=ROOM)
    drill.join(beast(features=[{"name": "flash", "archetype": "on_hit", "then": flash}]), "Beast", (2, 2), side="foes")
    drill.join(beast(features=["evasion"]), "Cat", (3, 2), reactions={"*": "never"})
    drill.start(dice=[20, 1])
    drill.do("beast", "attack")
    drill.do("beast", "strike", target="cat", dice=[15, 1, die, 4, 4])
    assert drill["cat.hp"] == hp - 3


@pytest.mark.parametrize(("die", "hp"), [(15, 40), (2, 35)])
def test_evasion_helps_against_hellish_rebuke(die: int, hp: int) -> None:
    """10 damage of 2d10: none with 15 + 1 against Mila's DC 12 (intelligence +2, proficiency +2), and 5 with 2 + 1."""
    drill = Drill(map=ROOM)
    drill.join(beast(features=["evasion"]), "Cat", (3, 2), reactions={"*": "never"})
    abilities = {"str": 10, "dex": 10, "con": 10, "int": 14, "wis": 10, "cha": 10}
    told = {"level": 1, "ac": 10, "hp": 30, "abilities": abilities, "spells": ["hellish_rebuke"], "slots": {1: 1}}
    drill.join("wizard", "Mila", (2, 2), side="foes", overrides=told)
    drill.start(dice=[20, 1])
    drill.do("cat", "attack")
    drill.do("cat", "strike", target="mila", dice=[15, 1, die, 4, 6], replies={"mila": "hellish_rebuke"})
    assert drill["cat.hp"] == hp


def test_an_area_with_damage_of_two_types_spares_a_kind_of_creature() -> None:
    drill = Drill(map=ROOM)
    holy = breath(extra=[{"damage": "1d6", "damage_type": "radiant"}], not_on=["undead"])
    drill.join(beast(actions=[holy]), "Beast", (2, 2), side="foes")
    drill.join(beast(resistances=["radiant"]), "Cat", (3, 2))
    drill.join("zombie", "Gloom", (4, 2))
    drill.start(dice=[20, 1, 1])
    drill.do("beast", "breath", to=(4, 2), dice=[3, 3, 4, 4, 5, 2])
    assert drill["cat.hp"] == 40 - 14 - 2  # 5 radiant halved
    assert drill["gloom.hp"] == 22


def test_reactive_has_a_reaction_in_every_turn() -> None:
    drill = fight(features=["reactive"])
    drill.do("gm", "rule", target="beast", options={"set": {"reaction": 0}, "reason": "a test"})
    drill.next_turn()
    assert drill["beast.reaction"] == 1


def test_follow_up_after_a_charge() -> None:
    bite = {"name": "bite", "to_hit": 4, "damage": "1d8", "damage_type": "piercing"}
    pounce = {"condition": "prone", "lasts": "until_ended", "grants": "bite"}
    charge = {"name": "pounce", "archetype": "on_hit", "when": {"moved": 15, "weapon": "claw"}, "then": pounce}
    drill = fight((7, 2), weapons=[CLAW, bite], features=[charge])
    drill.do("beast", "move", to=(4, 2))
    drill.do("beast", "attack")
    drill.do("beast", "strike", target="rurik", weapon="claw", dice=[12, 3])
    drill.do("beast", "follow_up", target="rurik", dice=[2, 12, 6])  # prone: the better of two
    assert (drill["rurik.hp"], drill["beast.bonus_action"]) == (40 - 5 - 6, 0)


def test_follow_up_is_only_for_the_fallen() -> None:
    bite = {"name": "bite", "to_hit": 4, "damage": "1d8", "damage_type": "piercing"}
    pounce = {"condition": "prone", "lasts": "until_ended", "grants": "bite"}
    drill = fight(weapons=[CLAW, bite], features=[{"name": "pounce", "archetype": "on_hit", "then": pounce}])
    drill.do("beast", "attack")
    drill.do("beast", "strike", target="rurik", weapon="claw", dice=[12, 3])
    drill.do("gm", "rule", target="rurik", options={"remove": ["prone"], "reason": "helped up"})
    assert drill.refusal("beast", "follow_up", target="rurik").code == "follow-up/not-prone"


def test_constrict_holds_until_somebody_escapes() -> None:
    hold = {"condition": "grappled", "lasts": "until_ended", "escape_dc": 14, "also": ["restrained"]}
    squeeze = {"name": "squeeze", "archetype": "blast", "range": 5, "save": "str", "dc": 30, "damage": "2d6"}
    drill = fight(actions=[{**squeeze, "damage_type": "bludgeoning", "saved": "nothing", "then": hold}])
    drill.do("beast", "squeeze", target="rurik", dice=[3, 4, 10])
    assert drill["rurik.conditions"] == ["grappled", "restrained"]
    drill.next_turn()
    drill.do("rurik", "escape", dice=[15])
    assert drill["rurik.conditions"] == []


def test_a_spell_can_be_part_of_a_multiattack() -> None:
    more = {"spellcasting": "cha", "innate": [{"spell": "fire_bolt"}], "innate_ability": "cha"}
    drill = fight((6, 2), multiattack=[{"claw": 1, "fire_bolt": 1}], **more)
    drill.do("beast", "attack")
    assert (drill["beast.action"], drill["beast.attacks"]) == (0, 1)
    drill.do("beast", "fire_bolt", target="rurik", dice=[20, 1, 1])
    assert drill.refusal("beast", "fire_bolt", target="rurik").code.startswith("economy/")


@pytest.mark.parametrize(("ally", "damage"), [((3, 1), 5 + 6), ((8, 7), 5)])
def test_a_printed_sneak_attack_needs_an_ally_or_advantage(ally: tuple[int, int], damage: int) -> None:
    drill = fight(features=[{"name": "ambush", "archetype": "sneak_attack", "damage": "2d6"}])
    drill.join(beast(), "Friend", ally, side="foes", dice=[1])
    drill.do("beast", "attack")
    drill.do("beast", "strike", target="rurik", dice=[12, 3, 2, 4] if damage > 5 else [12, 3])
    assert drill["rurik.hp"] == 40 - damage


def test_deathless_agility_dashes_or_disengages() -> None:
    drill = fight(features=["deathless_agility"])
    drill.do("beast", "deathless_agility", options={"as": "disengage"})
    assert (drill["beast.conditions"], drill["beast.action"]) == (["disengaging"], 1)


def test_stride_on_top_of_the_turn() -> None:
    dart = {"name": "dart_off", "archetype": "stride", "share": "half", "slips": True, "takes": "bonus_action"}
    drill = fight(actions=[dart])
    assert drill.refusal("beast", "dart_off", to=(2, 6)).code == "stride/too-far"  # 20 feet, and half is 15
    drill.do("beast", "dart_off", to=(2, 5))
    assert (drill["beast.position"], drill["beast.movement"], drill["beast.conditions"]) == ((2, 5), 30, [])


@pytest.mark.parametrize(("condition", "alert"), [("stunned", False), ("prone", True)])
def test_alert_is_a_circumstance(condition: str, alert: bool) -> None:
    drill = fight()
    drill.do("gm", "rule", target="rurik", options={"add": [condition], "reason": "a test"})
    assert TraitCircumstances(alert=alert).holds(drill.fight.battle.combatants["rurik"])


def test_those_it_holds_are_easier_to_hit() -> None:
    contributes = [{"to": "attack", "advantage": True, "when": {"held": True}}]
    drill = fight(features=[{"name": "grip", "archetype": "trait", "contributes": contributes}], multiattack=2)
    drill.do("beast", "attack")
    drill.do("beast", "grapple", target="rurik", dice=[20, 1])
    events = drill.do("beast", "strike", target="rurik", dice=[2, 15, 3])
    assert only(events, AttackResolved).roll == 15


def test_all_saves_are_thrown_once() -> None:
    drill = fight(actions=[breath(then={"condition": "restrained", "worse": "petrified", "lasts": "until_ended"})])
    events = drill.do("beast", "breath", to=(4, 2), dice=[1, 1, 1, 1, 2])
    assert (len(all_of(events, SaveResolved)), len(all_of(events, Damaged))) == (1, 1)


CHARGE = {"name": "charge", "archetype": "on_hit", "when": {"moved": 20}, "damage": "1d6"}


@pytest.mark.parametrize(
    ("ground", "at", "hp"),
    [
        (".", (7, 2), 40 - 5 - 4),  # 25 feet gone
        (".", (6, 2), 40 - 5 - 4),  # 20 feet gone
        (".", (5, 2), 40 - 5),
        ("~", (5, 2), 40 - 5),  # 15 feet over rubble cost 30, but are no more than 15
    ],
)
def test_a_charge_counts_the_distance_and_not_its_cost(ground: str, at: tuple[int, int], hp: int) -> None:
    """3 + 2 of the claw, and 4 of the charge. Rurik has AC 16, and 15 + 4 hits."""
    drill = Drill(map=[ground * 12] * 5)
    drill.join(beast(features=[CHARGE]), "Boar", (1, 2), side="foes")
    drill.join("fighter", "Rurik", at, overrides={"hp": 40}, reactions={"*": "never"})
    drill.start(dice=[20, 1])
    drill.do("boar", "move", to=(at[0] - 1, 2))
    charges = hp < 40 - 5
    drill.do("boar", "melee_attack", target="rurik", dice=[15, 3, *([4] if charges else [])])
    assert drill["rurik.hp"] == hp


def test_standing_up_is_no_run_up() -> None:
    drill = Drill(map=ROOM)
    drill.join(beast(features=[CHARGE]), "Boar", (1, 2), side="foes")
    drill.join("fighter", "Rurik", (3, 2), overrides={"hp": 40}, reactions={"*": "never"})
    drill.start(dice=[20, 1])
    drill.do("gm", "rule", target="boar", options={"add": ["prone"], "reason": "a test"})
    drill.do("boar", "stand_up")  # half of 30 feet
    drill.do("boar", "move", to=(2, 2))
    drill.do("boar", "melee_attack", target="rurik", dice=[15, 3])
    assert drill["rurik.hp"] == 35
