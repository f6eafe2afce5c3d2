"""What a refusal says as data: a program can tell who lacks what without reading the sentence."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from combatlog.rules.action_points.tables_and_formulas import DIFFICULTIES
from combatlog.testing import Drill
from ledger.errors import Problem
from tests.cases import each
from tests.rules.action_points.support import duel, pass_turns, rule

SPELLS = ["firebolt", "mend", "bless", "hamper"]


def mage() -> Drill:
    drill = Drill(ruleset="action_points")
    drill.join("hedge_mage", "Mia", (0, 0))
    drill.join("brigand", "Bor", (20, 0), side="foes", reactions={"*": "never"})
    drill.start()
    return drill


def ruled(**values: int) -> Drill:
    drill = duel()
    rule(drill, "ana", **values)
    return drill


def after(action: str, **said: Any) -> Drill:
    drill = duel()
    drill.do("ana", action, **said)
    return drill


@each(
    ("given", "who", "declared", "code", "facts"),
    [
        (
            partial(ruled, ap=1),
            "ana",
            ("attack", {"target": "bor", "options": {"boost_ap": 2}}),
            "economy/no-ap-left",
            {"who": "ana", "resource": "ap", "needed": 3, "available": 1},
        ),
        (
            partial(ruled, fat=0),
            "ana",
            ("attack", {"target": "bor"}),
            "state/exhausted",
            {"who": "ana", "resource": "fat", "needed": 1, "available": 0},
        ),
        (
            partial(ruled, vit=1),
            "ana",
            ("attack", {"target": "bor"}),
            "state/incapacitated",
            {"who": "ana", "resource": "vit", "needed": 2, "available": 1},
        ),
        (partial(ruled, vit=0), "ana", ("attack", {"target": "bor"}), "state/dead", {"who": "ana"}),
        (duel, "ana", ("attack", {"target": "ana"}), "target/self", {"who": "ana"}),
        (duel, "ana", ("attack", {}), "target/one", {"needed": 1, "found": []}),
        (duel, "ana", ("attack", {"target": ("bor", "ana")}), "target/one", {"needed": 1, "found": ["bor", "ana"]}),
        (
            duel,
            "ana",
            ("attack", {"target": "bor", "weapon": "longbow"}),
            "weapon/not-in-hand",
            {
                "who": "ana",
                "weapon": "longbow",
                "available": ["longsword", "dagger", "fists"],
                "suggestions": ["longsword"],
            },
        ),
        (
            mage,
            "mia",
            ("cast", {"target": "bor", "options": {"spell": "mend"}}),
            "target/out-of-reach",
            {"who": "mia", "target": "bor", "what": "mend", "distance": 20, "reach": 5},
        ),
        (
            mage,
            "mia",
            ("cast", {"options": {"spell": "firebal"}}),
            "cast/unknown-spell",
            {"who": "mia", "spell": "firebal", "available": SPELLS, "suggestions": ["firebolt"]},
        ),
        (duel, "ana", ("cast", {"options": {"spell": "mend"}}), "cast/no-spells", {"who": "ana"}),
        (
            duel,
            "ana",
            ("use_item", {"options": {"item": "vigor draught"}}),
            "item/not-left",
            {
                "who": "ana",
                "item": "vigor draught",
                "available": ["vigour draught"],
                "suggestions": ["vigour draught"],
            },
        ),
        (
            duel,
            "ana",
            ("move", {"to": (5, 20)}),
            "move/too-far",
            {"who": "ana", "position": (5, 20), "needed": 15, "available": 9},
        ),
        (
            partial(after, "step", to=(5, 9)),
            "ana",
            ("step", {"to": (5, 10)}),
            "move/no-metres-left",
            {"who": "ana", "resource": "free_metres", "needed": 1, "available": 0},
        ),
        (partial(after, "defend"), "ana", ("full_sprint", {"to": (5, 9)}), "move/already-acted", {"who": "ana"}),
        (partial(after, "defend"), "ana", ("defend", {}), "defend/already", {"who": "ana"}),
        (partial(after, "defend"), "ana", ("rest", {"options": {"ap": 1}}), "rest/already-acted", {"who": "ana"}),
        (partial(after, "rest", options={"ap": 1}), "ana", ("defend", {}), "rest/resting", {"who": "ana"}),
        (partial(after, "full_sprint", to=(5, 9)), "ana", ("defend", {}), "move/sprinting", {"who": "ana"}),
        (duel, "ana", ("rearm", {}), "rearm/armed", {"who": "ana"}),
        (duel, "ana", ("boost", {}), "boost/after-roll", {"who": "ana", "available": ["boost_ap", "boost_fat"]}),
    ],
)
def test_the_facts_of_a_refusal(
    given: Callable[[], Drill], who: str, declared: tuple[str, dict[str, Any]], code: str, facts: dict[str, Any]
) -> None:
    action, said = declared
    with pytest.raises(Problem) as refused:
        given().do(who, action, **said)
    assert (refused.value.code, refused.value.facts) == (code, facts)


def test_a_misspelt_skill_comes_with_a_suggestion() -> None:
    with pytest.raises(Problem) as refused:
        duel().do("ana", "use_skill", options={"skill": "athletic", "tv": "hard"})
    assert refused.value.code == "skill/unknown"
    assert refused.value.facts["suggestions"] == ["athletics"]
    assert {"swords", "athletics", "stealth"} <= set(refused.value.facts["available"])


def test_an_unknown_difficulty_is_refused_with_those_that_exist() -> None:
    with pytest.raises(Problem) as refused:
        duel().do("ana", "use_skill", options={"skill": "athletics", "tv": "heroic"})
    assert refused.value.code == "declaration/invalid-option"
    assert refused.value.facts["what"] == "use_skill"
    assert all(name in refused.value.sentence for name in DIFFICULTIES)


def test_nobody_can_be_disarmed_of_nothing() -> None:
    drill = duel()
    drill.do("ana", "disarm", target="bor", dice=(0, 0, 0, 0))
    pass_turns(drill, 2)
    with pytest.raises(Problem) as refused:
        drill.do("ana", "disarm", target="bor", dice=(0, 0, 0, 0))
    assert (refused.value.code, refused.value.facts) == ("disarm/unarmed", {"who": "ana", "target": "bor"})
