"""What every action and answer can be told. Anything else would be recorded without effect, so it is refused."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from combatlog.rules.engine.options_and_validation import option_fields
from combatlog.rules.engine.resolution.fight_engine import Declaration, Reply
from combatlog.rules.skirmish import RULESET
from combatlog.rules.skirmish.actions.activate import SkirmishActivity
from combatlog.rules.skirmish.menu_and_summary import ABOUT, choosable
from combatlog.rules.skirmish.pieces import PIECES
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill
from ledger.errors import Problem
from ledger.events import Data, Declared
from tests.cases import each
from tests.rules.skirmish.arena import Arena

SPECIALS = ["dc_special:Field Medic:0", "dc_special:Field Captain:0"]


class Row(NamedTuple):
    """What an action takes, and a misspelt option with what was probably meant."""

    options: list[str]
    required: list[str]
    parts: list[str]
    misspelt: str
    meant: list[str]


ACTIONS = {
    "activate": Row([], [], [], "actions", []),
    "attack": Row(["space"], [], ["target"], "spaces", ["space"]),
    "deplete": Row(["card"], [], ["target"], "cards", ["card"]),
    "end_round": Row([], [], [], "round", []),
    "exhaust": Row(["card"], [], ["target"], "crad", ["card"]),
    "interrupt": Row(["space"], [], ["target"], "by", []),
    "move": Row(["turn"], [], ["destination"], "turned", ["turn"]),
    "play": Row(["card"], ["card"], ["target"], "cards", ["card"]),
    "shake_off": Row(["condition"], [], [], "conditions", ["condition"]),
    "special": Row(["ability"], [], ["target"], "abilty", ["ability"]),
    "walk": Row(["turn"], [], ["destination"], "path", []),
}
ANSWERS = {
    "card": "card:Blitz",
    "choice": "discard_top_card",
    "condition": "stunned",
    "deplete": "deplete:Field Kit",
    "die": "die:red",
    "exhaust": "exhaust:Field Kit",
    "face": "face:1/2/0",
    "figure": "figure:foe",
    "player": "player:rebels",
    "secret": "secret:Blitz",
    "space": "space:4_4",
    "surge": "surge:damage 1",
    "token": "token:wild_as_hit",
}
"""An answer of every type; none of them takes an option."""
NAMED: dict[str, dict[str, Any]] = {
    "target": {"target": "foe"},
    "destination": {"to": (4, 4)},
    "weapon": {"weapon": "rifle"},
}


def arena() -> Arena:
    active = Arena(hand=["Blitz", "Focus", "Hit and Run"], hero={"abilities": SPECIALS, "surges": ["damage 1"]})
    active.do("hero", "activate")
    return active


def test_every_action_has_a_row() -> None:
    assert sorted(ACTIONS) == sorted(PIECES.of(SkirmishActivity))


def test_every_type_of_answer_has_a_row() -> None:
    refs = [*choosable(arena().fight.battle), *RULESET.reaction_refs().values()]
    assert sorted(ANSWERS) == sorted(ABOUT)
    only_when_offered = {"deplete", "exhaust"}
    assert {reference.split(":")[1] for reference in refs} == set(ABOUT) - only_when_offered


@each(("name", "row"), ACTIONS.items(), ids=list(ACTIONS))
def test_an_action_takes_what_it_declares(name: str, row: Row) -> None:
    signature = RULESET.signature(RULESET.action_ref(name))
    assert signature is not None
    fields = option_fields(signature.options)
    assert (list(fields), [option for option, info in fields.items() if info.is_required()]) == row[:2]
    assert sorted(signature.parts) == row.parts
    assert signature.about.endswith(".")
    assert all(info.description for info in fields.values())


@each(("name", "row"), ACTIONS.items(), ids=list(ACTIONS))
def test_an_option_that_an_action_does_not_have_is_refused(name: str, row: Row) -> None:
    with pytest.raises(Problem) as refused:
        arena().do("hero", name, options={row.misspelt: 1, **dict.fromkeys(row.required, "Focus")})
    assert refused.value.code == "declaration/unknown-option"
    assert refused.value.facts == {
        "what": name,
        "option": row.misspelt,
        "available": row.options,
        "suggestions": row.meant,
    }


@each(("kind", "answer"), ANSWERS.items(), ids=list(ANSWERS))
def test_an_answer_takes_no_options(kind: str, answer: str) -> None:
    fight = arena().fight
    reference = RULESET.reaction_ref(answer, fight.battle)
    assert reference.split(":")[1] == kind
    reply = Reply(reactor="rebels", reaction=answer, options={"level": 1})
    with pytest.raises(Problem) as refused:
        fight.declare(Declaration(actor="hero", action="attack", targets=("foe",)), dice=[], replies=[reply])
    assert refused.value.code == "declaration/unknown-option"
    name = reference.rsplit(":", 1)[1]
    assert refused.value.facts == {"what": name, "option": "level", "available": [], "suggestions": []}


@each(("name", "part"), [(name, part) for name, row in ACTIONS.items() for part in NAMED if part not in row.parts])
def test_what_an_action_makes_nothing_of_is_refused(name: str, part: str) -> None:
    with pytest.raises(Problem) as refused:
        arena().do("hero", name, options=dict.fromkeys(ACTIONS[name].required, "Focus"), **NAMED[part])
    assert refused.value.code == f"declaration/takes-no-{part}"
    assert (refused.value.facts["what"], refused.value.facts["part"]) == (name, part)


def test_playing_needs_a_card() -> None:
    with pytest.raises(Problem) as refused:
        arena().do("hero", "play")
    assert (refused.value.code, refused.value.facts) == (
        "declaration/missing-option",
        {"what": "play", "option": "card"},
    )


@pytest.mark.parametrize(
    ("action", "options", "what"),
    [("play", {"card": "focus"}, "Focus"), ("special", {"ability": SPECIALS[1]}, SPECIALS[1])],
)
def test_only_an_ability_with_an_attack_in_it_has_a_target(action: str, options: Data, what: str) -> None:
    with pytest.raises(Problem) as refused:
        arena().do("hero", action, target="foe", options=options)
    assert refused.value.code == "declaration/takes-no-target"
    assert refused.value.facts == {"what": what, "part": "target", "found": ("foe",)}
    fought = arena()
    fought.do("hero", "play", target="foe", options={"card": "Hit and Run"}, dice=["0/3/0", "0/0"])
    assert fought["foe.health"] == 7


@pytest.mark.parametrize(
    ("nonsense", "play", "which"),
    [
        (None, "declaration/invalid-option", "{}/which"),
        ("", "card/unknown", "{}/which"),
        ("???", "card/unknown", "{}/which"),
        (5, "declaration/invalid-option", "declaration/invalid-option"),
        ([], "declaration/invalid-option", "declaration/invalid-option"),
        ({}, "declaration/invalid-option", "declaration/invalid-option"),
        (["Blitz"], "declaration/invalid-option", "declaration/invalid-option"),
    ],
)
def test_options_that_make_no_sense_are_refused(nonsense: Any, play: str, which: str) -> None:
    active = arena()
    active.rule("hero", add=["stunned", "bleeding"])
    assert active.refusal("hero", "play", options={"card": nonsense}).code == play
    assert active.refusal("hero", "special", options={"ability": nonsense}).code == which.format("special")
    assert active.refusal("hero", "shake_off", options={"condition": nonsense}).code == which.format("shake-off")


def test_an_encounter_is_opened_with_the_declared_options_only() -> None:
    with pytest.raises(Problem) as refused:
        Drill(ruleset="skirmish", options={"victry": 30})
    assert refused.value.code == "declaration/unknown-option"
    assert refused.value.facts == {
        "what": "skirmish",
        "option": "victry",
        "available": [
            "campaign",
            "players_see",
            "consent",
            "reaction_time",
            "time_up",
            "library",
            "hand",
            "draw",
            "walls",
            "blocking",
            "impassable",
            "terminals",
            "exterior",
            "army",
            "figures_block_sight",
            "victory",
        ],
        "suggestions": ["victory"],
    }
    options = Drill(ruleset="skirmish", options={"victory": 30, "campaign": "Rim"}).fight.battle.encounter.options
    assert {name: options[name] for name in options if name != "library"} == {
        "campaign": "Rim",
        "hand": 3,
        "draw": 1,
        "victory": 30,
    }


def test_what_was_recorded_without_effect_still_verifies() -> None:
    """Earlier versions took it; whoever opens such a fight today must not be told that it was tampered with."""
    fought = arena()
    fought.play("hero", "Focus")
    fought.do("hero", "attack", target="foe", dice=["0/1/0", "1/0/1", "0/0"])
    recorded = [
        event.model_copy(update={"options": {**event.options, "stance": "low"}, "targets": ("foe",)})
        if isinstance(event, Declared) and event.action.startswith("skirmish:")
        else event
        for event in fought.fight.events
    ]
    assert list(check_declarations(recorded)) == []
