"""What bodies do by themselves, with fixed dice. Grom the ogre has it; Rurik the fighter has 40 hit points."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.testing import Drill, all_of, only
from ledger.events import ChainModified, Damaged, Healed, Moved, SaveResolved


def brawl(*features: Any, hp: int = 40, start: tuple[int, ...] = (1, 20)) -> Drill:
    """It is Rurik's turn."""
    drill = Drill()
    drill.join("ogre", "Grom", (1, 1), side="foes", overrides={"features": list(features), "hp": hp, "size": "medium"})
    drill.join("fighter", "Rurik", (2, 1), overrides={"hp": 40})
    drill.start(dice=list(start))
    return drill


REGENERATION = {"name": "regeneration", "archetype": "regeneration", "amount": 10, "stopped_by": ["fire"]}


@pytest.mark.parametrize(("kind", "healed"), [("cold", [10]), ("fire", [])])
def test_regeneration_unless_it_was_burned(kind: str, healed: list[int]) -> None:
    drill = brawl(REGENERATION)
    drill.hurt("grom", 15, kind, reason="test")
    assert [one.amount for one in all_of(drill.next_turn(), Healed)] == healed
    drill.next_turn()
    assert [one.amount for one in all_of(drill.next_turn(), Healed)] == ([5] if healed else [10])  # up to its maximum


def strike(drill: Drill, *dice: int) -> Any:
    drill.do("rurik", "attack")
    return drill.do("rurik", "strike", target="grom", dice=list(dice))  # 1d8+3 with the longsword


@pytest.mark.parametrize(("most", "left"), [(11, 1), (10, 0)])
def test_relentless_withstands_a_little_damage(most: int, left: int) -> None:
    drill = brawl({"name": "relentless", "archetype": "relentless", "most": most}, hp=5)
    strike(drill, 15, 8)  # 8 + 3
    assert drill["grom.hp"] == left


BRAND = {
    "name": "brand",
    "damage": "1d8",
    "damage_type": "slashing",
    "extra": [{"damage": "1d6", "damage_type": "fire"}],
}
ABSORPTION = {"name": "absorption", "archetype": "absorption", "damage_type": "fire"}


@pytest.mark.parametrize(
    ("nature", "hurt", "dice", "left", "conditions"),
    [
        ("monster", 35, [15, 7, 4], 4, []),  # 7 + 3 of its last 5 points, and 4 back
        ("character", 40, [15, 15, 3, 3, 3, 3], 6, ["prone"]),  # dying: two dice to hit, and every hit is critical
    ],
)
def test_what_is_absorbed_brings_it_above_0(
    nature: str, hurt: int, dice: list[int], left: int, conditions: list[str]
) -> None:
    drill = Drill()
    drill.join("ogre", "Grom", (1, 1), side="foes", overrides={"features": [ABSORPTION], "hp": 40, "nature": nature})
    drill.join("fighter", "Rurik", (3, 1), overrides={"weapons": [BRAND], "features": []})
    drill.start(dice=[1, 20])
    drill.hurt("grom", hurt, "cold", reason="test")
    strike(drill, *dice)
    assert (drill["grom.hp"], drill["grom.conditions"]) == (left, conditions)


def test_a_retort_burns_whoever_hits() -> None:
    drill = brawl({"name": "heated_body", "archetype": "retort", "damage": "1d10", "damage_type": "fire"})
    events = strike(drill, 15, 2, 7)
    assert [(hurt.target, hurt.amount) for hurt in all_of(events, Damaged)] == [("grom", 5), ("rurik", 7)]


STENCH = {"name": "stench", "archetype": "aura", "size": 5, "save": "con", "dc": 12, "then": {"condition": "poisoned"}}


def test_an_aura_befalls_those_who_start_their_turn_in_it() -> None:
    drill = brawl(STENCH, start=(1, 20, 3))  # 3 + 4 against 12
    assert (only(drill.events(), SaveResolved).saver, drill["rurik.conditions"]) == ("rurik", ["poisoned"])


def test_a_burst_at_death_harms_everybody_near() -> None:
    burst = {"name": "death_burst", "archetype": "death_burst", "size": 5, "save": "dex", "dc": 12}
    drill = brawl({**burst, "damage": "2d6", "damage_type": "fire"}, hp=5)
    events = strike(drill, 15, 8, 1, 4, 4)
    assert (drill["grom.hp"], drill["rurik.hp"]) == (0, 32)
    assert only(events, SaveResolved).saver == "rurik"


def test_flyby_provokes_nobody() -> None:
    drill = brawl("flyby")
    drill.next_turn()
    events = drill.do("grom", "move", to=(1, 5))
    assert all_of(events, Moved)
    assert drill["waiting"] is None


def test_swarm_moves_through_enemies() -> None:
    drill = Drill(map=[".....", "#####"])
    drill.join("goblin", "Rats", (1, 0), side="foes", overrides={"features": ["swarm"]})
    drill.join("fighter", "Rurik", (2, 0))
    drill.start(dice=[20, 1])
    drill.do("rats", "disengage")
    drill.do("rats", "move", to=(3, 0))
    assert drill["rats.position"] == (3, 0)


def test_the_brave_have_advantage_only_against_fear() -> None:
    brave = {"to": "save", "advantage": True, "when": {"threat": ["frightened"]}}
    trait = {"name": "brave", "archetype": "trait", "contributes": [brave]}
    roar = {"name": "roar", "archetype": "affliction", "range": 30, "save": "wis", "dc": 12}
    for condition, changes in (("frightened", ["advantage"]), ("charmed", [])):
        drill = Drill()
        drill.join("ogre", "Grom", (1, 1), side="foes", overrides={"actions": [{**roar, "condition": condition}]})
        drill.join("fighter", "Rurik", (3, 1), overrides={"features": [trait]})
        drill.start(dice=[20, 1])
        events = drill.do("grom", "roar", target="rurik", dice=[15, 15][: 1 + len(changes)])
        found = [one.change.op.value for one in all_of(events, ChainModified) if one.source == "dnd5e:feature:brave"]
        assert found == changes
