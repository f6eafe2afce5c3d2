"""What every action and answer can be told. Anything else would be recorded without effect, so it is refused."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from combatlog.rules.action_points import RULESET
from combatlog.rules.action_points.pieces import PIECES, ActionPointsActivity, ActionPointsReaction
from combatlog.rules.engine.corrections.amend import Amendment, plan_amend
from combatlog.rules.engine.options_and_validation import option_fields
from combatlog.rules.verification.verify import check_declarations
from combatlog.testing import Drill
from ledger.errors import Problem
from ledger.events import Data, Declared
from tests.cases import each
from tests.rules.action_points.support import ZERO, attack, duel

PAY = ["pay"]
EFFORT = ["pay", "boost_ap", "boost_fat"]


class Row(NamedTuple):
    """What an action takes, and a misspelt option with what was probably meant."""

    options: list[str]
    required: list[str]
    parts: list[str]
    misspelt: str
    meant: list[str]


ACTIONS = {
    "aim": Row(PAY, [], ["target", "weapon"], "boost", []),
    "attack": Row(EFFORT, [], ["target", "weapon"], "boost-ap", ["boost_ap", "boost_fat"]),
    "boost": Row(EFFORT, [], [], "boost", ["boost_ap", "boost_fat"]),
    "cast": Row([*EFFORT, "spell"], ["spell"], ["target"], "spel", ["spell"]),
    "defend": Row(PAY, [], [], "payment", ["pay"]),
    "delay": Row([], [], ["target"], "until", []),
    "disarm": Row(EFFORT, [], ["target", "weapon"], "pays", ["pay"]),
    "full_sprint": Row(PAY, [], ["destination"], "path", []),
    "knockback": Row(EFFORT, [], ["target", "weapon"], "metres", []),
    "move": Row(PAY, [], ["destination"], "boost_ap", []),
    "rearm": Row(PAY, [], [], "weapon", []),
    "rest": Row(["ap"], ["ap"], [], "AP", ["ap"]),
    "step": Row([], [], ["destination"], "pay", []),
    "use_item": Row([*PAY, "item"], ["item"], ["target"], "items", ["item"]),
    "use_skill": Row(
        [*EFFORT, "skill", "tv", "against", "passive"], ["skill"], ["target"], "agains", ["against"]
    ),
}  # fmt: skip
REACTIONS = {
    "dodge": Row(EFFORT, [], [], "boost_app", ["boost_ap", "boost_fat"]),
    "parry": Row(EFFORT, [], [], "pays", ["pay"]),
    "passive": Row([], [], [], "boost_fat", []),
    "shield_block": Row(EFFORT, [], [], "level", []),
}
NEEDED: Data = {"spell": "firebolt", "ap": 1, "item": "vigour draught", "skill": "athletics"}
NAMED: dict[str, dict[str, Any]] = {
    "target": {"target": "bor"},
    "destination": {"to": (4, 4)},
    "weapon": {"weapon": "longsword"},
}


def test_every_action_and_answer_has_a_row() -> None:
    assert sorted(ACTIONS) == sorted(PIECES.of(ActionPointsActivity))
    assert sorted(REACTIONS) == sorted(PIECES.of(ActionPointsReaction))


@each(("name", "row"), ACTIONS.items(), ids=list(ACTIONS))
def test_an_action_takes_what_it_declares(name: str, row: Row) -> None:
    signature = RULESET.signature(RULESET.action_ref(name))
    assert signature is not None
    fields = option_fields(signature.options)
    assert (list(fields), [option for option, info in fields.items() if info.is_required()]) == row[:2]
    assert sorted(signature.parts) == row.parts
    assert signature.about.endswith(".")
    assert all(info.description for info in fields.values())


@pytest.mark.parametrize(("name", "row"), REACTIONS.items(), ids=list(REACTIONS))
def test_an_answer_takes_what_it_declares(name: str, row: Row) -> None:
    signature = RULESET.reaction_signature(RULESET.reaction_ref(name))
    assert signature is not None
    assert list(option_fields(signature.options)) == row.options
    assert signature.about.endswith(".")


@each(("name", "row"), ACTIONS.items(), ids=list(ACTIONS))
def test_an_option_that_an_action_does_not_have_is_refused(name: str, row: Row) -> None:
    options = {option: NEEDED[option] for option in row.required}
    with pytest.raises(Problem) as refused:
        duel().do("ana", name, options={**options, row.misspelt: 1})
    assert refused.value.code == "declaration/unknown-option"
    assert refused.value.facts == _unknown(name, row)


@pytest.mark.parametrize(("name", "row"), REACTIONS.items(), ids=list(REACTIONS))
def test_an_option_that_an_answer_does_not_have_is_refused(name: str, row: Row) -> None:
    with pytest.raises(Problem) as refused:
        attack(duel(), ZERO, answer=name, how={row.misspelt: 1})
    assert refused.value.code == "declaration/unknown-option"
    assert refused.value.facts == _unknown(name, row)


def _unknown(name: str, row: Row) -> Data:
    return {"what": name, "option": row.misspelt, "available": row.options, "suggestions": row.meant}


@each(("name", "part"), [(name, part) for name, row in ACTIONS.items() for part in NAMED if part not in row.parts])
def test_what_an_action_makes_nothing_of_is_refused(name: str, part: str) -> None:
    options = {option: NEEDED[option] for option in ACTIONS[name].required}
    with pytest.raises(Problem) as refused:
        duel().do("ana", name, options=options, **NAMED[part])
    assert refused.value.code == f"declaration/takes-no-{part}"
    assert (refused.value.facts["what"], refused.value.facts["part"]) == (name, part)


@pytest.mark.parametrize(
    ("name", "option"), [(name, option) for name, row in ACTIONS.items() for option in row.required]
)
def test_an_option_that_an_action_needs_is_asked_for(name: str, option: str) -> None:
    with pytest.raises(Problem) as refused:
        duel().do("ana", name)
    assert (refused.value.code, refused.value.facts) == ("declaration/missing-option", {"what": name, "option": option})


def test_a_skill_that_nobody_opposes_has_no_target() -> None:
    options = {"skill": "athletics", "tv": 8}
    with pytest.raises(Problem) as refused:
        duel().do("ana", "use_skill", target="bor", options=options)
    assert refused.value.code == "declaration/takes-no-target"
    assert refused.value.facts == {"what": "use_skill", "part": "target", "found": ("bor",), "needed": "against"}


def test_only_an_opposed_skill_is_opposed_passively() -> None:
    with pytest.raises(Problem) as refused:
        duel().do("ana", "use_skill", options={"skill": "athletics", "tv": 8, "passive": True})
    assert refused.value.code == "declaration/unused-option"
    assert refused.value.facts == {"what": "use_skill", "option": "passive", "needed": "against"}


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"campain": "Riverlands"}, {"option": "campain", "suggestions": ["campaign"]}),
        ({"flanking": "on"}, {"option": "flanking", "suggestions": []}),
    ],
)
def test_an_encounter_is_opened_with_what_any_encounter_takes(options: Data, facts: Data) -> None:
    with pytest.raises(Problem) as refused:
        Drill(ruleset="action_points", options=options)
    assert refused.value.code == "declaration/unknown-option"
    assert refused.value.facts == {
        "what": "action_points",
        "available": ["campaign", "players_see", "consent", "reaction_time", "time_up"],
        **facts,
    }
    assert Drill("action_points", options={"campaign": "Riverlands"}).fight.battle.encounter.options == {
        "campaign": "Riverlands"
    }


def test_what_was_recorded_without_effect_still_verifies() -> None:
    """Earlier versions took it; whoever opens such a fight today must not be told that it was tampered with."""
    drill = duel()
    drill.do("ana", "use_skill", options={"skill": "athletics", "tv": 8}, dice=ZERO)
    drill.do("ana", "step", to=(4, 4))
    attack(drill, (*ZERO, *ZERO, 1, 1), answer="dodge")
    recorded = [
        event.model_copy(update={"options": {**event.options, "passive": True, "stance": "low"}})
        if isinstance(event, Declared) and event.action.startswith("action_points:")
        else event
        for event in drill.fight.events
    ]
    assert list(check_declarations(recorded)) == []


def test_an_amendment_can_say_no_more_than_a_declaration() -> None:
    drill = duel()
    stepped = drill.do("ana", "step", to=(4, 4))[0].seq
    with pytest.raises(Problem) as refused:
        plan_amend(drill.fight, stepped, Amendment(targets=("bor",)), by="gm", reason="misheard")
    assert refused.value.code == "declaration/takes-no-target"


@pytest.mark.parametrize(
    ("amendment", "code"),
    [
        ({"add": ({"what": "1d4", "source": "luck"},)}, "amend/without-effect"),
        ({"add": ({"what": "advantage", "source": "luck"},)}, "amend/without-effect"),
        ({"defences": ({"defence": "resistance", "owner": "bor"},)}, "amend/no-defences"),
    ],
)
def test_what_these_rules_do_not_know_cannot_have_been_forgotten(amendment: dict[str, Any], code: str) -> None:
    drill = duel()
    stepped = drill.do("ana", "step", to=(4, 4))[0].seq
    with pytest.raises(Problem) as refused:
        plan_amend(drill.fight, stepped, Amendment.model_validate(amendment), by="gm", reason="misheard")
    assert refused.value.code == code
