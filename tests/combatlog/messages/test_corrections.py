"""A correction is one value: said in Python, sent over HTTP, recorded with a proposal, and read again."""

from __future__ import annotations

from typing import Any

import pytest

import combatlog
from combatlog.messages.corrections import Amend, Correction, Insert, Redo, Undo, read_correction
from combatlog.messages.message import Message, ReactionAnswer
from combatlog.rules.engine.commands import Reply as EngineReply
from combatlog.service.app import create
from combatlog.service.openapi import described
from combatlog.service.settings import Settings
from tests.cases import each

EVERY_FIELD: dict[str, Correction] = {
    "undo": Undo(seq=3, impossible="drop", later_replies={9: {"osric": None}}, dice=(4,), reason="a feint", by="Ann"),
    "redo": Redo(reason="no feint", by="Ann"),
    "amend": Amend(
        seq=3,
        targets="osric",
        to=(4, 2),
        weapon="mace",
        options={"slot": 2},
        add=(combatlog.Forgotten(what="+2", source="bless"),),
        drop=("dodging",),
        resist=("fire",),
        vulnerable=("cold",),
        immune=("all",),
        whose="osric",
        faces={5: (12,)},
        replies=[EngineReply(reactor="osric", reaction="protection", by="Ann")],
    ),
    "insert": Insert(who="osric", action="dodge", before=3, replies={"snig": ["parry", None]}),
}


@each("kind", EVERY_FIELD)
def test_what_is_recorded_is_read_as_what_was_said(kind: str) -> None:
    _, said = EVERY_FIELD[kind].request()
    assert said.pop("correction") == kind
    assert read_correction(kind, said) == EVERY_FIELD[kind]


def test_python_may_name_one_target_and_answers_by_reactor() -> None:
    amend, insert = EVERY_FIELD["amend"], EVERY_FIELD["insert"]
    assert isinstance(amend, Amend)
    assert isinstance(insert, Insert)
    assert amend.targets == ("osric",)
    assert amend.replies == (ReactionAnswer(who="osric", reaction="protection", by="Ann"),)
    assert insert.replies == (ReactionAnswer(who="snig", reaction="parry"), ReactionAnswer(who="snig", reaction=None))


def test_proposals_of_older_versions_are_read() -> None:
    """They called later answers `replies` in an undo, a target `target`, and recorded who answered."""
    answer = {"reactor": "osric", "reaction": "protection", "options": {}, "by": None, "as_seen": None}
    undo = read_correction("undo", {"seq": 3, "by": "gm", "replies": {"9": [answer]}})
    amend = read_correction("amend", {"seq": 3, "target": "osric", "replies": [answer]})
    reply = ReactionAnswer(who="osric", reaction="protection")
    assert undo == Undo(seq=3, by="gm", later_replies={9: (reply,)})
    assert amend == Amend(seq=3, targets=("osric",), replies=(reply,))


def test_a_correction_that_does_not_exist_is_refused() -> None:
    with pytest.raises(combatlog.Refusal) as refused:
        read_correction("forget", {})
    assert refused.value.code == "consent/unknown"


@each(
    ("kind", "what", "field"),
    [
        (Undo, {"seq": "last"}, "seq"),
        (Undo, {"seq": 0}, "seq"),
        (Undo, {"impossible": "maybe"}, "impossible"),
        (Undo, {"dice": 15}, "dice"),
        (Undo, {"replies": {}}, "replies"),
        (Redo, {"reason": "x" * 2001}, "reason"),
        (Amend, {"seq": 3, "faces": {3: "six"}}, "faces"),
        (Amend, {"seq": 3, "targets": [None]}, "targets"),
        (Insert, {"actor": "osric", "action": "dodge", "before": -1}, "before"),
        (Insert, {"actor": "", "action": "dodge", "before": 3}, "who"),
    ],
)
def test_a_wrong_value_is_refused_by_name(kind: type[Message], what: dict[str, Any], field: str) -> None:
    with pytest.raises(combatlog.Refusal) as refused:
        kind(**what)
    assert refused.value.code == "message/invalid"
    assert refused.value.facts["field"].split(".")[0] == field
    assert f"the field {field}" in refused.value.sentence


def test_fields_may_be_given_in_the_order_in_which_people_say_them() -> None:
    assert Undo(18, reason="dry") == Undo(seq=18, reason="dry")
    assert Insert("osric", "dodge", before=3) == Insert(who="osric", action="dodge", before=3)
    with pytest.raises(combatlog.Refusal) as refused:
        Redo(*range(9))
    assert refused.value.code == "message/words"


def test_the_interface_over_http_takes_the_messages_themselves() -> None:
    schemas = described(create(Settings()))["components"]["schemas"]
    for kind in (Undo, Redo, Amend, Insert):
        assert set(schemas[kind.__name__]["properties"]) == set(kind.model_fields)
        assert schemas[kind.__name__]["required"][0] == "correction"
