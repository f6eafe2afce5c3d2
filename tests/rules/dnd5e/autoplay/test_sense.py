"""Situations in which something silly could be done, and what is done instead."""

from __future__ import annotations

from combatlog.rules.autoplay.option import OptionAim
from combatlog.rules.autoplay.player import PlayLimits, choose, play
from combatlog.testing import Drill
from tests.rules.dnd5e.autoplay.support import duel, measured, option


def said_in_a_turn(drill: Drill) -> list[str]:
    """What is done in the turn that is under way, without its end."""
    return [step.what for step in play(drill.fight, PlayLimits(turns=1)) if not step.ends_turn]


def seeded_duel(hero: str, foe: str, **more: object) -> Drill:
    drill = Drill(dice="seed:3")
    drill.join(hero, "Hero", (1, 1), overrides=more)
    drill.join(foe, "Foe", (2, 1), side="foes", overrides={"hp": 200})
    drill.start(dice=[20, 1])
    return drill


def test_a_monk_keeps_its_bonus_action_for_the_flurry_that_follows_its_attack() -> None:
    """To defend itself patiently could be declared first, and would cost two unarmed strikes."""
    said = said_in_a_turn(seeded_duel("monk", "ogre"))
    assert "flurry of blows" in said
    assert "patient defense" not in said


def test_who_throws_an_axe_is_not_reckless_about_it() -> None:
    """Recklessness helps in melee alone, and everybody else against the reckless."""
    drill = Drill(dice="seed:3")
    drill.join("barbarian", "Hero", (1, 1), overrides={"speed": 0})
    drill.join("ogre", "Foe", (5, 1), side="foes", overrides={"hp": 200})
    drill.start(dice=[20, 1])
    said = said_in_a_turn(drill)
    assert any(what.startswith("ranged attack") for what in said)
    assert "reckless attack" not in said


def test_who_strikes_at_arms_length_may_be_reckless() -> None:
    drill = seeded_duel("barbarian", "zombie")
    # Advantage for two blows, against what a zombie's slam gains by it.
    assert measured(drill, "reckless_attack", OptionAim(), "opens_up") > measured(
        drill, "melee_attack", OptionAim(("foe",)), "expected_damage", "greataxe"
    )
    assert "reckless attack" in said_in_a_turn(drill)


def test_a_spell_that_holds_nobody_any_more_is_given_up_for_nothing() -> None:
    """A ruling freed its target, but the caster goes on concentrating."""
    drill = duel("cleric", "orc")
    drill.do("hero", "hold_person", target="foe", dice=[1])
    drill.do("gm", "rule", target="foe", options={"remove": ["paralyzed"], "reason": "test"})
    assert option(drill, "bless").combatant.has("dnd5e:condition:concentrating")
    assert measured(drill, "bless", OptionAim(("hero",)), "concentration") == 0


def test_nobody_helps_those_who_cannot_get_there() -> None:
    drill = Drill()
    drill.join("zombie", "Hero", (1, 1))
    drill.join("zombie", "Far", (25, 1))
    drill.join("zombie", "Near", (5, 1))
    drill.join("zombie", "Held", (1, 2))
    drill.join("monk", "Foe", (2, 1), side="foes")
    drill.start(dice=[20, 3, 2, 4, 1])
    drill.do("gm", "rule", target="held", options={"add": ["paralyzed"], "reason": "test"})
    assert [aim.targets for aim in option(drill, "help").aims()] == [("near", "foe")]


def test_who_would_fall_to_any_blow_does_not_dodge_but_strikes() -> None:
    """With one hit point left nobody can be spared more than that one."""
    drill = duel("goblin", "ogre", hp=1)
    assert 0 <= measured(drill, "dodge", OptionAim(), "shelter") <= 1
    found = choose(drill.fight.battle)
    assert found is not None
    assert "attack" in found.option.tags


def test_nobody_is_healed_who_misses_nothing() -> None:
    drill = duel("cleric")
    drill.do("gm", "rule", target="foe", options={"set": {"hp": 0}, "add": ["dead"], "reason": "test"})
    found = choose(drill.fight.battle)
    assert found is None or found.option.archetype != "healing"


def test_a_second_action_is_used_once_the_first_is() -> None:
    drill = seeded_duel("fighter", "ogre", level=2, features=["second_wind", "action_surge"])
    said = said_in_a_turn(drill)
    assert said.index("action surge") > 0
    assert sum(what.startswith("melee attack") for what in said) == 2
