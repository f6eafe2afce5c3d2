"""Whom spells on several are aimed at, and with which slot."""

from __future__ import annotations

import pytest

from combatlog.rules.autoplay.option import OptionAim
from combatlog.rules.dnd5e.battlemap.space import full_width
from combatlog.testing import Drill
from tests.rules.dnd5e.autoplay.support import measured, option, ranked


def aims(drill: Drill, name: str) -> list[tuple[set[str], int | None]]:
    """Each set of targets, and the slot if it is another than the spell's own."""
    return [(set(aim.targets), aim.options.get("slot")) for aim in option(drill, name).aims()]


def facing(*foes: str, hero: str = "cleric", **slots: int) -> Drill:
    drill = Drill()
    drill.join(hero, "Hero", (5, 5))
    drill.join("fighter", "Friend", (6, 6))
    row = 4
    for number, foe in enumerate(foes):
        drill.join(foe, f"{foe} {number}", (8, row), side="foes")
        row += full_width(drill.fight.battle.combatants[f"{foe}-{number}"])
    drill.start(dice=[20, 2, *[1] * len(foes)])
    if slots:
        drill.do("gm", "rule", target="hero", options={"set": slots, "reason": "test"})
    return drill


def test_bane_is_laid_on_as_many_as_the_slot_is_enough_for() -> None:
    drill = facing("orc", "orc", "orc", slot_2=0, slot_3=0)
    assert aims(drill, "bane") == [({"orc-0", "orc-1", "orc-2"}, None)]


def test_bane_is_laid_on_those_who_do_the_most_harm() -> None:
    """A first-level slot is enough for three: the orcs, not the goblins, whose blows are lighter."""
    drill = facing("goblin", "orc", "goblin", "orc", "orc", slot_2=0, slot_3=0)
    assert aims(drill, "bane") == [({"orc-1", "orc-3", "orc-4"}, None)]


def test_a_higher_slot_is_for_one_more() -> None:
    drill = facing("orc", "orc", "orc", "orc", slot_3=0)
    assert [(len(names), slot) for names, slot in aims(drill, "bane")] == [(3, None), (4, 2)]
    everybody = ("orc-0", "orc-1", "orc-2", "orc-3")
    assert measured(drill, "bane", OptionAim(everybody, options={"slot": 2}), "spent") == 2
    assert measured(drill, "bane", OptionAim(everybody[:3]), "spent") == 1


def test_a_higher_slot_that_takes_in_nobody_more_is_not_thought_of() -> None:
    assert aims(facing("orc", "orc"), "bane") == [({"orc-0", "orc-1"}, None)]


def test_hold_person_with_a_third_level_slot_holds_two() -> None:
    drill = facing("orc", "orc")
    assert [(len(names), slot) for names, slot in aims(drill, "hold_person")] == [(1, None), (2, 3)]


def test_those_whom_a_spell_cannot_hold_are_left_out() -> None:
    """An ogre is a giant; it hits harder than the goblin, which is a humanoid."""
    assert aims(facing("ogre", "goblin"), "hold_person") == [({"goblin-1"}, None)]


def test_those_who_are_cursed_already_are_left_out() -> None:
    drill = facing("orc", "orc")
    drill.do("gm", "rule", target="orc-0", options={"add": ["baned"], "reason": "test"})
    assert aims(drill, "bane") == [({"orc-1"}, None)]


def test_nobody_out_of_range_is_blessed() -> None:
    drill = Drill()
    drill.join("cleric", "Hero", (1, 1))
    drill.join("fighter", "Near", (2, 1))
    drill.join("fighter", "Far", (20, 1))
    drill.join("orc", "Foe", (9, 9), side="foes")
    drill.start(dice=[20, 3, 2, 1])
    assert aims(drill, "bless") == [({"hero", "near"}, None)]


def test_every_set_is_legal_with_its_slot() -> None:
    drill = facing("orc", "goblin", "orc", "orc", "orc")
    curses = [found for found in ranked(drill) if found.option.archetype in ("curse", "support")]
    assert curses
    assert all(found.option.permits(found.aim) for found in curses)


def test_turning_counts_what_it_destroys() -> None:
    drill = Drill()
    drill.join("cleric_5", "Hero", (1, 1))
    drill.join("zombie", "Foe", (3, 1), side="foes")
    drill.start(dice=[20, 1])
    # A zombie's wisdom save is -2 + 2, and the cleric of the 5th level asks for 8 + 3 + 4: 15 and more save.
    assert measured(drill, "turn_undead", OptionAim(("foe",)), "kills") == pytest.approx(14 / 20)
