"""The menu: five sections, each entry with its cost and, if it cannot be used now, why not."""

from __future__ import annotations

from combatlog.rules.engine.ruleset_types import Choice, ChoiceEffect
from combatlog.testing import Drill


def menu(drill: Drill, combatant: str) -> dict[str, dict[str, Choice]]:
    sections = drill.ruleset.menu(drill.fight.battle, drill.fight.battle.combatants[combatant])
    return {section.title: {choice.name: choice for choice in section.choices} for section in sections}


def monk_and_wizard() -> Drill:
    drill = Drill()
    drill.join("monk", "Ilka", (1, 1))
    drill.join("wizard", "Mila", (1, 3))
    drill.join("orc", "Ugh", (2, 1), side="foes", overrides={"hp": 60})
    drill.start(dice=[20, 10, 1])
    return drill


def test_the_five_sections_in_order() -> None:
    sections = list(menu(monk_and_wizard(), "ilka"))
    assert sections == ["Combat Actions", "Features", "Available Now", "Active Conditions", "Spells"]


def test_costs_are_in_words() -> None:
    drill = monk_and_wizard()
    ilka, mila = menu(drill, "ilka"), menu(drill, "mila")
    assert ilka["Combat Actions"]["attack"].cost == "1 action"
    assert ilka["Features"]["flurry_of_blows"].cost == "1 bonus action, 1 ki"
    assert ilka["Features"]["deflect_missiles"].cost == "1 reaction"
    assert ilka["Available Now"]["move"].cost == "free"
    assert mila["Spells"]["fireball"].cost == "1 action, 1 level 3 slot"
    assert mila["Spells"]["fire_bolt"].cost == "1 action"
    assert mila["Spells"]["shield"].cost == "1 reaction, 1 level 1 slot"


def test_what_cannot_be_used_says_why_not() -> None:
    drill = monk_and_wizard()
    before = menu(drill, "ilka")
    assert before["Combat Actions"]["attack"].why_not is None
    assert before["Features"]["flurry_of_blows"].why_not == (
        "Ilka has to take the Attack action before Flurry of Blows."
    )
    assert before["Available Now"]["strike"].why_not is not None
    assert "flurry_strike" not in before["Available Now"]
    drill.do("ilka", "attack")
    drill.do("ilka", "flurry_of_blows")
    after = menu(drill, "ilka")
    assert after["Combat Actions"]["dash"].why_not is not None
    assert "no action left" in after["Combat Actions"]["dash"].why_not
    assert after["Available Now"]["strike"].why_not is None
    assert after["Available Now"]["strike"].note == "2 strikes left: use strike"
    assert after["Available Now"]["flurry_strike"].note == "2 left"
    assert [effect.weapon for effect in after["Available Now"]["flurry_strike"].effects] == ["unarmed strike"]


def test_somebody_whose_turn_it_is_not_can_only_wait() -> None:
    entries = menu(monk_and_wizard(), "mila")
    assert entries["Spells"]["fireball"].why_not is not None
    assert entries["Spells"]["fireball"].why_not.startswith("It is Ilka's turn")
    assert entries["Spells"]["shield"].why_not is None  # a reaction has no turn


def test_active_conditions_tell_where_they_come_from_and_when_they_end() -> None:
    drill = monk_and_wizard()
    drill.do("ilka", "patient_defense")
    drill.do("gm", "rule", target="ilka", options={"add": ["exhaustion:2"], "reason": "a long night"})
    conditions = menu(drill, "ilka")["Active Conditions"]
    assert conditions["dodging"].note == "until the start of Ilka's next turn"
    assert conditions["exhaustion"].note == "level 2, from the GM"


def test_weapons_bring_their_actions() -> None:
    drill = monk_and_wizard()
    assert "ranged_attack" not in menu(drill, "ilka")["Available Now"]  # no weapon of hers is shot or thrown
    assert "ranged_attack" in menu(drill, "mila")["Available Now"]  # the dagger is thrown
    assert drill.refusal("ilka", "ranged_attack", target="ugh").code == "action/not-held"


def effects(drill: Drill, combatant: str, name: str) -> list[ChoiceEffect]:
    found = [choice for section in menu(drill, combatant).values() for choice in section.values()]
    return next(choice.effects for choice in found if choice.name == name)


def in_reach(effect: ChoiceEffect) -> dict[str, float | None]:
    return {one.who: one.chance for one in effect.in_reach or ()}


def archery_range() -> Drill:
    """It is the fighter's turn; one goblin is next to it and one is 50 feet away."""
    drill = Drill()
    drill.join("fighter", "Rurik", (0, 0))
    drill.join("goblin", "Near", (1, 0), side="foes")
    drill.join("goblin", "Far", (10, 0), side="foes")
    drill.start(dice=[20, 2, 1])
    return drill


def test_a_weapon_says_what_it_would_do_to_whom() -> None:
    drill = archery_range()
    (sword, both), (bow,) = effects(drill, "rurik", "melee_attack"), effects(drill, "rurik", "ranged_attack")
    assert (sword.weapon, sword.to_hit, sword.damage, sword.range) == ("longsword", "+5", "1d8+3 slashing", "5 ft")
    assert in_reach(sword) == {"near": 0.55}  # 15 - 5: 10 and more
    assert (both.weapon, both.damage, both.range) == ("longsword", "1d10+3 slashing", "5 ft, both hands")
    assert (bow.weapon, bow.to_hit, bow.damage, bow.range) == ("longbow", "+4", "1d8+2 piercing", "150/600 ft")
    # With an enemy within 5 feet, 11 and more has to come twice; 13 and more for somebody half behind somebody else.
    assert in_reach(bow) == {"near": 0.25, "far": 0.16}


def test_nobody_in_reach_is_said_too() -> None:
    drill = archery_range()
    drill.rule("near", to=(5, 5), reason="pushed")
    sword, _ = effects(drill, "rurik", "melee_attack")
    assert (sword.to_hit, sword.in_reach) == ("+5", [])


def test_what_cannot_be_done_now_says_no_effects() -> None:
    drill = archery_range()
    drill.do("rurik", "dash")
    assert effects(drill, "rurik", "melee_attack") == []


def test_after_the_first_of_two_strikes_one_is_left() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (0, 0), overrides={"multiattack": 2})
    drill.join("goblin", "Snig", (1, 0), side="foes")
    drill.start(dice=[20, 1])
    assert menu(drill, "rurik")["Combat Actions"]["attack"].note == "grants 2 strikes"
    drill.do("rurik", "attack")
    drill.do("rurik", "strike", target="snig", dice=[2])
    assert menu(drill, "rurik")["Available Now"]["strike"].note == "1 strike left: use strike"


def test_spells_say_their_saves_dice_and_ranges() -> None:
    drill = Drill()
    drill.join("wizard", "Mila", (0, 0))
    drill.join("goblin", "Snig", (3, 0), side="foes")
    drill.start(dice=[20, 1])
    (fireball,) = effects(drill, "mila", "fireball")
    assert (fireball.damage, fireball.save) == ("8d6 fire", "DEX save DC 15 for half")  # 8 + 3 + 4
    assert (fireball.range, fireball.in_reach) == ("150 ft, 20 ft sphere", None)
    (missiles,) = effects(drill, "mila", "magic_missile")
    assert (missiles.damage, in_reach(missiles)) == ("3 × 1d4+1 force", {"snig": None})
    (hold,) = effects(drill, "mila", "hold_person")
    assert (hold.condition, hold.save) == ("paralyzed", "WIS save DC 15")
    assert in_reach(hold) == {"snig": 0.75}  # -1: it needs 16 and more


def test_healing_is_aimed_at_friends() -> None:
    drill = Drill()
    drill.join("cleric", "Ilse", (0, 0))
    drill.join("fighter", "Rurik", (1, 0))
    drill.join("goblin", "Snig", (0, 1), side="foes")
    drill.start(dice=[20, 2, 1])
    (cure,) = effects(drill, "ilse", "cure_wounds")
    assert (cure.healing, cure.range, in_reach(cure)) == ("1d8+4", "5 ft", {"ilse": None, "rurik": None})
