"""Six combatants and three rounds in a real terminal: typed dice, reactions, and a mistake that is taken back."""

from __future__ import annotations

import pytest

import combatlog
from ledger.events import AttackResolved, Declared, ReactionChosen, Undone
from tests.cli.play.conftest import Open

pytestmark = pytest.mark.slow

MOST_TYPED = 40
"""Characters for an attack with its dice and the end of the turn, Enter included."""


def test_three_rounds(open_ledger: combatlog.Ledger, sit_down: Open) -> None:
    """Everybody stands in reach of an enemy: Rurik of Snig, Osric of Fang, Ysolde of Grum.

    Armour classes: Rurik 16, Osric and Ysolde 18, Snig 15, Fang 13, the ogre Grum 11.
    """
    fight = open_ledger.new("Ford", dice="table")
    for sheet, name, at in (("fighter", "Rurik", (3, 2)), ("paladin", "Osric", (3, 5)), ("cleric", "Ysolde", (3, 8))):
        fight.join(sheet, name, at)
    for sheet, name, at in (("goblin", "Snig", (4, 2)), ("wolf", "Fang", (4, 5)), ("ogre", "Grum", (4, 8))):
        fight.join(sheet, name, at, side="foes")
    with sit_down("Ford") as at_table:
        at_table.sees("(not started)>")
        at_table.types("start")
        for name, face in (("Rurik", 18), ("Osric", 15), ("Ysolde", 12), ("Snig", 9), ("Fang", 6), ("Grum", 3)):
            at_table.sees(f"{name}: d20", "initiative:")
            at_table.types(str(face))
        # Round 1
        at_table.sees("Rurik>")
        before = at_table.typed
        at_table.types("hit snig 15 4").sees("20 against AC 15, hit")
        at_table.types("").sees("End Rurik's turn?")
        at_table.types("").sees("Osric>")
        assert at_table.typed - before <= MOST_TYPED
        at_table.types("hit fang").sees("Osric: d20+5, attack on Fang with a longsword:")
        at_table.types("2 7").sees("miss", "Not needed after all: 7.")
        at_table.types("").sees("End Osric's turn?")
        at_table.types("").sees("Ysolde>")
        at_table.types("cast bless osr rur").sees("bless", "Ysolde>")
        at_table.types("end").sees("Fang's turn", "Fang>")  # Snig had 7 hit points
        # A mistake: the die showed a 3
        at_table.types("hit osric 19 1 1 12 1").sees("against AC 18, hit", "Fang>")
        at_table.types("undo").sees("The plan:", "Apply this plan?")
        at_table.types("y").sees("Done: 1 event recorded.", "Fang>")
        at_table.types("hit osr 3 2 2").sees("miss", "Not needed after all: 2, 2.")
        at_table.types("end").sees("Grum>")
        # Grum leaves Ysolde's reach, and she is asked
        at_table.types("move 6,8").sees("Provokes opportunity attack from Ysolde.", "Move there?")
        at_table.types("").sees("Ysolde: opportunity attack or pass?")
        at_table.types("opp").sees("Ysolde: d20+5, opportunity attack on Grum:")
        at_table.types("15").sees("Ysolde: d6+2, damage to Grum:")
        at_table.types("5").sees("hit", "Grum>")
        at_table.types("end").sees("Round 2", "Rurik>")
        # Round 2: Osric is blessed, so he rolls a d4 as well
        at_table.types("second wind 5").sees("Rurik>")
        at_table.types("end").sees("Osric>")
        at_table.types("hit fang 12 9").sees("9 is not a face of d4", "attack on Fang with a longsword:")
        at_table.types("12").sees("Osric: d4, bless on attack:")
        at_table.types("2 4").sees("19 against AC 13, hit", "Osric>")
        at_table.types("end").sees("Ysolde>")
        for name, after in (("Ysolde", "Fang"), ("Fang", "Grum"), ("Grum", "Rurik")):
            at_table.types("dodge").sees(f"{name} dodges", f"{name}>")
            at_table.types("").sees(f"End {name}'s turn?")
            at_table.types("").sees(f"{after}>")
        # Round 3
        for name, after in (("Rurik", "Osric"), ("Osric", "Ysolde"), ("Ysolde", "Fang"), ("Fang", "Grum")):
            at_table.types("dash").sees(f"{name}>")
            at_table.types("end").sees(f"{after}>")
        at_table.types("end").sees("Round 4", "Rurik>")
        at_table.types("quit").sees("Ford stays as it is")
        assert at_table.ends() == 0
    events = fight.events()
    assert len([e for e in events if isinstance(e, AttackResolved)]) == 6
    assert len([e for e in events if isinstance(e, ReactionChosen)]) == 1
    assert len([e for e in events if isinstance(e, Undone)]) == 1
    assert {event.by for event in events if isinstance(event, Declared)} >= {"rurik", "osric", "ysolde", "fang", "grum"}
    assert fight.verify().stands
