"""Stat blocks print their numbers: saves, skills, the spell save DC and the spell attack bonus."""

from __future__ import annotations

import pytest

from combatlog.rules.dnd5e.creatures.sheet import read_sheet
from combatlog.rules.dnd5e.enums import AbilityScore, Skill
from combatlog.testing import Drill, only
from ledger.errors import Problem
from ledger.events import AttackResolved, Data, SaveResolved

CULTIST: Data = {
    "name": "Cultist",
    "nature": "monster",
    "abilities": {"str": 10, "dex": 14, "con": 12, "int": 16, "wis": 10, "cha": 10},
    "ac": 12,
    "hp": 30,
    "spellcasting": "int",
    "spells": ["fire_bolt", "hold_person"],
    "slots": {"2": 2},
    "save_bonuses": {"dex": 7},
    "skill_bonuses": {"stealth": 6, "perception": 4},
    "spell_dc": 17,
    "spell_attack": 9,
}


def facing_a_fighter() -> Drill:
    drill = Drill()
    drill.join(CULTIST, "Cultist", (1, 1), side="foes")
    drill.join("fighter", "Rurik", (5, 1))
    drill.start(dice=[20, 1])
    return drill


def test_a_printed_skill_bonus_takes_the_place_of_the_computed_one() -> None:
    sheet = read_sheet(CULTIST)
    assert sheet.skill_modifier(Skill.STEALTH) == 6
    assert sheet.skill_modifier(Skill.ATHLETICS) == 0


def test_a_printed_save_bonus_takes_the_place_of_the_computed_one() -> None:
    sheet = read_sheet(CULTIST)
    assert sheet.modifier(AbilityScore.DEX) + sheet.save_training(AbilityScore.DEX) == 7
    assert sheet.save_training(AbilityScore.INT) == 0


def test_a_printed_save_bonus_counts_in_a_fight() -> None:
    drill = Drill()
    drill.join("wizard", "Mira", (9, 1))
    drill.join(CULTIST, "Cultist", (1, 1), side="foes")
    drill.start(dice=[20, 1])
    events = drill.do("mira", "fireball", to=(1, 1), dice=[1, 1, 1, 1, 1, 1, 1, 1, 8])
    assert only(events, SaveResolved).total == 15  # 8 + 7


def test_a_printed_spell_attack_bonus_counts_in_a_fight() -> None:
    resolved = only(facing_a_fighter().do("cultist", "fire_bolt", target="rurik", dice=[4]), AttackResolved)
    assert resolved.total == 13  # 4 + 9; computed, it would be 4 + 3 + 2


def test_a_printed_spell_save_difficulty_counts_in_a_fight() -> None:
    resolved = only(facing_a_fighter().do("cultist", "hold_person", target="rurik", dice=[20]), SaveResolved)
    assert resolved.against == 17


@pytest.mark.parametrize(
    "wrong", [{"cr": 31}, {"xp": -1}, {"save_bonuses": {"luck": 2}}, {"notes": [{"text": "without a name"}]}]
)
def test_figures_that_no_stat_block_has_are_refused(wrong: Data) -> None:
    with pytest.raises(Problem, match="sheet"):
        read_sheet({**CULTIST, **wrong})


def test_notes_and_figures_stay_with_the_sheet() -> None:
    sheet = read_sheet({**CULTIST, "cr": 0.125, "xp": 25, "notes": [{"name": "Fanatic", "text": "Never gives up."}]})
    assert (sheet.cr, sheet.xp, sheet.notes[0].name) == (0.125, 25, "Fanatic")
