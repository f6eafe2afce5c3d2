"""Build a message from arguments and options, send it, and print the outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from importlib import import_module
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, TypeVar

from cli import options
from cli.context import CommandSettings, open_fight
from cli.options import flag, option
from cli.render.terminal import print_json, say

if TYPE_CHECKING:
    from uuid import UUID

    from combatlog import Outcome
    from combatlog.messages.message import Message
    from ledger.events import Face

Fields = dict[str, Any]
F = TypeVar("F", bound=Callable[..., Any])

HOW = {
    "dry_run": flag("dry_run", "Show the plan and change nothing."),
    "yes": option("yes", "Apply the plan without asking.", "--yes", "-y", kind=bool, default=False),
    "command_id": options.COMMAND,
    "seat": option(
        "seat",
        "Show the plan as this seat sees it: players, a combatant's name, spectator ...",
        "--as",
        kind=str,
        default="gm",
        metavar="SEAT",
    ),
    "as_json": options.JSON,
}
"""Options that say how a message is carried out, and how the outcome is printed; they are no part of it."""


def show(outcome: Outcome | None, as_json: bool, dice: Sequence[Face] | None = None) -> None:
    """Show what a command led to: its events, faces it had no use for, and the reaction that is waited for."""
    assert outcome is not None
    from cli.render.fight_log import print_log
    from cli.render.fight_state import print_window

    if as_json:
        print_json([event.model_dump(mode="json", exclude_none=True) for event in outcome.events])
        return
    if outcome.repeated:
        say("This command was carried out before; nothing new was recorded.", "dim")
    print_log(outcome.events)
    if left := outcome.left_over(dice):
        say(f"Not needed after all: {', '.join(map(str, left))}.", "dim")
    if outcome.window is not None and CommandSettings.fight is None:  # a shell asks in its own way
        print_window(outcome.state)


def send(encounter: str, said: Message, *, command_id: UUID | None, as_json: bool) -> None:
    with open_fight(encounter) as fight:
        show(fight.send(said, command_id=command_id), as_json, getattr(said, "dice", None))


def takes(*parameters: Any) -> Callable[[F], Callable[..., None]]:
    """Make a command of a function, which gets what was read from these parameters by their names."""

    def declared(function: F) -> Callable[..., None]:
        def run(**given: Any) -> None:
            function(**{one.name: _read(one, given[one.name]) for one in parameters})

        run.__dict__ |= function.__dict__
        run.__name__, run.__doc__, run.__annotations__ = function.__name__, function.__doc__, {}
        declared = [Parameter(one.name, Parameter.KEYWORD_ONLY, default=one, annotation=one.kind) for one in parameters]
        run.__signature__ = Signature(declared)  # type: ignore[attr-defined]
        return run

    return declared


def records(kind: str, *parameters: Any, carry_out: Callable[..., None] = send) -> Callable[[F], Callable[..., None]]:
    """Make a command that sends a message of this kind, whose fields are the parameters.

    Parameters that the function takes are no fields if it returns some: these take their place.
    """
    how = list(signature(carry_out).parameters)[2:]
    told = {one.name for one in parameters}

    def declared(function: F) -> Callable[..., None]:
        own = list(signature(function).parameters)

        def run(encounter: str, **read: Any) -> None:
            made: Fields | None = function(**{name: read[name] for name in own})
            left_out = how if made is None else [*how, *own]
            fields = _fields([one for one in parameters if one.name not in left_out], read)
            carry_out(encounter, _message(kind, fields | (made or {})), **{name: read[name] for name in how})

        run.__name__, run.__doc__ = function.__name__, function.__doc__
        run.message = kind, {one.field or one.name: one.name for one in parameters}  # type: ignore[attr-defined]
        return takes(options.ENCOUNTER, *parameters, *(HOW[name] for name in how if name not in told))(run)

    return declared


def shows(words: str) -> Callable[[F], Callable[..., None]]:
    """Make a command of a function that finds something out, such as what a view of a fight answers.

    A function of `cli.render` prints it.
    """

    def declared(function: F) -> Callable[..., None]:
        own = dict(signature(function).parameters)
        looks = own.pop("view", None) is not None
        around = {"encounter": options.ENCOUNTER} if looks else {}
        seen_by = {"seat": options.SEAT} if looks else {}
        defaults = {**around, **{one.name: one.default for one in own.values()}, **seen_by, "as_json": options.JSON}

        def run(as_json: bool, **given: Any) -> None:
            if looks:
                with open_fight(given.pop("encounter")) as fight:
                    found = function(fight.seen_by(given.pop("seat")), **given)
            else:
                found = function(**given)
            if as_json:
                print_json(_data_of(found))
            else:
                _rendering(words)(found)

        run.__name__, run.__doc__ = function.__name__, function.__doc__
        types = {one: kind for one, kind in function.__annotations__.items() if one in own}
        run.__annotations__ = {**dict.fromkeys(around, str), **types, **dict.fromkeys(seen_by, str), "as_json": bool}
        run.__wrapped__ = function  # type: ignore[attr-defined]  # whose module knows the types
        parameters = [Parameter(one, Parameter.KEYWORD_ONLY, default=how) for one, how in defaults.items()]
        run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        return run

    return declared


def _rendering(name: str) -> Callable[[Any], Any]:
    module, _, function = name.partition(".")
    found: Callable[[Any], Any] = getattr(import_module(f"cli.render.{module}"), function)
    return found


def _data_of(found: Any) -> Any:
    """As JSON has it, where no document says otherwise."""
    if isinstance(found, list | tuple):
        return [_data_of(one) for one in found]
    if hasattr(found, "to_json"):
        return found.to_json()
    if hasattr(found, "model_dump"):
        return found.model_dump(mode="json")
    return asdict(found) if is_dataclass(found) and not isinstance(found, type) else found


def kind_called(name: str) -> type[Message]:
    """The class of a message."""
    from combatlog.messages import commands, corrections, requests

    module = next(module for module in (commands, corrections, requests) if hasattr(module, name))
    found: type[Message] = getattr(module, name)
    return found


def _message(kind: str, fields: Fields) -> Message:
    from combatlog.messages.message import message

    return message(kind_called(kind), **fields)


def _read(parameter: Any, given: Any) -> Any:
    if given is None or given == []:
        return None
    return given if parameter.read is None else parameter.read(given, parameter.label)


def _fields(parameters: Sequence[Any], read: Mapping[str, Any]) -> Fields:
    fields: Fields = {}
    for one in parameters:
        fields |= (read[one.name] or {}) if one.several else {one.field or one.name: read[one.name]}
    return fields
