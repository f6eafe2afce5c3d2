"""What the automatic player makes of darkness, sleep, flames, locks, mounts and heights."""

from __future__ import annotations

from typing import Any

import pytest

from combatlog.rules.autoplay.player import PlayLimits, choose, play
from combatlog.testing import Drill
from ledger.events import Declared
from tests.rules.dnd5e.test_creature_powers import ROOM, beast

HALL = ["." * 40] * 5
GATE = ["....#....", "....+....", "....#...."]


def chosen(drill: Drill) -> str | None:
    found = choose(drill.battle)
    return found.option.name if found is not None else None


def declared(drill: Drill) -> list[str]:
    return [event.action.rsplit(":", 1)[-1] for event in drill.fight.events if isinstance(event, Declared)]


def ruled(drill: Drill, who: str, *conditions: str) -> None:
    drill.do("gm", "rule", target=who, options={"add": list(conditions), "reason": "a test"})


def beside(light: str | None = None, foe: dict[str, Any] | None = None, **hero: Any) -> Drill:
    drill = Drill(map=ROOM, options={"light": light} if light else {})
    drill.join("fighter", "Hero", (1, 1), overrides=hero)
    drill.join(beast(**(foe or {})), "Foe", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    return drill


@pytest.mark.parametrize(
    ("light", "senses", "first"),
    [
        ("dark", {}, "torch"),
        ("dark", {"darkvision": 60}, "melee_attack"),
        (None, {}, "melee_attack"),
    ],
)
def test_a_torch_is_lit_in_the_dark_by_those_who_need_it(light: str | None, senses: dict[str, int], first: str) -> None:
    drill = beside(light, {"senses": {"darkvision": 60}}, senses=senses)
    assert chosen(drill) == first


def test_a_torch_that_burns_is_not_put_out() -> None:
    drill = beside("dark", {"senses": {"darkvision": 60}})
    drill.do("hero", "torch")
    assert chosen(drill) == "melee_attack"


def test_a_sleeping_friend_is_woken() -> None:
    drill = Drill(map=ROOM)
    drill.join("wizard", "Hero", (1, 1), overrides={"spells": [], "weapons": ["dagger"]})
    drill.join("fighter", "Rurik", (1, 2))
    drill.join(beast(hp=60), "Foe", (2, 2), side="foes")
    drill.start(dice=[20, 10, 1])
    ruled(drill, "rurik", "asleep")
    assert chosen(drill) == "wake"


def burning(damage: str) -> Drill:
    flames = {
        "name": "flames", "archetype": "on_hit", "when": {"weapon": "claw"},
        "then": {"ongoing": {"damage": damage, "damage_type": "fire", "put_out": True}},
    }  # fmt: skip
    drill = Drill(map=ROOM)
    drill.join("fighter", "Hero", (1, 1), overrides={"hp": 60}, reactions={"*": "never"})
    drill.join(beast(hp=60, features=[flames]), "Foe", (2, 1), side="foes")
    drill.start(dice=[1, 20])
    drill.do("foe", "attack")
    drill.do("foe", "strike", target="hero", dice=[19, 3])
    drill.next_turn(dice=[1] * int(damage[0]))
    return drill


@pytest.mark.parametrize(("damage", "first"), [("4d10", "put_out"), ("1d4", "melee_attack")])
def test_flames_are_put_out_if_they_hurt_more_than_a_blow_would(damage: str, first: str) -> None:
    assert chosen(burning(damage)) == first


def test_a_locked_door_is_forced_if_no_way_leads_around() -> None:
    drill = Drill(dice="seed:1", map=GATE, options={"locked": ["4,1"]})
    drill.join("fighter", "Hero", (0, 1), overrides={"weapons": ["longsword"]})
    drill.join("goblin", "Foe", (8, 1), side="foes", overrides={"weapons": ["scimitar"], "features": []})
    drill.start()
    for _ in play(drill.fight, PlayLimits(to_end=True)):
        pass
    assert "force" in declared(drill)
    assert drill.ruleset.winner(drill.battle) is not None


def test_a_locked_door_is_left_alone_if_a_way_leads_around() -> None:
    drill = Drill(dice="seed:1", map=[".........", *GATE[1:]], options={"locked": ["4,1"]})
    drill.join("fighter", "Hero", (3, 1), overrides={"weapons": ["longsword"]})
    drill.join("goblin", "Foe", (8, 1), side="foes", overrides={"weapons": ["scimitar"], "features": []})
    drill.start()
    for _ in play(drill.fight, PlayLimits(rounds=3)):
        pass
    assert "force" not in declared(drill)


def test_a_frenzy_is_one_blow_more_in_a_rage() -> None:
    drill = Drill(map=ROOM)
    drill.join("barbarian_3", "Hero", (1, 1), overrides={"hp": 60})
    drill.join(beast(hp=80), "Foe", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    drill.do("hero", "rage")
    drill.do("hero", "melee_attack", target="foe", dice=[2])  # it keeps raging
    drill.next_turn()
    drill.next_turn()
    drill.do("hero", "melee_attack", target="foe", dice=[2])
    assert chosen(drill) == "frenzy"


def test_a_stride_brings_those_closer_who_reach_nobody() -> None:
    pounce = {"name": "rush", "archetype": "stride", "takes": "bonus_action"}
    drill = Drill(map=HALL)
    drill.join(beast(actions=[pounce]), "Hero", (1, 1))
    drill.join("goblin", "Foe", (30, 1), side="foes", overrides={"weapons": ["scimitar"]})
    drill.start(dice=[20, 1])
    for _ in play(drill.fight, PlayLimits(rounds=1)):
        if drill.battle.clock.turn != "hero":
            break
    assert "rush" in declared(drill)


def test_a_faster_mount_is_used_to_get_to_the_enemy() -> None:
    drill = Drill(map=HALL)
    drill.join("fighter", "Hero", (1, 1), overrides={"weapons": ["longsword"]})
    horse = beast(size="large", speed=60, weapons=[], abilities={**beast()["abilities"], "str": 4})
    drill.join(horse, "Horse", (2, 1))
    drill.join("goblin", "Foe", (36, 1), side="foes", overrides={"weapons": ["scimitar"]})
    drill.start(dice=[20, 10, 1])
    assert chosen(drill) == "mount"
    drill.declare(choose(drill.battle).declaration)  # type: ignore[union-attr]
    assert chosen(drill) != "move"  # the horse does the walking
    drill.next_turn()
    if drill["turn"] == "horse":
        assert chosen(drill) in ("move", "dash")


def test_an_archer_with_wings_rises_out_of_reach() -> None:
    bow = {"name": "bow", "to_hit": 4, "damage": "1d6+2", "damage_type": "piercing", "range": [80, 320]}
    drill = Drill(map=ROOM)
    drill.join(beast(weapons=[bow], speeds={"fly": 60}), "Hero", (1, 1))
    drill.join("fighter", "Foe", (6, 1), side="foes", overrides={"weapons": ["longsword"]})
    drill.start(dice=[20, 1])
    while (found := choose(drill.battle)) is not None and found.option.name != "move":
        drill.declare(found.declaration, dice=[15, 3] if found.option.name == "ranged_attack" else [])
    assert found is not None
    assert found.declaration.options == {"altitude": 10}  # a longsword reaches 5 feet


def test_those_with_wings_go_up_to_meet_others() -> None:
    drill = Drill(map=ROOM)
    drill.join(beast(speeds={"fly": 60}), "Hero", (1, 1))
    drill.join(beast(speeds={"fly": 60}), "Foe", (2, 1), side="foes")
    drill.start(dice=[1, 20])
    drill.do("foe", "move", to=(2, 1), options={"altitude": 30})
    drill.next_turn()
    found = choose(drill.battle)
    assert found is not None
    assert (found.option.name, found.declaration.options) == ("move", {"altitude": 30})
