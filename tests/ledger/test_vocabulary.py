"""docs/events.md says what every event means, opens with a real fight, and is up to date."""

from __future__ import annotations

import re

import pytest
from pydantic import Field

from ledger.events import Value
from ledger.registry import KINDS
from tests.cases import each
from tests.ledger import example_fight
from tools import vocabulary
from tools.vocabulary import all_models

PAGE = vocabulary.PAGE.read_text("utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| (.+) \| (.*) \|$", PAGE, re.MULTILINE)


def test_the_page_is_what_the_models_say() -> None:
    """If this fails: `python -m tools.vocabulary`."""
    assert vocabulary.page() == PAGE
    assert vocabulary.main(["--check"]) == 0


def test_the_fight_is_what_the_engine_records_today() -> None:
    """If this fails: `python -m tests.ledger.example_fight`, then `python -m tools.vocabulary`."""
    assert list(example_fight.lines()) == vocabulary.EXAMPLE.read_text("utf-8").splitlines()


def test_the_fight_is_told_in_full() -> None:
    for event in example_fight.fight().events:
        assert re.search(rf"^ *{event.seq}  \S", PAGE, re.MULTILINE)


def test_every_field_of_every_event_and_value_has_a_row_with_a_meaning() -> None:
    assert len(ROWS) > 200
    assert [name for name, _, meaning in ROWS if not meaning] == []
    named = {name for name, _, _ in ROWS}
    assert {name for model in all_models() for name in model.model_fields} <= named


@each("leak", ["FieldInfo", "Annotated", "typing.", "None", "NoneType", "Literal[", "tuple[", "ChangeOp."])
def test_no_python_leaks_into_it(leak: str) -> None:
    assert leak not in PAGE


def test_it_names_no_command_of_an_interface() -> None:
    assert "combatlog" not in PAGE
    assert [cls for cls in KINDS.values() if "combatlog" in f"{cls.written_by} {cls.read_by} {cls.__doc__}"] == []


class Silent(Value):
    """A value with a field that says nothing."""

    told: int = Field(description="something")
    untold: int


def test_a_field_without_a_meaning_stops_the_generator() -> None:
    with pytest.raises(ValueError, match=r"Silent\.untold has no meaning"):
        list(vocabulary._fields(Silent, Silent.model_fields))
