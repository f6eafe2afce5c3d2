"""What set phrases of stat blocks become, one by one, and what they do in a fight. Numbers are worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from combatlog.importers.statblocks.stat_block import StatBlockPart, paragraph
from combatlog.rules.dnd5e.creatures.sheet import read_sheet
from combatlog.rules.dnd5e.importing.sheet_draft import MappingResult
from combatlog.testing import Drill, all_of, only
from ledger.events import ConditionApplied, Damaged, Event, ManualResolutionNeeded, SaveResolved
from tests.rules.dnd5e.importing.handmade import (
    BITE,
    against_rurik,
    attack,
    drafted,
    entry_of,
    fate_of,
    piece,
    spell,
    trait,
)


def to_its_next_turn(drill: Drill) -> None:
    drill.next_turn()
    drill.next_turn()


# After a hit


@pytest.mark.parametrize(
    "said",
    [
        "Melee Weapon Attack: +5 to hit, reach 0 ft., one creature. Hit: 10 (4d4) piercing damage, or 5 (2d4) piercing "
        "damage if the swarm has half of its hit points or fewer.",
        "Melee Attack Roll: +5, reach 5 ft. 10 (4d4) Piercing damage, or 5 (2d4) Piercing damage if the swarm is "
        "Bloodied.",
    ],
)
def test_a_swarm_bites_less_once_it_is_bloodied(said: str) -> None:
    draft = drafted(attack(said, "Bites"))
    assert fate_of(draft, "Bites") is MappingResult.MAPPED
    (bites,) = draft.sheet["weapons"]
    assert (bites["damage"], bites["bloodied"]) == ("4d4", "2d4")
    drill = against_rurik(draft)
    drill.do("thing", "attack")
    hit = drill.do("thing", "strike", target="rurik", weapon="bites", dice=[15, 1, 2, 1, 1])
    assert only(hit, Damaged).amount == 5
    drill.rule("thing", set={"hp": 20}, reason="half of its 40 hit points")
    to_its_next_turn(drill)
    drill.do("thing", "attack")
    hit = drill.do("thing", "strike", target="rurik", weapon="bites", dice=[15, 1, 2])
    assert only(hit, Damaged).amount == 3


GORE = (
    "Melee Attack Roll: +5, reach 5 ft. 7 (1d8 + 3) Piercing damage. If the target is a Medium or smaller creature and "
    "the boar moved 20+ feet straight toward it immediately before the hit, the target takes an extra 3 (1d6) Piercing "
    "damage and has the Prone condition."
)


def test_a_charge_of_the_second_edition() -> None:
    draft = drafted(attack(GORE, "Gore"))
    assert fate_of(draft, "Gore") is MappingResult.MAPPED
    charge = piece(draft, "features", "gore_charge")
    assert charge["when"] == {"weapon": "gore", "moved": 20, "largest": "medium"}
    drill = against_rurik(draft, rurik=(6, 1))
    drill.do("thing", "move", to=(5, 1))
    drill.do("thing", "attack")
    hit = drill.do("thing", "strike", target="rurik", weapon="gore", dice=[15, 1, 2])
    assert sum(hurt.amount for hurt in all_of(hit, Damaged)) == 6  # 1 + 3 and 2
    assert drill["rurik.conditions"] == ["prone"]


def test_without_the_run_up_there_is_no_charge() -> None:
    drill = against_rurik(drafted(attack(GORE, "Gore")))
    drill.do("thing", "attack")
    hit = drill.do("thing", "strike", target="rurik", weapon="gore", dice=[15, 1])
    assert sum(hurt.amount for hurt in all_of(hit, Damaged)) == 4
    assert drill["rurik.conditions"] == []


CLAW = (
    "Melee Attack Roll: +5, reach 5 ft. 7 (1d8 + 3) Slashing damage. If the target is a creature that isn't an Undead, "
    "it is subjected to the following effect. Constitution Saving Throw: DC 10. Failure: The target has the Paralyzed "
    "condition until the end of its next turn."
)


def test_a_save_of_the_second_edition_belongs_to_what_follows_it() -> None:
    """The save, its exceptions and its effect are three sentences; nobody is paralyzed without the save."""
    draft = drafted(attack(CLAW, "Claw"))
    assert fate_of(draft, "Claw") is MappingResult.MAPPED
    then = piece(draft, "features", "claw_hit")["then"]
    assert (then["save"], then["dc"], then["condition"], then["not_on"]) == ("con", 10, "paralyzed", ["undead"])
    drill = against_rurik(draft)
    drill.do("thing", "attack")
    hit = drill.do("thing", "strike", target="rurik", weapon="claw", dice=[15, 1, 6])
    assert only(hit, SaveResolved).success  # 6 + 4
    assert drill["rurik.conditions"] == []


def test_lycanthropy_is_a_curse_of_humanoids() -> None:
    said = f"{BITE} If the target is a humanoid, it must succeed on a DC 12 Constitution saving throw or be cursed with werewolf lycanthropy."  # noqa: E501
    draft = drafted(attack(said))
    assert fate_of(draft, "Bite") is MappingResult.MAPPED
    then = piece(draft, "features", "bite_hit")["then"]
    assert (then["condition"], "humanoid" in then["not_on"], "beast" in then["not_on"]) == ("cursed", False, True)
    drill = against_rurik(draft)
    drill.do("thing", "attack")
    hit = drill.do("thing", "strike", target="rurik", weapon="bite", dice=[15, 1, 7])  # 7 + 4 is not enough
    assert only(hit, ConditionApplied).condition == "dnd5e:condition:cursed"


def test_more_damage_with_advantage_only() -> None:
    said = "Melee Attack Roll: +5, reach 5 ft. 5 (1d6 + 2) Slashing damage, plus 2 (1d4) Slashing damage if the attack roll had Advantage."  # noqa: E501
    draft = drafted(attack(said, "Scimitar"))
    assert fate_of(draft, "Scimitar") is MappingResult.MAPPED
    assert "extra" not in draft.sheet["weapons"][0]
    drill = against_rurik(draft)
    drill.do("thing", "attack")
    plain = drill.do("thing", "strike", target="rurik", weapon="scimitar", dice=[15, 1])
    assert sum(hurt.amount for hurt in all_of(plain, Damaged)) == 3
    to_its_next_turn(drill)
    drill.rule("rurik", add=["prone"], reason="it fell")
    drill.do("thing", "attack")
    better = drill.do("thing", "strike", target="rurik", weapon="scimitar", dice=[15, 2, 1, 4])
    assert sum(hurt.amount for hurt in all_of(better, Damaged)) == 7  # 1 + 2 and 4


@pytest.mark.parametrize(
    "said",
    [
        "If the target is a flammable object that isn't being worn or carried, it also catches fire.",
        "Until this grapple ends, the octopus can't use its tentacles on another target.",
        "HitomThe spear magically returns to the devil's hand immediately after a ranged attack.",
    ],
)
def test_sentences_that_say_nothing_new(said: str) -> None:
    assert fate_of(drafted(attack(f"{BITE} {said}")), "Bite") is MappingResult.MAPPED


# What is carried out in part is put to the GM

ROAR = (
    "Each creature within 30 feet of the thing must succeed on a DC 13 Wisdom saving throw or be frightened for 1 "
    "minute. Mirrors within 30 feet crack."
)


def test_the_rest_of_an_action_is_put_to_the_gm_when_it_is_used() -> None:
    draft = drafted(paragraph(StatBlockPart.ACTION, "Roar", ROAR))
    assert fate_of(draft, "Roar") is MappingResult.IN_PART
    assert piece(draft, "actions", "roar")["ask"] == "Mirrors within 30 feet crack."
    events = against_rurik(draft).do("thing", "roar", dice=[1])
    assert not only(events, SaveResolved).success
    assert only(events, ManualResolutionNeeded).effect == "Mirrors within 30 feet crack."


WINGS = (
    "The dragon beats its wings. Each creature within 10 feet of the dragon must succeed on a DC 15 Dexterity "
    "saving throw or take 10 (2d6 + 3) bludgeoning damage."
)


def test_the_rest_of_a_legendary_action_is_put_to_the_gm() -> None:
    draft = drafted(paragraph(StatBlockPart.LEGENDARY, "Wing Attack", f"{WINGS} Candles within 10 feet go out."))
    assert fate_of(draft, "Wing Attack") is MappingResult.IN_PART
    assert draft.sheet["legendary"][0]["ask"] == "Candles within 10 feet go out."


def test_movement_is_part_of_a_legendary_action() -> None:
    said = f"{WINGS} The dragon can then fly up to half its flying speed."
    draft = drafted(paragraph(StatBlockPart.LEGENDARY, "Wing Attack", said))
    assert fate_of(draft, "Wing Attack") is MappingResult.MAPPED
    assert draft.sheet["legendary"][0]["stride"] == {"gait": "fly"}


def test_the_rest_of_a_spell_is_put_to_the_gm_when_it_is_cast() -> None:
    text = (
        "Each creature in a 5-foot-radius sphere must make a Dexterity saving throw, taking 2d6 cold damage on a "
        "failed save, or half as much damage on a successful one. You can use a bonus action on later turns to move "
        "the sphere."
    )
    made = spell("Rolling Frost", text, save="dex")
    assert made.fate is MappingResult.IN_PART
    assert entry_of(made)["ask"] == "You can use a bonus action on later turns to move the sphere."
    sheet: dict[str, Any] = {
        **drafted().sheet,
        "spellcasting": "int",
        "slots": {"2": 1},
        "spells": [made.entry],
    }
    draft = drafted()
    draft.sheet.update(sheet)
    drill = against_rurik(draft, rurik=(5, 1))
    events = drill.do("thing", "rolling_frost", to=(6, 1), dice=[3, 4, 1])
    assert only(events, ManualResolutionNeeded).effect == entry_of(made)["ask"]


def test_a_spell_without_rules_can_be_cast_and_is_put_to_the_gm() -> None:
    made = spell("Veil of Reeds", "You look like a clump of reeds.")
    assert (made.fate, entry_of(made)["archetype"]) == (MappingResult.NO_BEARING, "by_hand")
    assert spell("Long Rite", "You sing all night.", casting_time="10 minutes").takes_long


@pytest.mark.parametrize(
    ("said", "made"),
    [
        ("Choose somebody. If it has 40 hit points or fewer, it dies.", {"hit_points": 40}),
        (
            "If the target has 30 Hit Points or fewer, it has the Stunned condition. Otherwise, its Speed is 0 until "
            "the start of your next turn. The Stunned target makes a Constitution saving throw each turn.",
            {"hit_points": 30, "condition": "stunned", "save": "con", "otherwise": "transfixed"},
        ),
        (
            "If the target has 20 Hit Points or fewer, it dies. Otherwise, it takes 3d12 Psychic damage.",
            {"hit_points": 20, "damage": "3d12", "damage_type": "psychic"},
        ),
    ],
)
def test_power_words_of_both_editions(said: str, made: dict[str, Any]) -> None:
    word = spell("Word of Doom", said)
    options = {key: value for key, value in entry_of(word).items() if key not in ("name", "level", "range")}
    assert (options, word.fate) == ({"archetype": "power_word", **made}, MappingResult.MAPPED)


def reminders(drill: Drill, events: Sequence[Event]) -> list[str]:
    return [asked.effect for asked in all_of(events, ManualResolutionNeeded)]


def test_a_trait_that_is_not_mapped_is_put_to_the_gm_when_its_owner_is_struck() -> None:
    text = "Whoever hits the thing with a sword hears a bell."
    drill = against_rurik(drafted(trait("Bell Hide", text)))
    drill.next_turn()
    drill.do("rurik", "attack")
    hit = drill.do("rurik", "strike", target="thing", dice=[19, 4])
    assert reminders(drill, hit) == [f"Bell Hide: {text}"]


def test_a_trait_that_is_not_mapped_is_put_to_the_gm_at_the_first_turn() -> None:
    text = "The thing smells of rain, and frogs follow it."
    drill = against_rurik(drafted(trait("Rain Bringer", text)))
    first = [asked.effect for asked in all_of(drill.fight.events, ManualResolutionNeeded)]
    assert first == [f"Rain Bringer: {text}"]
    to_its_next_turn(drill)
    assert len(all_of(drill.fight.events, ManualResolutionNeeded)) == 1  # once in a fight


def test_a_trait_that_is_not_mapped_is_put_to_the_gm_when_its_owner_hits() -> None:
    text = "If it hits a creature that sings, the song is stolen."
    drill = against_rurik(drafted(attack(BITE), trait("Song Thief", text)))
    drill.do("thing", "attack")
    hit = drill.do("thing", "strike", target="rurik", weapon="bite", dice=[19, 2])
    assert reminders(drill, hit) == [f"Song Thief: {text}"]


def test_a_breath_that_weakens() -> None:
    said = (
        "The dragon exhales gas in a 30-foot cone. Each creature in that area must succeed on a DC 15 Strength saving "
        "throw or have disadvantage on Strength-based attack rolls, Strength checks, and Strength saving throws for 1 "
        "minute. A creature can repeat the saving throw at the end of each of its turns, ending the effect on itself "
        "on a success."
    )
    draft = drafted(paragraph(StatBlockPart.ACTION, "Weakening Breath", said))
    assert fate_of(draft, "Weakening Breath") is MappingResult.MAPPED
    then = piece(draft, "actions", "weakening_breath")["then"]
    assert then == {"condition": "weakened", "lasts": "minute", "save_again": True}


def test_sheets_of_handmade_creatures_are_sound() -> None:
    assert read_sheet(drafted(attack(GORE, "Gore"), trait("Brave", "It is.")).sheet).name == "Thing"
