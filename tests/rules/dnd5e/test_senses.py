"""Truesight and blindsight against the invisible, illusions and fear, with modes of rolls read from the SRD."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from combatlog.testing import Drill, all_of, only
from ledger.events import AttackResolved, ChainModified, Rolled
from tests.rules.dnd5e.test_creature_powers import ROOM, beast


def mode_of_strike(attacker: str, *, conditions: Sequence[str], other: str = "rurik", **cat: Any) -> str:
    """How the attack of one of two neighbours is rolled while Rurik has conditions and Cat has senses."""
    drill = Drill(map=ROOM)
    drill.join("fighter", "Rurik", (2, 2), overrides={"hp": 40}, reactions={"*": "never"})
    drill.join(beast(**cat), "Cat", (3, 2), side="foes", reactions={"*": "never"})
    drill.start(dice=[20, 1] if attacker == "rurik" else [1, 20])
    drill.do("gm", "rule", target=other, options={"add": list(conditions), "reason": "a test"})
    drill.do(attacker, "attack")
    events = drill.do(attacker, "strike", target="cat" if attacker == "rurik" else "rurik", dice=[1, 1])
    return only(events, Rolled).mode.value


SENSES = [({}, False), ({"truesight": 10}, True), ({"blindsight": 10}, True), ({"tremorsense": 10}, False)]


@pytest.mark.parametrize(("senses", "sees"), SENSES)
def test_an_invisible_target_is_seen_by_truesight_and_blindsight(senses: dict[str, int], sees: bool) -> None:
    found = mode_of_strike("cat", conditions=["invisible"], senses=senses)
    assert found == ("normal" if sees else "disadvantage")


@pytest.mark.parametrize(("senses", "sees"), SENSES)
def test_an_invisible_attacker_is_seen_by_truesight_and_blindsight(senses: dict[str, int], sees: bool) -> None:
    found = mode_of_strike("rurik", conditions=["invisible"], senses=senses)
    assert found == ("normal" if sees else "advantage")


def test_senses_do_not_find_the_hidden() -> None:
    assert mode_of_strike("rurik", conditions=["hidden"], senses={"truesight": 60}) == "advantage"


def test_an_outlined_combatant_gains_nothing_from_being_invisible() -> None:
    assert mode_of_strike("rurik", conditions=["invisible", "outlined"]) == "normal"


@pytest.mark.parametrize(("senses", "fooled"), [({}, True), ({"truesight": 5}, False), ({"blindsight": 5}, False)])
def test_blur_does_not_fool_those_who_do_not_rely_on_sight(senses: dict[str, int], fooled: bool) -> None:
    found = mode_of_strike("cat", conditions=["blurred"], senses=senses)
    assert found == ("disadvantage" if fooled else "normal")


def test_truesight_beyond_its_range_does_not_help_against_the_invisible() -> None:
    """Cat throws from 15 feet away, and sees 10 feet far."""
    drill = Drill(map=ROOM)
    drill.join("fighter", "Rurik", (2, 2), overrides={"hp": 40}, reactions={"*": "never"})
    spit = {"name": "spit", "to_hit": 4, "damage": "1d6", "damage_type": "acid", "range": [30, 60]}
    drill.join(beast(weapons=[spit], senses={"truesight": 10}), "Cat", (5, 2), side="foes")
    drill.start(dice=[1, 20])
    drill.do("gm", "rule", target="rurik", options={"add": ["invisible"], "reason": "a test"})
    drill.do("cat", "attack")
    assert only(drill.do("cat", "strike", target="rurik", dice=[1, 1]), Rolled).mode == "disadvantage"


def test_truesight_lets_a_creature_strike_at_the_invisible_who_leave() -> None:
    for senses, strikes in (({}, False), ({"truesight": 30}, True)):
        drill = Drill(map=ROOM)
        drill.join("fighter", "Rurik", (2, 2), overrides={"hp": 40}, reactions={"*": "never"})
        drill.join(beast(senses=senses), "Cat", (3, 2), side="foes", reactions={"opportunity_attack": "always"})
        drill.start(dice=[20, 1])
        drill.do("gm", "rule", target="rurik", options={"add": ["invisible"], "reason": "a test"})
        events = drill.do("rurik", "move", to=(1, 2), dice=[1] if strikes else [])
        assert bool(all_of(events, AttackResolved)) is strikes


@pytest.mark.parametrize(("senses", "code"), [({}, None), ({"truesight": 30}, "hide/in-plain-sight")])
def test_the_invisible_can_hide_anywhere(senses: dict[str, int], code: str | None) -> None:
    drill = Drill(map=ROOM)
    drill.join("fighter", "Rurik", (2, 2), reactions={"*": "never"})
    drill.join(beast(senses=senses), "Cat", (6, 2), side="foes")
    drill.start(dice=[20, 1])
    drill.do("gm", "rule", target="rurik", options={"add": ["invisible"], "reason": "a test"})
    if code is not None:
        assert drill.refusal("rurik", "hide").code == code
        return
    drill.do("rurik", "hide", dice=[20])
    assert "hidden" in drill["rurik.conditions"]


@pytest.mark.parametrize("more", [["blinded"], []])
def test_fear_hampers_only_those_who_see_its_source(more: list[str]) -> None:
    """Rurik fears Cat. Blinded, he has disadvantage on attacks for that reason alone, and none on checks."""
    drill = Drill(map=ROOM)
    drill.join("fighter", "Rurik", (2, 2), reactions={"*": "never"})
    glare = {
        "name": "glare",
        "archetype": "affliction",
        "range": 30,
        "condition": "frightened",
        "save": "wis",
        "dc": 30,
    }
    drill.join(beast(actions=[glare]), "Cat", (6, 2), side="foes")
    drill.start(dice=[1, 20])
    drill.do("cat", "glare", target="rurik", dice=[1])
    drill.next_turn()
    drill.do("gm", "rule", target="rurik", options={"add": ["invisible", *more], "reason": "a test"})
    events = drill.do("rurik", "hide", dice=[10] if more else [10, 10])
    hindered = [event.source for event in all_of(events, ChainModified) if event.change.op == "disadvantage"]
    assert ("dnd5e:condition:frightened" in hindered) is not more
