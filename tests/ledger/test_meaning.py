"""What an event means is told apart from its wording, once and by type."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel

from ledger.events import (
    UNRECORDED,
    Adjustment,
    ChainModified,
    Declared,
    Event,
    Prose,
    ResourceChanged,
    Rolled,
    TextRole,
    Value,
    differing_fields,
    meaning,
    same_meaning,
)
from ledger.events.base import prose_of
from ledger.registry import KINDS, decode, stored_name
from tests.cases import each
from tools.vocabulary import all_models

SAMPLES = Path(__file__).parent.parent / "samples"


def sample(cls: type[Event], version: int | None = None) -> Any:
    kind = cls.model_fields["kind"].default
    number = version or cls.class_version
    return decode(stored_name(kind, number), (SAMPLES / f"{kind}.{number}.json").read_bytes())


def test_the_prose_of_every_kind() -> None:
    """Written out once: a field that becomes prose, or no longer is, is a decision."""
    found = {kind: prose_of(cls) for kind, cls in KINDS.items() if prose_of(cls)}
    assert found == {
        "combatant_left": {"why": True},
        "encounter_labelled": {"why": True},
        "encounter_closed": {"why": True},
        "declared": {"adjustments": {"__all__": {"reason": True}}},
        "chain_modified": {"reason": True},
        "reaction_used": {"reason": True},
        "reaction_lapsed": {"reason": True},
        "healed": {"why": True},
        "condition_removed": {"why": True},
        "action_removed": {"why": True},
        "resource_changed": {"why": True},
        "cards_moved": {"why": True},
        "ruled": {"ruling": True, "reason": True},
        "manual_resolution_needed": {"effect": True},
        "noted": {"text": True},
        "undone": {"reason": True},
        "redone": {"reason": True},
        "amended": {"reason": True},
        "inserted": {"reason": True},
    }


def test_other_words_have_the_same_meaning() -> None:
    event = sample(ChainModified)
    reworded = event.model_copy(update={"reason": "quite another reason"})
    assert event != reworded
    assert same_meaning(event, reworded)
    assert meaning(event) == meaning(reworded)
    assert "reason" not in meaning(event)


def test_another_value_has_another_meaning() -> None:
    event = sample(ChainModified)
    other = event.model_copy(update={"owner": "rurik", "reason": "quite another reason"})
    assert not same_meaning(event, other)
    assert differing_fields(event, other) == {"owner": ("osric", "rurik")}
    assert same_meaning(event, other, ignoring={"owner"})


def test_prose_inside_a_value_counts_as_little() -> None:
    def declared(reason: str, source: str = "dnd5e:amendment:bless") -> Declared:
        adjustment = Adjustment(chain="attack", source=source, owner="rurik", reason=reason)
        return sample(Declared).model_copy(update={"adjustments": (adjustment,)})  # type: ignore[no-any-return]

    assert same_meaning(declared("forgotten"), declared("it was forgotten"))
    assert not same_meaning(declared("forgotten"), declared("forgotten", "dnd5e:amendment:bane"))


def test_events_of_two_kinds_never_have_the_same_meaning() -> None:
    assert not same_meaning(sample(ChainModified), sample(Rolled))


@pytest.mark.parametrize(("cls", "field"), [(ResourceChanged, "source"), (Rolled, "chain")])
def test_what_an_old_version_could_not_say_agrees_with_whatever_is_said_now(cls: type[Event], field: str) -> None:
    old, new = sample(cls, 1), sample(cls, 2)
    assert getattr(old, field) == UNRECORDED
    assert same_meaning(old, new)
    assert not same_meaning(new, old)  # but not the other way round: what is on record is a claim


class Remark(Value):
    aside: Prose | None = None
    inside: tuple[Adjustment, ...] = ()
    by_name: dict[str, Adjustment] = {}  # noqa: RUF012


def test_prose_is_found_wherever_a_type_has_it() -> None:
    every = {"__all__": {"reason": True}}
    assert prose_of(Remark) == {"aside": True, "inside": every, "by_name": every}


# Every text has a role


def parts_of(annotation: Any) -> Iterator[Any]:
    """A type and every type in it. Text with a role is one part; a closed list of texts needs none."""
    yield annotation
    if get_origin(annotation) not in (Annotated, Literal):
        for argument in get_args(annotation):
            yield from parts_of(argument)


@each("model", all_models(), ids=lambda model: model.__name__)
def test_every_text_field_has_a_role(model: type[BaseModel]) -> None:
    """Prose, ref, key, combatant, name, notation or hex: whoever adds a text says by its type what it is for."""
    bare = [
        name
        for name, field in model.model_fields.items()
        if str in parts_of(field.annotation) and not any(isinstance(mark, TextRole) for mark in field.metadata)
        if field.annotation != dict[str, Any]  # a ruleset's own data
    ]
    assert bare == []


@each("model", all_models(), ids=lambda model: model.__name__)
def test_every_field_has_a_meaning(model: type[BaseModel]) -> None:
    silent = [name for name, field in model.model_fields.items() if not field.description and name != "kind"]
    assert silent == []
