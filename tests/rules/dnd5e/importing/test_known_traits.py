"""Traits that are known by name, multiattacks in words, and which traits have no bearing on a fight."""

from __future__ import annotations

import pytest

from combatlog.importers.statblocks.stat_block import StatBlockPart, paragraph
from combatlog.rules.dnd5e.battlemap.sight_light_and_cover import perceives
from combatlog.rules.dnd5e.creatures.sheet import sheet_of
from combatlog.rules.dnd5e.importing.sheet_draft import MappingResult
from combatlog.rules.dnd5e.importing.trait_table import NO_BEARING, TRAITS
from combatlog.rules.dnd5e.pieces import Feature, pieces_of
from combatlog.testing import Drill, only
from ledger.events import AttackResolved, Rolled
from ledger.events.roll import RollMode
from tests.rules.dnd5e.importing.handmade import BITE, against_rurik, attack, drafted, fate_of, trait

CLAW = BITE.replace("piercing", "slashing")


# Multiattack


@pytest.mark.parametrize(
    ("said", "routines"),
    [
        (
            "It makes two Claw attacks. It can replace one attack with a use of Roar.",
            [{"claw": 2}, {"claw": 1, "roar": 1}],
        ),
        (
            "It makes three Claw attacks. It can replace two attacks with a use of Roar.",
            [{"claw": 3}, {"claw": 1, "roar": 1}],
        ),
        (
            "It makes two Claw attacks. It can replace one attack with a Bite attack.",
            [{"claw": 2}, {"claw": 1, "bite": 1}],
        ),
        (
            "It makes one Bite attack and one Claw attack. It can replace the Claw attack with a use of Roar if "
            "available.",
            [{"bite": 1, "claw": 1}, {"bite": 1, "roar": 1}],
        ),
        (
            "It can use its Roar. It then makes three attacks: one with its bite and two with its claws.",
            [{"roar": 1, "bite": 1, "claw": 2}],
        ),
        (
            "It makes two melee attacks with its claws. Or it makes one attack with its bite.",
            [{"claw": 2}, {"bite": 1}],
        ),
    ],
)  # fmt: skip
def test_multiattack_in_words(said: str, routines: list[dict[str, int]]) -> None:
    roar = (
        "Each creature within 30 feet of it must succeed on a DC 13 Wisdom saving throw or be frightened for 1 round."
    )
    actions = [paragraph(StatBlockPart.ACTION, "Roar", roar), paragraph(StatBlockPart.ACTION, "Multiattack", said)]
    draft = drafted(attack(BITE), attack(CLAW, "Claw"), *actions)
    assert draft.sheet["multiattack"] == routines
    assert fate_of(draft, "Multiattack") is MappingResult.MAPPED


def test_a_replacement_that_the_rules_do_not_have_is_a_part_left_out() -> None:
    said = "It makes two Bite attacks. It can replace one attack with a use of Spellcasting to cast Shatter."
    draft = drafted(attack(BITE), paragraph(StatBlockPart.ACTION, "Multiattack", said))
    assert draft.sheet["multiattack"] == [{"bite": 2}]
    assert fate_of(draft, "Multiattack") is MappingResult.IN_PART


# Traits by name


def test_sunlight_hampers_those_who_cannot_stand_it() -> None:
    text = "While in sunlight, the thing has disadvantage on attack rolls and on Perception checks that rely on sight."
    drill = against_rurik(drafted(attack(BITE), trait("Sunlight Sensitivity", text)))
    drill.rule("thing", add=["sunlit"], reason="the sun shines in")
    drill.do("thing", "attack")
    events = drill.do("thing", "strike", target="rurik", dice=[18, 3])
    assert only(events, AttackResolved).total == 8  # the lower one, 3 + 5


def test_in_the_shade_it_is_not_hampered() -> None:
    drill = against_rurik(drafted(attack(BITE), trait("Sunlight Sensitivity", "While in sunlight ...")))
    drill.do("thing", "attack")
    events = drill.do("thing", "strike", target="rurik", dice=[3])
    assert next(one for one in events if isinstance(one, Rolled)).mode is RollMode.NORMAL


def in_darkness(*traits: str, **senses: int) -> Drill:
    """The thing stands in magical darkness; the fighter is 10 feet away, outside of it."""
    drill = Drill()
    draft = drafted(attack(BITE), *(trait(name, "") for name in traits), senses=senses)
    draft.sheet |= {"spellcasting": "int", "slots": {"2": 1}, "spells": ["darkness"]}
    drill.join(draft.sheet, "Thing", (1, 1), side="foes")
    drill.join("fighter", "Rurik", (3, 1))
    drill.start(dice=[20, 1])
    drill.do("thing", "darkness", to=(1, 1))
    return drill


@pytest.mark.parametrize(
    ("traits", "senses", "sees"),
    [
        ((), {"darkvision": 60}, False),
        (("Devil's Sight",), {"darkvision": 60}, True),
        (("Devil's Sight",), {"darkvision": 5}, False),
        (("Echolocation",), {"blindsight": 60}, True),
    ],
)
def test_who_sees_in_magical_darkness(traits: tuple[str, ...], senses: dict[str, int], sees: bool) -> None:
    battle = in_darkness(*traits, **senses).battle
    assert perceives(battle, battle.combatants["thing"], battle.combatants["rurik"]) is sees


def test_echoes_are_of_no_use_to_the_deafened() -> None:
    drill = in_darkness("Echolocation", blindsight=60)
    drill.rule("thing", add=["deafened"], reason="a bell")
    assert not perceives(drill.battle, drill.battle.combatants["thing"], drill.battle.combatants["rurik"])


@pytest.mark.parametrize(("traits", "cost"), [((), 10), (("Amorphous",), 5)])
def test_the_amorphous_squeeze_without_being_slower(traits: tuple[str, ...], cost: int) -> None:
    """A large creature enters a corridor of one square: a step costs twice as much, unless it has no shape."""
    narrow = Drill(map=["......#####", "...........", "......#####"])
    draft = drafted(attack(BITE), *(trait(name, "") for name in traits), size="large")
    narrow.join(draft.sheet, "Thing", (4, 1), side="foes")
    narrow.join("fighter", "Rurik", (10, 1))
    narrow.start(dice=[20, 1])
    before = narrow["thing.movement"]
    narrow.do("thing", "move", to=(5, 1))
    assert before - narrow["thing.movement"] == cost


def test_turn_resistance() -> None:
    draft = drafted(attack(BITE), trait("Turn Resistance", "It has advantage on saves against turning."), type="undead")
    (feature,) = draft.sheet["features"]
    assert feature["contributes"] == [{"to": "save", "advantage": True, "when": {"threat": ["turned"]}}]


def test_tail_spikes_are_counted() -> None:
    spike = "Ranged Weapon Attack: +5 to hit, range 100/200 ft., one target. Hit: 7 (1d8 + 3) piercing damage."
    text = "It has twenty-four tail spikes. Used spikes regrow by the next morning."
    draft = drafted(attack(spike, "Tail Spike"), trait("Tail Spike Regrowth", text))
    assert draft.sheet["weapons"][0]["ammunition"] == 24


def test_a_legendary_search_finds_those_who_hide() -> None:
    detect = paragraph(StatBlockPart.LEGENDARY, "Detect", "The thing makes a Wisdom (Perception) check.")
    swipe = paragraph(StatBlockPart.LEGENDARY, "Swipe", "The thing makes one bite attack.")
    draft = drafted(attack(BITE), detect, swipe)
    assert [one["name"] for one in draft.sheet["legendary"]] == ["bite", "search"]
    assert fate_of(draft, "Detect") is MappingResult.MAPPED
    drill = Drill()
    drill.join(draft.sheet, "Thing", (1, 1), side="foes")
    drill.join("rogue", "Vex", (9, 1))
    drill.start(dice=[1, 20])
    drill.rule("vex", add=["hidden"], reason="behind the curtain")
    drill.end_turn("vex", dice=[20])  # there is nobody in reach to bite, so it searches
    assert "hidden" not in drill["vex.conditions"]


# Which have no bearing


def test_nothing_that_the_rules_carry_out_has_no_bearing() -> None:
    assert NO_BEARING.isdisjoint(TRAITS)
    assert NO_BEARING.isdisjoint(pieces_of(Feature))


@pytest.mark.parametrize(
    "name",
    [
        "Siege Monster",
        "Illumination",
        "Tree Stride",
        "Create Specter",
        "Shared Spellcasting",
        "Detect",
        "Turn Resistance",
    ],
)
def test_what_a_fight_could_show_counts(name: str) -> None:
    draft = drafted(attack(BITE), trait(name, "Something happens."))
    assert fate_of(draft, name) is not MappingResult.NO_BEARING


def test_what_has_no_bearing_stays_a_note() -> None:
    draft = drafted(attack(BITE), trait("Amphibious", "It breathes air and water."))
    assert fate_of(draft, "Amphibious") is MappingResult.NO_BEARING
    assert draft.sheet["notes"] == [{"name": "Amphibious", "text": "It breathes air and water."}]
    drill = against_rurik(draft)
    assert sheet_of(drill.battle.combatants["thing"]).notes[0].name == "Amphibious"
