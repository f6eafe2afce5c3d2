"""The menu: five sections, each entry with its cost and, if it cannot be used now, why not."""

from __future__ import annotations

from combatlog.testing import Drill
from rules.engine.ruleset import Choice


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
        "ilka has to take the Attack action before Flurry of Blows."
    )
    assert before["Available Now"]["strike"].why_not is not None
    assert "flurry_strike" not in before["Available Now"]
    drill.do("ilka", "attack")
    drill.do("ilka", "flurry_of_blows")
    after = menu(drill, "ilka")
    assert after["Combat Actions"]["dash"].why_not is not None
    assert "no action left" in after["Combat Actions"]["dash"].why_not
    assert after["Available Now"]["strike"].why_not is None
    assert after["Available Now"]["strike"].note == "x2"
    assert after["Available Now"]["flurry_strike"].note == "x2 with unarmed strike"


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
