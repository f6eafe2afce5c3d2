"""What is made from data is foreseen by its archetype, whoever made it."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.autoplay.option import OptionAim
from tests.rules.dnd5e.autoplay.support import duel, option, ranked

BOLT = {"name": "own", "archetype": "bolt", "level": 0, "range": 60, "damage": "1d8", "damage_type": "cold"}
BREATH = {
    "name": "own",
    "archetype": "area",
    "range": 30,
    "shape": "cone",
    "size": 30,
    "damage": "4d6",
    "damage_type": "cold",
    "save": "con",
    "dc": 14,
    "uses": 1,
}
STRIKE = {"name": "own", "archetype": "strike", "damage": "2d6"}


@pytest.mark.parametrize(
    ("sheet", "section", "own", "archetype", "average"),
    [
        ("wizard", "spells", BOLT, "spell attack", 9.0),  # two dice at level 5
        ("ogre", "actions", BREATH, "area", 14.0),
        ("ogre", "actions", STRIKE, "strike", 20.0),  # 2d8 and 4, and 2d6
        ("ogre", "actions", {**BREATH, "damage": "1d6"}, "area", 3.5),
    ],
)
def test_an_archetype_is_foreseen(
    sheet: str, section: str, own: dict[str, Any], archetype: str, average: float
) -> None:
    found = option(duel(sheet, **{section: [own]}), "own")
    assert (found.archetype, round(found.average_damage(), 6)) == (archetype, average)


def test_a_breath_is_chosen_where_it_is_worth_the_most() -> None:
    drill = duel("ogre", "orc", actions=[{**BREATH, "damage": "10d6"}])
    assert ranked(drill)[0].option.name == "own"


def test_what_follows_a_hit_counts() -> None:
    plain = option(duel("ogre", "orc"), "melee_attack", "greatclub").outcome(OptionAim(("foe",)))
    claws = {"name": "claws", "archetype": "on_hit", "then": {"condition": "paralyzed", "save": "con", "dc": 14}}
    with_claws = option(duel("ogre", "orc", features=[claws]), "melee_attack", "greatclub")
    (held,) = with_claws.outcome(OptionAim(("foe",))).afflictions
    # +6 against AC 13 hits from 7 on, 14 of 20; constitution +3 against 14 fails up to 10, half of all
    assert plain.afflictions == []
    assert (held.condition, round(held.chance, 6)) == ("dnd5e:condition:paralyzed", 0.35)


def test_healing_oneself_is_foreseen() -> None:
    lick = {"name": "lick", "archetype": "healing", "healing": "2d6", "plus": "con", "uses": 1}
    found = option(duel("ogre", actions=[lick]), "lick")
    assert list(found.outcome(found.aims()[0]).healing) == ["hero"]
