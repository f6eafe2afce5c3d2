"""What `hit`, `cast` and `move` mean, under each ruleset."""

from __future__ import annotations

import pytest

from combatlog import Refusal
from combatlog.rules.engine.menu import named
from combatlog.testing import Drill, all_of, only
from ledger.events import AttackResolved, Declared, Moved


def dnd(*joined: tuple[str, str, tuple[int, int], str]) -> Drill:
    """A fight in which the first who joins has the turn."""
    drill = Drill()
    for sheet, name, at, side in joined:
        drill.join(sheet, name, at, side=side)
    drill.start(dice=[20, *[1] * (len(joined) - 1)])
    return drill


SNIG = ("goblin", "Snig", (4, 2), "foes")
FAR = ("wolf", "Fang", (12, 2), "foes")


def said(drill: Drill, target: str | None, weapon: str | None = None) -> list[tuple[str, str | None]]:
    return [(way.action, way.weapon) for way in drill.seen_by().ways_to_hit(target, weapon=weapon)]


def test_the_obvious_attack_takes_the_action_and_strikes() -> None:
    drill = dnd(("fighter", "Rurik", (3, 2), "heroes"), SNIG, FAR)
    assert said(drill, "snig") == [("melee_attack", "longsword")]
    assert said(drill, "fang") == [("ranged_attack", "longbow")]
    assert said(drill, "snig", "longb") == [("ranged_attack", "longbow")]
    outcome = drill.hit("snig", dice=[15, 4])
    assert only(outcome, Declared).action == "dnd5e:action:melee_attack"
    assert only(outcome, AttackResolved).hit


def test_hitting_again_is_the_extra_attack_on_the_same_target() -> None:
    drill = dnd(("barbarian", "Karn", (3, 2), "heroes"), ("ogre", "Grum", (1, 2), "foes"), SNIG)
    assert said(drill, "grum") == [("melee_attack", "greataxe")]  # the handaxe is to be thrown
    drill.hit("grum", dice=[2])
    again = drill.hit(dice=[3])
    assert [event.action for event in all_of(again, Declared)] == ["dnd5e:action:strike"]
    assert only(again, AttackResolved).target == "grum"
    with pytest.raises(Refusal) as refused:
        drill.hit(dice=[3])
    assert refused.value.code == "economy/no-action-left"


def test_two_weapons_in_hand_are_a_choice() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (3, 2), overrides={"weapons": ["mace", "longsword", "longbow"]})
    drill.join("goblin", "Snig", (4, 2), side="foes")
    drill.start(dice=[20, 1])
    assert said(drill, "snig") == [("melee_attack", "mace"), ("melee_attack", "longsword")]
    assert said(drill, "snig", "LONGSWORD") == [("melee_attack", "longsword")]


def test_the_off_hand_strikes_when_nothing_else_is_left() -> None:
    drill = dnd(("dual_wielder", "Vex", (3, 2), "heroes"), ("ogre", "Grum", (4, 2), "foes"))
    while (way := drill.seen_by().ways_to_hit("grum")[0]).action != "off_hand_strike":
        drill.declare(way, dice=[2])
    assert only(drill.hit(dice=[2]), Declared).action == "dnd5e:action:off_hand_strike"


@pytest.mark.parametrize(
    ("target", "weapon", "code"),
    [
        (None, None, "hit/whom"),
        ("gm", None, "hit/whom"),
        ("nobody", None, "declaration/unknown-combatant"),
        ("snig", "spear", "weapon/unknown"),
        ("fang", None, "strike/out-of-reach"),
    ],
)
def test_what_cannot_be_hit_is_refused(target: str | None, weapon: str | None, code: str) -> None:
    drill = dnd(("wolf", "Grey", (3, 2), "heroes"), SNIG, ("wolf", "Fang", (12, 2), "foes"))
    with pytest.raises(Refusal) as refused:
        drill.hit(target, weapon=weapon)
    assert refused.value.code == code


def test_a_spell_goes_by_the_beginning_of_its_name() -> None:
    drill = dnd(("cleric", "Ysolde", (3, 3), "heroes"), ("fighter", "Rurik", (3, 2), "heroes"), SNIG)
    outcome = drill.cast("bles", ["rurik", "ysolde"])
    assert only(outcome, Declared).action == "dnd5e:spell:bless"
    assert only(outcome, Declared).targets == ("rurik", "ysolde")


def test_a_move_goes_to_a_square() -> None:
    drill = dnd(("fighter", "Rurik", (3, 2), "heroes"), ("goblin", "Snig", (9, 2), "foes"))
    assert [step.to for step in all_of(drill.move((3, 4)), Moved)] == [(3, 3), (3, 4)]


@pytest.fixture
def duel() -> Drill:
    drill = Drill("action_points")
    drill.join("hedge_mage", "Ilse", (1, 1))
    drill.join("guard", "Bors", (2, 1), side="foes")
    drill.start()
    if drill.battle.clock.turn != "ilse":
        drill.next_turn()
    return drill


def test_action_points_step_for_free_as_long_as_they_can(duel: Drill) -> None:
    assert duel.seen_by().way_to_move((1, 3)).action == "step"
    assert duel.seen_by().way_to_move((1, 8)).action == "move"


def test_action_points_hit_with_what_is_in_hand_and_cast_by_the_name_of_the_spell(duel: Drill) -> None:
    assert [(way.action, way.weapon) for way in duel.seen_by().ways_to_hit("bors")] == [("attack", "dagger")]
    assert [way.weapon for way in duel.seen_by().ways_to_hit("bors", weapon="fist")] == ["fists"]
    cast = duel.seen_by().way_to_cast("fireb", "bors")
    assert (cast.action, cast.options, cast.targets) == ("cast", {"spell": "firebolt"}, ("bors",))


def test_a_skirmish_walks_with_the_points_it_has() -> None:
    drill = Drill("skirmish", dice="seed:1")
    drill.join("rebel-player", "Rebels", side="rebels")
    drill.join("imperial-player", "Empire", side="empire")
    drill.join("scout", "Scout", (1, 1), side="rebels")
    drill.join("trooper", "Trooper", (3, 1), side="empire")
    drill.start()
    figure = drill.ruleset.to_act(drill.battle)[0].id
    drill.do(figure, "activate")
    assert drill.seen_by().way_to_move((2, 2)).action == "move"
    drill.do(figure, "move")
    assert drill.seen_by().way_to_move((2, 2)).action == "walk"
    enemy = "trooper" if figure == "scout" else "scout"
    assert [way.action for way in drill.seen_by().ways_to_hit(enemy)] == ["attack"]


@pytest.mark.parametrize(
    ("typed", "found"),
    [("magic missile", "magic_missile"), ("MISS", "magic_missile"), ("fire bolt", "fire_bolt"), ("fireb", "fireball")],
)
def test_names_are_found_by_the_beginning_of_a_word(typed: str, found: str) -> None:
    assert named(typed, ["fire_bolt", "fireball", "magic_missile"], "spell") == found


@pytest.mark.parametrize(("typed", "code"), [("fire", "spell/ambiguous"), ("frost", "spell/unknown")])
def test_names_that_fit_several_or_none_are_refused(typed: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        named(typed, ["fire_bolt", "fireball", "magic_missile"], "spell")
    assert refused.value.code == code
