"""Doors on the way to the enemy, and weapons that were thrown."""

from __future__ import annotations

import pytest

from combatlog.rules.autoplay.player import PlayLimits, choose, play
from combatlog.rules.dnd5e.autoplay.option_table import options_of
from combatlog.testing import Drill
from ledger.events import Declared, TerrainChanged

GATE = """
....#....
....+....
....#....
"""


def gate(map: str = GATE, **options: object) -> Drill:
    drill = Drill(dice="seed:1", map=map, options=options)
    drill.join("fighter", "Hero", (0, 1), overrides={"weapons": ["longsword"]})
    drill.join("goblin", "Foe", (8, 1), side="foes", overrides={"weapons": ["scimitar"], "features": []})
    drill.start()
    return drill


def opened(drill: Drill) -> list[tuple[int, int]]:
    return [event.square for event in drill.fight.events if isinstance(event, TerrainChanged)]


def test_a_door_in_the_way_is_walked_to_and_opened() -> None:
    drill = gate()
    for _ in play(drill.fight, PlayLimits(to_end=True)):
        pass
    assert opened(drill) == [(4, 1)]
    assert drill.ruleset.winner(drill.battle) is not None


@pytest.mark.parametrize(
    ("map", "options"),
    [(GATE, {"locked": ["4,1"]}), (GATE.replace("....#....", ".........", 1), {})],
    ids=["locked", "there is a way around"],
)
def test_other_doors_are_left_alone(map: str, options: dict[str, object]) -> None:
    drill = gate(map, **options)
    for _ in play(drill.fight, PlayLimits(rounds=4)):
        pass
    said = [event.action for event in drill.fight.events if isinstance(event, Declared)]
    assert "dnd5e:action:open_door" not in said


def test_a_thrown_weapon_is_picked_up_after_the_blows() -> None:
    drill = Drill()
    drill.join("fighter", "Hero", (1, 1), overrides={"weapons": ["handaxe", "longsword"]})
    drill.join("ogre", "Foe", (3, 1), side="foes", overrides={"hp": 100})
    drill.start(dice=[20, 1])
    drill.do("hero", "ranged_attack", target="foe", weapon="handaxe", dice=(2,))
    assert drill["hero.conditions"] == ["missing_weapons"]
    drill.do("hero", "move", to=(2, 1))
    found = choose(drill.fight.battle)
    assert found is not None
    assert found.option.name == "pick_up"
    drill.declare(found.declaration)
    assert drill["hero.conditions"] == []


def test_whoever_has_thrown_everything_throws_what_is_at_hand() -> None:
    drill = Drill(map=["." * 12] * 3)
    drill.join("fighter", "Hero", (1, 1), overrides={"weapons": ["javelin", "longsword"]})
    drill.join("goblin", "Foe", (5, 1), side="foes", overrides={"speeds": {"fly": 30}, "hp": 40})
    drill.start(dice=[1, 20])
    drill.do("foe", "move", to=(5, 1), options={"altitude": 15})
    drill.next_turn()
    found = choose(drill.battle)
    assert found is not None
    assert (found.option.name, found.option.weapon) == ("ranged_attack", "javelin")  # type: ignore[attr-defined]
    drill.declare(found.declaration, dice=[2])
    drill.next_turn()
    drill.next_turn()
    names = [(option.name, option.weapon) for option in options_of(drill.battle, drill.battle.combatants["hero"])]
    assert ("ranged_attack", "improvised weapon") in names
