"""The order of turns, reactions and departures while a fight goes on."""

from __future__ import annotations

import pytest

from combatlog import Undo
from combatlog.messages.commands import SetInitiative, SetReactions
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill, all_of, only
from ledger.errors import Problem
from ledger.events import CombatantLeft, InitiativeSet, PoliciesSet, Rolled, TurnStarted
from tests.rules.action_points.support import duel
from tests.rules.skirmish.arena import Arena
from tests.support import protected_duel


def verified(drill: Drill) -> bool:
    return list(check_declarations(drill.fight.events)) == []


# Initiative. protected_duel: Snig 20 + 2, Rurik 10 + 2 and Osric 5 + 0, who acts last.


def test_reinforcements_roll_initiative() -> None:
    """Grub's 12 + 2 puts him between Snig and Rurik, so he acts next."""
    drill = protected_duel()
    events = drill.join("goblin", "Grub", (5, 5), side="foes", dice=[12])
    assert (only(events, Rolled).purpose, only(events, Rolled).total) == ("initiative", 14)
    assert drill["order"] == ["snig", "grub", "rurik", "osric"]
    drill.end_turn("snig")
    assert drill["turn"] == "grub"
    assert verified(drill)


def test_a_tie_goes_to_the_more_dexterous_and_then_to_whoever_was_there() -> None:
    """Rurik has 12 and dexterity 14, as a goblin has; a second goblin with 12 comes behind him."""
    drill = protected_duel()
    drill.join("goblin", "Grub", (5, 5), side="foes", dice=[10])
    assert drill["order"] == ["snig", "rurik", "grub", "osric"]


def test_reinforcements_whose_turn_has_passed_act_in_the_next_round() -> None:
    drill = protected_duel()
    drill.end_turn("snig")
    drill.end_turn("rurik")
    drill.join("goblin", "Grub", (5, 5), side="foes", dice=[20])  # 22, behind Snig's 22
    assert drill["order"] == ["snig", "grub", "rurik", "osric"]
    drill.end_turn("osric")
    assert (drill["round"], drill["turn"]) == (2, "snig")


def test_several_reinforcements_and_a_set_initiative() -> None:
    drill = protected_duel()
    drill.join("goblin", None, (5, 5), side="foes", count=2, dice=[1, 15])
    assert drill["order"] == ["snig", "goblin-2", "rurik", "osric", "goblin"]  # 17 and 3, against Osric's 5
    drill.join("wizard", "Mira", (6, 6), initiative=30)
    assert drill["order"][0] == "mira"
    assert verified(drill)


def test_initiative_on_joining_needs_a_fight_that_has_started() -> None:
    drill = Drill()
    with pytest.raises(Problem) as refused:
        drill.join("wizard", "Mira", (6, 6), initiative=30)
    assert refused.value.code == "join/initiative"


def test_initiative_can_be_corrected() -> None:
    """Osric had 17 and not 5: he acts after Snig's turn, which goes on."""
    drill = protected_duel()
    events = drill.send(SetInitiative({"Osric": 17}, reason="misread"))
    order = only(events, InitiativeSet).order
    assert [(entry.combatant, entry.value) for entry in order] == [("snig", 22), ("osric", 17), ("rurik", 12)]
    assert drill["turn"] == "snig"
    drill.end_turn("snig")
    assert drill["turn"] == "osric"
    assert verified(drill)
    drill.apply(drill.plan(Undo(events[0].seq)))
    assert drill["order"] == ["snig", "rurik", "osric"]


def test_initiative_of_nobody_or_too_early() -> None:
    drill = protected_duel()
    with pytest.raises(Problem) as refused:
        drill.send(SetInitiative({"nobody": 17}))
    assert refused.value.code == "declaration/unknown-combatant"
    with pytest.raises(Problem) as refused:
        Drill().send(SetInitiative({}))
    assert refused.value.code == "message/invalid"


# Reactions


def test_reactions_can_be_changed_during_a_fight() -> None:
    """Osric is asked before every attack, until he says that he always protects. 15 and 2: 2 + 4 misses 16."""
    drill = protected_duel()
    drill.do("snig", "attack")
    events = drill.send(SetReactions("Osric", {"protection": "always"}))
    assert only(events, PoliciesSet).policies == {"protection": "always"}
    drill.do("snig", "strike", target="rurik", dice=[15, 2])
    assert (drill["rurik.hp"], drill["osric.reaction"]) == (12, 0)
    assert verified(drill)


def test_a_change_while_somebody_is_asked_counts_for_the_next_time() -> None:
    drill = protected_duel()
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik")
    drill.send(SetReactions("osric", {"*": "never"}))
    assert drill["waiting"] == "osric"
    drill.react("osric", None, dice=[15, 4])
    assert drill["rurik.hp"] == 6
    assert verified(drill)
    drill.apply(drill.plan(Undo()))
    assert verified(drill)


def test_a_reaction_that_does_not_exist() -> None:
    with pytest.raises(Problem) as refused:
        protected_duel().send(SetReactions("osric", {"protectoin": "always"}))
    assert refused.value.facts["suggestions"] == ["protection"]


# Leaving


def test_leaving_on_the_own_turn_ends_it() -> None:
    drill = protected_duel()
    events = drill.leave("snig", reason="fled")
    assert only(events, CombatantLeft).why == "fled"
    assert only(events, TurnStarted).combatant == "rurik"
    assert drill["turn"] == "rurik"
    assert verified(drill)


def test_the_last_of_all_can_leave() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.start(dice=[10])
    drill.leave("rurik")
    assert drill["turn"] is None
    assert verified(drill)


def test_leaving_while_being_waited_for_passes() -> None:
    drill = protected_duel()
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik")
    drill.leave("osric", dice=[15, 4])
    assert (drill["waiting"], drill["rurik.hp"]) == (None, 6)
    assert not drill.battle.combatants["osric"].present
    assert verified(drill)


def test_leaving_ends_concentration_and_holds() -> None:
    drill = Drill()
    drill.join("cleric", "Ilse", (1, 1))
    drill.join("fighter", "Rurik", (1, 2))
    drill.join("goblin", "Snig", (2, 2), side="foes")
    drill.start(dice=[20, 10, 5])
    drill.do("ilse", "bless", target=["rurik"])
    drill.rule("rurik", add=["grappled"], reason="the test says so")
    drill.leave("ilse")
    assert drill["rurik.conditions"] == ["grappled"]  # by the GM's ruling, not by Ilse
    assert verified(drill)


def test_leaving_on_the_own_turn_in_action_points() -> None:
    drill = duel()
    turn = drill["turn"]
    drill.leave(turn)
    assert drill["turn"] is not None
    assert drill["turn"] != turn
    assert verified(drill)


def test_a_figure_that_leaves_during_its_activation_in_skirmish() -> None:
    arena = Arena(others=[("Second", "rebels", (1, 1), {})])
    arena.do("hero", "activate")
    arena.leave("hero")
    assert arena["turn"] is None
    assert not arena.battle.clock.closed
    assert verified(arena)
    assert all_of(arena.fight.events, CombatantLeft)[-1].combatant == "hero"
