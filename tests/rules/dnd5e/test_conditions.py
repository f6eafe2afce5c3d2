"""One row for each condition: what it contributes to which chain, and what comes of it with fixed dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from combatlog.rules.dnd5e.attack.targeting import melee_weapons
from combatlog.rules.dnd5e.battlemap.movement import speed_of
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import light_at
from combatlog.rules.dnd5e.combatant_state import afflict
from combatlog.rules.dnd5e.contexts import Check, Save
from combatlog.rules.dnd5e.enums import AbilityScore
from combatlog.rules.dnd5e.hit_points import maximum_hp
from combatlog.rules.dnd5e.pieces import PIECES, Dnd5eCondition, pieces_of
from combatlog.rules.dnd5e.saves_and_checks import save_chain
from combatlog.rules.engine.dice.dice_sources import TableDice
from combatlog.rules.engine.resolution.chain import Modifier
from combatlog.rules.engine.resolution.fight_engine import utc_now
from combatlog.rules.engine.resolution.table import Circumstances, Table
from combatlog.testing import Drill, all_of, only
from ledger.events import AttackResolved, ChainModified, ConditionRemoved, SaveResolved
from projections.battle.combatant import Combatant
from tests.rules.dnd5e import (
    test_aftermaths,
    test_class_features,
    test_creature_powers,
    test_lasting_spells,
    test_protections,
)
from tests.rules.dnd5e.used_in_scenarios import in_scenarios

HP = 40
AFTERMATHS = [
    *vars(test_aftermaths),
    *vars(test_creature_powers),
    *vars(test_lasting_spells),
    *vars(test_protections),
    *vars(test_class_features),
]


def duel() -> Drill:
    """Snig the goblin (+4 to hit, 1d6+2 slashing) next to Rurik the fighter (AC 16, medium armour). Snig acts."""
    drill = Drill()
    drill.join("goblin", "Snig", (2, 1), side="foes", reactions={"*": "never"})
    drill.join("fighter", "Rurik", (1, 1), reactions={"*": "never"}, overrides={"hp": HP, "armor": "medium"})
    drill.start(dice=[20, 10])
    return drill


def give(drill: Drill, combatant: str, *conditions: str) -> None:
    drill.do("gm", "rule", target=combatant, options={"add": list(conditions), "reason": "the test says so"})


@dataclass(frozen=True)
class Row:
    """An attack of Snig's: who has the condition, what it contributes, the dice, and how it ends."""

    condition: str
    holder: str
    contributes: Sequence[tuple[str, str]]
    dice: Sequence[int]
    hit: bool
    hp: int
    critical: bool = False

    @property
    def name(self) -> str:
        return self.condition.partition(":")[0]


ADVANTAGE, DISADVANTAGE = ("attack", "advantage"), ("attack", "disadvantage")
AS_ATTACKER, AS_TARGET = "snig", "rurik"
LOW_OF_TWO = {"dice": (18, 3), "hit": False, "hp": 40}  # 3 + 4 misses 16
HIGH_OF_TWO = {"dice": (3, 18, 4), "hit": True, "hp": 34}  # 18 + 4 hits, 4 + 2

ATTACKS = [
    Row("blinded", AS_ATTACKER, [DISADVANTAGE], **LOW_OF_TWO),
    Row("blinded", AS_TARGET, [ADVANTAGE], **HIGH_OF_TWO),
    Row("frightened", AS_ATTACKER, [DISADVANTAGE], **LOW_OF_TWO),
    Row("invisible", AS_ATTACKER, [ADVANTAGE], **HIGH_OF_TWO),
    Row("invisible", AS_TARGET, [DISADVANTAGE], **LOW_OF_TWO),
    Row("hidden", AS_ATTACKER, [ADVANTAGE], **HIGH_OF_TWO),
    Row("hidden", AS_TARGET, [DISADVANTAGE], **LOW_OF_TWO),
    Row("poisoned", AS_ATTACKER, [DISADVANTAGE], **LOW_OF_TWO),
    Row("prone", AS_ATTACKER, [DISADVANTAGE], **LOW_OF_TWO),
    Row("prone", AS_TARGET, [ADVANTAGE], **HIGH_OF_TWO),
    Row("restrained", AS_ATTACKER, [DISADVANTAGE], **LOW_OF_TWO),
    Row("restrained", AS_TARGET, [ADVANTAGE], **HIGH_OF_TWO),
    Row("squeezing", AS_ATTACKER, [DISADVANTAGE], **LOW_OF_TWO),
    Row("squeezing", AS_TARGET, [ADVANTAGE], **HIGH_OF_TWO),
    Row("stunned", AS_TARGET, [ADVANTAGE], **HIGH_OF_TWO),
    Row("paralyzed", AS_TARGET, [ADVANTAGE, ("attack", "critical_from")], (3, 18, 4, 5), True, 29, critical=True),
    Row("unconscious", AS_TARGET, [ADVANTAGE, ("attack", "critical_from")], (3, 18, 4, 5), True, 29, critical=True),
    Row("petrified", AS_TARGET, [ADVANTAGE, ("damage_taken", "divide")], (3, 18, 4), True, 37),  # 6 halved
    Row("dodging", AS_TARGET, [DISADVANTAGE], **LOW_OF_TWO),
    Row("helped", AS_ATTACKER, [ADVANTAGE], **HIGH_OF_TWO),
    Row("reckless", AS_TARGET, [ADVANTAGE], **HIGH_OF_TWO),
    Row("raging", AS_TARGET, [("damage_taken", "divide")], (18, 4), True, 37),
    Row("exhaustion:3", AS_ATTACKER, [DISADVANTAGE], **LOW_OF_TWO),
    Row("exhaustion:2", AS_ATTACKER, [], (12, 4), True, 34),  # 16 against 16: a tie hits
    Row("blessed", AS_ATTACKER, [("attack", "dice")], (9, 3, 4), True, 34),  # 9 + 4 + 3 is 16
    Row("baned", AS_ATTACKER, [("attack", "dice")], (15, 4), False, 40),  # 15 + 4 - 4 is 15
    Row("shielded", AS_TARGET, [("armor_class", "bonus")], (16,), False, 40),  # 20 against 21
    Row("incapacitated", AS_TARGET, [], (12, 4), True, 34),
    Row("deafened", AS_TARGET, [], (12, 4), True, 34),
    Row("grappled", AS_ATTACKER, [], (12, 4), True, 34),
]


@pytest.mark.parametrize("row", ATTACKS, ids=lambda row: f"{row.condition}-{row.holder}")
def test_condition_contributes_to_an_attack(row: Row) -> None:
    drill = duel()
    give(drill, row.holder, row.condition)
    drill.do("snig", "attack")
    events = drill.do("snig", "strike", target="rurik", dice=row.dice)
    contributions = [event for event in all_of(events, ChainModified) if event.source == source_of(row.name)]
    resolved = only(events, AttackResolved)
    assert [(event.chain, event.change.op.value) for event in contributions] == list(row.contributes)
    assert all(event.owner == row.holder for event in contributions)
    assert (resolved.hit, resolved.critical, drill["rurik.hp"]) == (row.hit, row.critical, row.hp)


def source_of(condition: str) -> str:
    """Conditions that are a spell's doing name the spell."""
    spells = {"blessed": "bless", "baned": "bane", "shielded": "shield"}
    return f"dnd5e:spell:{spells[condition]}" if condition in spells else f"dnd5e:condition:{condition}"


def combatant_with(condition: str) -> tuple[Drill, Combatant]:
    drill = duel()
    give(drill, "rurik", condition)
    return drill, drill.fight.battle.combatants["rurik"]


@pytest.mark.parametrize(
    ("condition", "speed"),
    [
        ("grappled", 0),
        ("halted", 0),
        ("restrained", 0),
        ("stunned", 0),
        ("paralyzed", 0),
        ("petrified", 0),
        ("unconscious", 0),
        ("exhaustion:1", 30),
        ("exhaustion:2", 15),
        ("exhaustion:5", 0),
        ("prone", 30),
    ],
)
def test_condition_changes_speed(condition: str, speed: int) -> None:
    _, rurik = combatant_with(condition)
    assert speed_of(rurik) == speed


@pytest.mark.parametrize(
    ("condition", "ability", "contribution"),
    [
        ("squeezing", "dex", "disadvantage"),
        ("restrained", "dex", "disadvantage"),
        ("dodging", "dex", "advantage"),
        ("raging", "str", "advantage"),
        ("paralyzed", "dex", "flag"),
        ("petrified", "str", "flag"),
        ("stunned", "str", "flag"),
        ("unconscious", "dex", "flag"),
        ("exhaustion:3", "wis", "disadvantage"),
        ("blessed", "wis", "dice"),
        ("baned", "con", "dice"),
    ],
)
def test_condition_contributes_to_a_save(condition: str, ability: str, contribution: str) -> None:
    drill, rurik = combatant_with(condition)
    save = Save(drill.fight.battle, rurik, AbilityScore(ability), 10, "dnd5e:spell:fireball")
    contributed = [m.change.op for m in save_chain(save) if m.stage == "conditions"]
    assert contributed == [contribution]


@pytest.mark.parametrize("condition", ["poisoned", "frightened", "exhaustion:1"])
def test_condition_hampers_checks(condition: str) -> None:
    drill, rurik = combatant_with(condition)
    piece = PIECES[f"dnd5e:condition:{condition.partition(':')[0]}"]
    assert isinstance(piece, Dnd5eCondition)
    check = Check(drill.fight.battle, rurik, AbilityScore.DEX, "stealth", 10)
    (modifier,) = piece.on_check(check, rurik)
    assert isinstance(modifier, Modifier)
    assert modifier.change.op == "disadvantage"


def test_exhaustion_4_halves_the_hit_point_maximum() -> None:
    _, rurik = combatant_with("exhaustion:4")
    assert maximum_hp(rurik) == 20


@pytest.mark.parametrize("condition", ["incapacitated", "stunned", "paralyzed", "petrified", "unconscious", "dead"])
def test_condition_takes_actions_and_reactions_away(condition: str) -> None:
    drill = duel()
    give(drill, "snig", condition)
    assert drill.refusal("snig", "attack").code == "turn/cannot-act"
    give(drill, "rurik", condition)
    ends = [condition, "prone"] if condition == "unconscious" else [condition]
    assert drill.do("gm", "rule", target="snig", options={"remove": ends, "reason": "up"})
    drill.do("snig", "move", to=(6, 1))  # nobody strikes at it
    assert drill["snig.position"] == (6, 1)


@pytest.mark.parametrize("condition", ["grappled", "halted", "restrained"])
def test_condition_keeps_from_moving(condition: str) -> None:
    drill = duel()
    give(drill, "snig", condition)
    assert drill.refusal("snig", "move", to=(5, 1)).code == "move/speed-0"


def test_prone_crawls_and_is_hard_to_shoot_from_afar() -> None:
    drill = duel()
    drill.do("snig", "disengage")
    give(drill, "snig", "prone")
    events = drill.do("snig", "move", to=(4, 1))
    assert drill["snig.movement"] == 10  # two steps of 5 and 5 for crawling
    assert [e.reason for e in all_of(events, ChainModified)] == ["Snig crawls"]
    drill.next_turn()
    drill.do("rurik", "attack")
    events = drill.do("rurik", "strike", target="snig", weapon="longbow", dice=(18, 3))
    assert [e.change.op for e in all_of(events, ChainModified) if e.source.endswith("prone")] == ["disadvantage"]
    assert only(events, AttackResolved).roll == 3


def test_charmed_does_not_attack_its_charmer() -> None:
    drill = duel()
    afflicted_by(drill, "rurik", "snig", "charmed")
    drill.do("snig", "attack")
    assert drill.refusal("snig", "strike", target="rurik").code == "target/forbidden"


def afflicted_by(drill: Drill, owner: str, target: str, condition: str) -> bool:
    """As a ruling, but somebody in the fight brought it about."""
    table = Table(drill.fight.battle, Circumstances(dice=TableDice(()), now=utc_now()))
    subject = drill.fight.battle.combatants[target]
    held = afflict(table, subject, f"dnd5e:condition:{condition}", source="dnd5e:spell:charm", owner=owner)
    drill.fight.course.adopt(table.new)
    return held


def test_frightened_does_not_go_nearer_to_what_it_fears() -> None:
    drill = duel()
    drill.do("snig", "disengage")
    drill.do("snig", "move", to=(5, 1))
    afflicted_by(drill, "rurik", "snig", "frightened")
    assert drill.refusal("snig", "move", to=(4, 1)).code == "move/forbidden"
    drill.do("snig", "move", to=(6, 1))
    assert drill["snig.position"] == (6, 1)


def test_helped_is_used_up_by_the_attack() -> None:
    drill = duel()
    give(drill, "snig", "helped")
    drill.do("snig", "attack")
    events = drill.do("snig", "strike", target="rurik", dice=(3, 4))
    assert only(events, ConditionRemoved).condition == "dnd5e:condition:helped"


def test_hidden_ends_with_the_attack() -> None:
    drill = duel()
    give(drill, "snig", "hidden")
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", dice=(3, 4))
    assert drill["snig.conditions"] == []


def test_disengaging_leaves_unharmed() -> None:
    drill = duel()
    give(drill, "snig", "disengaging")
    assert all(event.kind in ("declared", "moved", "resource_changed") for event in drill.do("snig", "move", to=(4, 1)))


def test_concentrating_saves_when_hurt_and_loses_the_spell_when_it_fails() -> None:
    drill = duel()
    give(drill, "rurik", "concentrating")
    drill.do("snig", "attack")
    events = drill.do("snig", "strike", target="rurik", dice=(18, 4, 5))  # con 14 and proficient: 5 + 4 against 10
    save = only(events, SaveResolved)
    assert (save.save, save.total, save.against, save.success) == ("con", 9, 10, False)
    assert drill["rurik.conditions"] == []


def test_raging_ends_without_a_fight() -> None:
    drill = duel()
    give(drill, "snig", "raging")
    events = drill.next_turn()
    assert [e.why for e in all_of(events, ConditionRemoved)] == ["neither attacked nor took damage"]


def test_stable_is_dying_again_when_hurt() -> None:
    drill = duel()
    give(drill, "rurik", "unconscious", "stable")
    drill.do("gm", "rule", target="rurik", options={"set": {"hp": 0}, "reason": "down"})
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", dice=(3, 18, 1, 1))  # 4 damage, a critical hit: two failures
    assert drill["rurik.conditions"] == ["dying", "prone", "unconscious"]
    dying = drill.fight.battle.combatants["rurik"].conditions["dnd5e:condition:dying"]
    assert dying.data == {"successes": 0, "failures": 2}


def test_readied_waits_for_its_trigger() -> None:
    drill = duel()
    drill.do("snig", "disengage")
    drill.do("snig", "move", to=(6, 1))
    drill.next_turn()
    drill.do("rurik", "ready", options={"trigger": "approaches", "action": "strike"})
    assert drill["rurik.conditions"] == ["readied"]
    drill.next_turn()
    drill.do("snig", "move", to=(3, 1))  # nearer, but not within reach
    assert (drill["rurik.conditions"], drill["rurik.reaction"]) == (["readied"], 1)


def test_dead_cannot_be_struck() -> None:
    drill = duel()
    give(drill, "rurik", "dead")
    drill.do("snig", "attack")
    assert drill.refusal("snig", "strike", target="rurik").code == "strike/dead"


def test_dying_fails_a_death_save_when_hurt() -> None:
    drill = duel()
    give(drill, "rurik", "dying")
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik", dice=(18, 4))
    assert drill.fight.battle.combatants["rurik"].conditions["dnd5e:condition:dying"].data["failures"] == 1


def test_halted_does_not_move() -> None:
    drill = duel()
    give(drill, "snig", "halted")
    assert drill.refusal("snig", "move", to=(3, 1)).code == "move/speed-0"


def test_surprised_does_nothing_until_its_turn_is_over() -> None:
    drill = duel()
    give(drill, "snig", "surprised")
    assert drill.refusal("snig", "dodge").code == "turn/cannot-act"
    drill.next_turn()
    assert drill["snig.conditions"] == []


def test_missing_weapons_cannot_be_used() -> None:
    drill = Drill()
    drill.join("rogue", "Vex", (1, 1))
    drill.join("orc", "Ugh", (4, 1), side="foes")
    drill.start(dice=[20, 1])
    drill.do("vex", "ranged_attack", target="ugh", weapon="dagger", dice=(2,))
    assert drill["vex.conditions"] == ["missing_weapons"]
    assert "dagger" not in [weapon.name for weapon in melee_weapons(drill.fight.battle.combatants["vex"])]


def test_shieldless_is_2_easier_to_hit() -> None:
    drill = Drill()
    drill.join("paladin", "Osric", (1, 1))
    drill.join("orc", "Ugh", (2, 1), side="foes")
    drill.start(dice=[1, 20])
    give(drill, "osric", "shieldless")
    drill.do("ugh", "attack")
    events = drill.do("ugh", "strike", target="osric", dice=(2,))
    assert only(events, AttackResolved).against == 16


def test_airborne_falls_when_it_is_knocked_prone() -> None:
    drill = duel()
    give(drill, "rurik", "airborne")  # 10 feet up, if nothing else is said
    drill.do("gm", "rule", target="rurik", options={"add": ["prone"], "reason": "a test"}, dice=(4,))
    assert (drill["rurik.conditions"], drill["rurik.hp"]) == (["prone"], HP - 4)


def caster(spell: str, slot: int, **options: object) -> Drill:
    """Mila the wizard at 1,1 on her turn knows one more spell; Ugh the orc stands next to her."""
    drill = Drill(options=options)
    drill.join("wizard", "Mila", (1, 1), overrides={"spells": [spell], "slots": {slot: 1}})
    drill.join("orc", "Ugh", (2, 1), side="foes", reactions={"*": "never"})
    drill.start(dice=[20, 1])
    return drill


def test_dominated_cannot_attack_its_master() -> None:
    drill = caster("dominate_person", 5)
    drill.do("mila", "dominate_person", target="ugh", dice=(3,))
    drill.next_turn()
    assert drill.refusal("ugh", "melee_attack", target="mila").code == "target/forbidden"


def test_zone_ends_with_concentration() -> None:
    drill = caster("fog_cloud", 1)
    drill.do("mila", "fog_cloud", to=(5, 1))
    drill.do("gm", "rule", target="mila", options={"remove": ["concentrating"], "reason": "the test says so"})
    assert drill["mila.conditions"] == []


def test_scathed_ends_with_the_turn() -> None:
    drill = Drill(options={"hazards": {"embers": {"squares": ["1,1"], "damage": "1d4"}}})
    drill.join("goblin", "Snig", (1, 1), side="foes")
    drill.join("fighter", "Rurik", (5, 5))
    drill.start(dice=[20, 1, 3])
    assert (drill["snig.conditions"], drill["snig.hp"]) == (["scathed"], 4)
    drill.next_turn()
    assert drill["snig.conditions"] == []


@pytest.mark.parametrize(("column", "light"), [(6, "bright"), (7, "dim"), (10, "dim"), (11, "dark")])
def test_lit_gives_light(column: int, light: str) -> None:
    drill = Drill(options={"light": "dark"})
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.start(dice=[20])
    drill.do("snig", "torch")
    assert light_at(drill.fight.battle, (column, 1)) == light  # 20 feet bright, 20 more dim


def mounted() -> Drill:
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("wolf", "Horse", (2, 1), overrides={"size": "large"})
    drill.start(dice=[20, 1])
    drill.do("rurik", "mount", target="horse")
    return drill


def test_riding_falls_off_when_it_cannot_act() -> None:
    drill = mounted()
    give(drill, "rurik", "stunned")
    assert (drill["rurik.conditions"], drill["horse.conditions"]) == (["prone", "stunned"], [])
    assert drill["rurik.position"] != drill["horse.position"]


def test_ridden_throws_its_rider_when_it_falls() -> None:
    drill = mounted()
    give(drill, "horse", "prone")
    assert (drill["rurik.conditions"], drill["rurik.reaction"]) == ([], 0)  # it lands on its feet


def test_mocked_has_disadvantage_on_its_next_attack() -> None:
    drill = duel()
    give(drill, "snig", "mocked")
    drill.do("snig", "attack")
    events = drill.do("snig", "strike", target="rurik", dice=(18, 2))
    assert only(events, AttackResolved).roll == 2
    assert drill["snig.conditions"] == []


def test_withered_cannot_be_healed() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("orc", "Ugh", (9, 9), side="foes")
    drill.start(dice=[20, 1])
    drill.rule("rurik", set={"hp": 5}, reason="a trap")
    give(drill, "rurik", "withered")
    drill.do("rurik", "second_wind", dice=(6,))
    assert drill["rurik.hp"] == 5


def strike_with_both(name: str) -> None:
    """A mark changes no roll, whoever has it."""
    drill = duel()
    give(drill, "snig", name)
    give(drill, "rurik", name)
    drill.do("snig", "melee_attack", target="rurik", weapon="scimitar", dice=[12, 3])
    assert (drill["rurik.hp"], drill["snig.conditions"]) == (HP - 5, [name])  # 12 + 4 is 16; 3 + 2


def test_cursed_changes_no_roll() -> None:
    strike_with_both("cursed")


def test_sunlit_changes_no_roll() -> None:
    strike_with_both("sunlit")


def test_weakened_arms_strike_with_disadvantage() -> None:
    """Rurik strikes with Strength: 4 + 5 miss the goblin's 15. Snig's scimitar is a matter of Dexterity."""
    drill = duel()
    give(drill, "snig", "weakened")
    give(drill, "rurik", "weakened")
    drill.do("snig", "melee_attack", target="rurik", weapon="scimitar", dice=[12, 3])
    assert drill["rurik.hp"] == HP - 5
    drill.next_turn()
    events = drill.do("rurik", "melee_attack", target="snig", weapon="longsword", dice=[18, 4])
    assert only(events, AttackResolved).total == 9


def test_every_condition_has_its_row_or_its_own_test() -> None:
    rows = {row.name for row in ATTACKS}
    tests = [name for name in globals() if name.startswith("test_")]
    tests += AFTERMATHS
    missing = [
        name
        for name in pieces_of(Dnd5eCondition)
        if name not in rows and not any(test.startswith(f"test_{name}_") for test in tests) and not in_scenarios(name)
    ]
    assert missing == []


def test_an_immune_creature_does_not_get_the_condition() -> None:
    drill = Drill()
    drill.join("skeleton", "Bones", (1, 1), side="foes")
    assert not afflicted_by(drill, "gm", "bones", "poisoned")
    assert drill["bones.conditions"] == []
    assert afflicted_by(drill, "gm", "bones", "prone")


def test_exhaustion_6_is_death() -> None:
    drill = duel()
    give(drill, "rurik", "exhaustion:6")
    assert "dead" in drill["rurik.conditions"]
