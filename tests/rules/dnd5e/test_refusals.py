"""Refusals: the sentence that people read, and the facts that programs use."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.errors import Problem
from tests.cases import each
from tests.support import Drill


def hall() -> Drill:
    """It is Mila's turn. Rurik is her ally, Ugh stands in the next square, and Snig is 40 feet away."""
    drill = Drill()
    drill.join("wizard", "Mila", (1, 1), overrides={"features": ["rage", "flurry_of_blows", "action_surge"]})
    drill.join("fighter", "Rurik", (1, 2))
    drill.join("orc", "Ugh", (2, 1), side="foes")
    drill.join("goblin", "Snig", (9, 1), side="foes")
    drill.start(dice=[20, 10, 5, 1])
    return drill


ROWS: list[tuple[str, dict[str, Any], str, str, dict[str, Any]]] = [
    (
        "strike",
        {"target": "ugh"},
        "economy/no-attacks-left",
        "Mila has no attacks left; take the Attack action first.",
        {"who": "mila", "resource": "attacks", "needed": 1, "available": 0},
    ),
    (
        "melee_attack",
        {},
        "strike/one-target",
        "A strike takes one target; none was named.",
        {"who": "mila", "needed": 1, "found": []},
    ),
    (
        "melee_attack",
        {"target": ["ugh", "snig"]},
        "strike/one-target",
        "A strike takes one target; 2 were named.",
        {"who": "mila", "needed": 1, "found": ["ugh", "snig"]},
    ),
    (
        "melee_attack",
        {"target": "snig", "weapon": "quarterstaff"},
        "strike/out-of-reach",
        "Snig is 40 feet away and Mila's quarterstaff reaches 5 feet; move closer.",
        {"who": "mila", "target": "snig", "weapon": "quarterstaff", "distance": 40, "reach": 5},
    ),
    (
        "melee_attack",
        {"target": "snig", "weapon": "dagger"},
        "strike/out-of-reach",
        "Snig is 40 feet away and dagger reaches 5 feet; move closer, or throw it with a ranged attack.",
        {"who": "mila", "target": "snig", "weapon": "dagger", "distance": 40, "reach": 5},
    ),
    (
        "melee_attack",
        {"target": "ugh", "weapon": "quaterstaff"},
        "strike/no-weapon",
        "Mila has no weapon 'quaterstaff'; choose dagger, quarterstaff or unarmed strike.",
        {
            "who": "mila",
            "weapon": "quaterstaff",
            "available": ["dagger", "quarterstaff", "unarmed strike"],
            "suggestions": ["quarterstaff"],
        },
    ),
    (
        "move",
        {"to": (1, 9)},
        "economy/no-movement-left",
        "That path costs 40 feet and Mila has 30 left; choose a nearer square, or Dash first.",
        {"who": "mila", "resource": "movement", "needed": 40, "available": 30},
    ),
    (
        "move",
        {"to": (2, 1)},
        "move/occupied",
        "Ugh is at 2,1; choose another square.",
        {"destination": (2, 1), "occupant": "ugh"},
    ),
    (
        "help",
        {"target": ["rurik", "snig"]},
        "help/too-far",
        "Snig is 40 feet from Mila, who can help only within 5 feet; move closer.",
        {"who": "mila", "target": "snig", "distance": 40, "reach": 5},
    ),
    (
        "burning_hands",
        {"to": (9, 1)},
        "spell/out-of-range",
        "9,1 is 40 feet away and burning hands reaches 15 feet; choose a nearer square.",
        {"who": "mila", "what": "burning_hands", "destination": (9, 1), "distance": 40, "reach": 15},
    ),
    (
        "hold_person",
        {"target": ["ugh", "rurik"]},
        "spell/targets",
        "hold person takes one target; 2 were named.",
        {"who": "mila", "what": "hold_person", "needed": 1, "found": ["ugh", "rurik"]},
    ),
    (
        "magic_missile",
        {"target": "ugh", "options": {"slot": 10}},
        "spell/slot",
        "magic missile takes a slot of level 1 to 9, not 10.",
        {"spell": "magic_missile", "needed": 1, "available": [1, 2, 3, 4, 5, 6, 7, 8, 9], "found": 10},
    ),
    (
        "shield",
        {},
        "spell/reaction",
        "shield is a reaction; Mila can cast it when asked to react.",
        {"who": "mila", "spell": "shield"},
    ),
    (
        "bless",
        {"target": "rurik"},
        "spell/not-held",
        "Mila does not have bless; choose something it has.",
        {"who": "mila", "what": "bless"},
    ),
    (
        "flurry_of_blows",
        {},
        "flurry-of-blows/no-attack",
        "Mila has to take the Attack action before Flurry of Blows.",
        {"who": "mila", "needed": "attack"},
    ),
    (
        "off_hand_strike",
        {"target": "ugh"},
        "off-hand-strike/not-granted",
        "Mila has no off hand strike to make; a strike with a light weapon in the main hand, while holding another in "
        "the off hand, grants one.",
        {"who": "mila", "what": "off_hand_strike"},
    ),
]


@each(("action", "said", "code", "sentence", "facts"), ROWS)
def test_a_refusal_has_a_sentence_and_facts(
    action: str, said: dict[str, Any], code: str, sentence: str, facts: dict[str, Any]
) -> None:
    with pytest.raises(Problem) as refused:
        hall().do("mila", action, **said)
    problem = refused.value
    assert (problem.code, problem.sentence, problem.facts) == (code, sentence, facts)
