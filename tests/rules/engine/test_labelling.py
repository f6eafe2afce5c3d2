"""Labels: what a fight can be labelled, when, and that it can be taken back."""

from __future__ import annotations

import pytest

from combatlog import Redo, Undo
from combatlog.testing import Drill, only
from ledger.errors import Problem
from ledger.events import EncounterLabelled
from projections.battle.fold import fold
from projections.battle.snapshots import battle_from_bytes, battle_to_bytes
from tests.cases import each


def test_labels_are_sorted_and_add_up() -> None:
    drill = Drill()
    drill.label("Riverlands")
    labelled = only(drill.label("practice", "boss", reason="a dry run"), EncounterLabelled)
    assert (labelled.labels, labelled.why) == (("boss", "practice", "riverlands"), "a dry run")
    drill.label("winter", remove=["boss", "practice"])
    assert drill.battle.labels == ("riverlands", "winter")


def test_a_fight_that_is_over_can_be_labelled_and_nothing_else() -> None:
    drill = Drill()
    drill.conclude()
    drill.label("archived")
    assert drill.battle.labels == ("archived",)
    assert drill.refusal("gm", "start").code == "encounter/closed"


def test_a_fight_can_be_labelled_while_somebody_is_asked() -> None:
    """The strike waits for Osric, and goes on after his answer as if nothing had been said in between."""
    drill = Drill()
    drill.join("fighter", "Rurik", (3, 2))
    drill.join("paladin", "Osric", (3, 3))
    drill.join("goblin", "Snig", (4, 2), side="foes")
    drill.start(dice=[1, 1, 20])
    drill.do("snig", "attack")
    drill.do("snig", "strike", target="rurik")
    drill.label("practice")
    drill.react("osric", "protection", dice=[15, 8])
    assert (drill.battle.labels, drill["rurik.hp"]) == (("practice",), 12)


@each(
    ("labels", "remove", "code"),
    [
        (["practice"], [], "label/unchanged"),
        ([], [], "label/unchanged"),
        ([], ["practise"], "label/not-there"),
        (["two words"], [], "label/name"),
        ([""], [], "message/invalid"),
        (["x" * 41], [], "label/name"),
        (["-x"], [], "label/name"),
        ([f"tag-{number}" for number in range(20)], [], "label/too-many"),
    ],
)
def test_what_is_no_label(labels: list[str], remove: list[str], code: str) -> None:
    drill = Drill()
    drill.label("practice")
    with pytest.raises(Problem) as caught:
        drill.label(*labels, remove=remove)
    assert caught.value.code == code


def test_a_misspelt_label_is_suggested() -> None:
    drill = Drill()
    drill.label("practice")
    with pytest.raises(Problem) as caught:
        drill.label(remove=["practise"])
    assert caught.value.facts["suggestions"] == ["practice"]


def test_taking_a_label_back_and_making_it_again() -> None:
    drill = Drill()
    drill.label("boss")
    drill.label("practice")
    drill.apply(drill.plan(Undo(reason="it counts")))
    assert drill.battle.labels == ("boss",)
    drill.apply(drill.plan(Redo(reason="it does not")))
    assert drill.battle.labels == ("boss", "practice")
    assert fold(drill.history()).labels == ("boss", "practice")


def test_without_an_earlier_label_the_later_one_comes_out_otherwise() -> None:
    drill = Drill()
    first = only(drill.label("boss"), EncounterLabelled).declaration
    drill.label("practice")
    drill.apply(drill.plan(Undo(first, reason="no boss")))
    assert drill.battle.labels == ("practice",)


def test_a_snapshot_keeps_labels() -> None:
    drill = Drill()
    drill.label("practice")
    assert battle_from_bytes(battle_to_bytes(drill.battle)).labels == ("practice",)
