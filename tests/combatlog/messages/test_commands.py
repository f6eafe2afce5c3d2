"""The table of commands, and what is derived from it: nothing can be added in one place and forgotten in another."""

from __future__ import annotations

import inspect

from combatlog.messages.commands import COMMANDS, Command
from combatlog.recorded import RecordedFight
from service.routes.declaring import HANDLERS
from tests.cases import each
from tests.service.calls import OPERATIONS


@each("kind", COMMANDS)
def test_each_has_a_route_that_takes_it(kind: type[Command]) -> None:
    operation = OPERATIONS[f"POST /v1/encounters/{{encounter}}/{kind.path}"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    assert schema["$ref"].rpartition("/")[2] == kind.__name__
    assert operation["summary"] == (kind.__doc__ or "").partition("\n")[0]


def test_every_command_is_in_the_table() -> None:
    assert {kind.__name__ for kind in Command.__subclasses__()} == {kind.__name__ for kind in COMMANDS}
    assert set(HANDLERS) <= set(COMMANDS)


@each("kind", [kind for kind in COMMANDS if kind.method])
def test_a_method_takes_the_fields_of_its_command(kind: type[Command]) -> None:
    assert kind not in HANDLERS
    taken = inspect.signature(getattr(RecordedFight, kind.method)).parameters
    assert set(kind.model_fields) | {"command_id"} <= set(taken)


@each("kind", [kind for kind in COMMANDS if kind.method])
def test_defaults_are_those_of_the_method(kind: type[Command]) -> None:
    """Otherwise what is left out would mean one thing in Python and another over HTTP."""
    taken = inspect.signature(getattr(RecordedFight, kind.method)).parameters
    for name, field in kind.model_fields.items():
        default = taken[name].default
        if not field.is_required():
            assert (field.get_default(call_default_factory=True) or None) == (default or None), name
        else:
            assert default is inspect.Parameter.empty, name


@each("kind", COMMANDS)
def test_each_says_what_it_does_and_has_an_example_that_is_valid(kind: type[Command]) -> None:
    assert (kind.__doc__ or "").partition("\n")[0].endswith(".")
    for example in kind.model_json_schema()["examples"]:
        assert kind.model_validate(example).model_dump(mode="json", exclude_defaults=True) == example
