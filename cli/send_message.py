"""Make commands that build a message from arguments and options, send it, and show the outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any
from uuid import UUID

from typer.models import ArgumentInfo

from cli.command import Command, F, as_command
from cli.context import CommandSettings, open_fight
from cli.options import COMMAND, ENCOUNTER, JSON, SHARED, flag, from_field, named, option
from cli.render.terminal import print_json, say
from combatlog import Outcome
from combatlog.messages.message import Message, message
from ledger.events import Face

Fields = dict[str, Any]

HOW = {
    "dry_run": flag("Show the plan and change nothing."),
    "yes": flag("Apply the plan without asking.", "--yes", "-y"),
    "command_id": COMMAND,
    "seat": option(
        "Show the plan as this seat sees it: players, a combatant's name, spectator ...",
        "--as",
        kind=str,
        default="gm",
        metavar="SEAT",
    ),
    "as_json": JSON,
}
"""Options that say how a message is carried out and how the outcome is printed. They fill no field."""


def show(outcome: Outcome | None, as_json: bool, dice: Sequence[Face] | None = None) -> None:
    """Show what a command led to: its events, the faces that were not needed, and the reaction that is offered."""
    from cli.render.fight_log import print_log  # neither is needed for the help of a command
    from cli.render.fight_state import print_window

    assert outcome is not None
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


def takes(shared: str = "", /, **own: Any) -> Callable[[F], Command]:
    """Make a command of a function, which gets the values of these parameters by their names.

    `shared` names options and arguments that several commands have, and options that are like the field of that name.
    """
    return _taking(_parameters(shared, own))


def _taking(parameters: Sequence[Any]) -> Callable[[F], Command]:
    def declared(function: F) -> Command:
        def run(**given: Any) -> None:
            function(**{one.name: _read(one, given[one.name]) for one in parameters})

        return as_command(run, function, {one.name: (one, one.kind or str | None) for one in parameters})

    return declared


def _parameters(shared: str, own: Mapping[str, Any]) -> list[Any]:
    """Shared arguments come first, then the command's own parameters, then shared options."""
    known = {name: SHARED.get(name) or option() for name in shared.split()}
    first = {name: one for name, one in known.items() if isinstance(one, ArgumentInfo)}
    return [named(one, name) for name, one in {**first, **own, **known}.items()]


def records(kind: type[Message], shared: str = "", /, carry_out: Command = send, **own: Any) -> Callable[[F], Command]:
    """Make a command that sends a message, whose fields the parameters fill.

    Parameters that the function takes fill no field if it returns some: those are sent instead.
    """
    how = list(signature(carry_out).parameters)[2:]
    complete = [_completed(one, kind) for one in _parameters(shared, own)]
    names = {one.name for one in complete}

    def declared(function: F) -> Command:
        own = list(signature(function).parameters)

        def run(encounter: str, **read: Any) -> None:
            made: Fields | None = function(**{name: read[name] for name in own})
            left_out = how if made is None else [*how, *own]
            fields: Fields = {}
            for one in complete:
                if one.name not in left_out:
                    fields |= (read[one.name] or {}) if one.several else {one.field or one.name: read[one.name]}
            carry_out(encounter, message(kind, **{**fields, **(made or {})}), **{name: read[name] for name in how})

        run.__name__, run.__doc__ = function.__name__, function.__doc__
        rest = [named(HOW[name], name) for name in how if name not in names]
        return _taking([named(ENCOUNTER, "encounter"), *complete, *rest])(run)

    return declared


def _completed(one: Any, kind: type[Message]) -> Any:
    field = kind.model_fields.get(one.field or one.name)
    return one if field is None else from_field(one, field)


def _read(parameter: Any, given: Any) -> Any:
    if given is None or given == []:
        return None
    return given if parameter.read is None else parameter.read(given, parameter.label)
