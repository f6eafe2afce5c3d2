"""How words and flags become a message, how it is sent, and how the outcome is printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, get_args

import typer

from cli import options
from cli.context import Settings, open_fight
from cli.options import Fills

if TYPE_CHECKING:
    from uuid import UUID

    from combatlog import Outcome
    from combatlog.messages.message import Message
    from ledger.events import Face

Fields = dict[str, Any]
Carry = Callable[..., None]
"""Carries out a message in an encounter. Its keyword arguments are options of the command that are in no message."""


def _option(name: str, kind: Any, default: Any = None) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)


SHARED = {
    "dice": _option("dice", options.DiceOpt),
    "reply": _option("reply", options.ReplyOpt),
    "later_reply": _option("reply", options.LaterReplyOpt),
    "right_reply": _option("reply", options.RightReplyOpt),
    "any_reply": _option("reply", options.AnyReplyOpt),
    "by": _option("by", options.ByOpt),
    "reason": _option("reason", options.ReasonOpt),
    "corrector": _option("by", options.CorrectorOpt, "gm"),
    "impossible": _option("impossible", options.ImpossibleOpt),
    "dry_run": _option("dry_run", options.DryOpt, False),
    "yes": _option("yes", options.YesOpt, False),
    "command_id": _option("command_id", options.CommandOpt),
    "seat": _option("seat", options.PlanSeatOpt, "gm"),
    "as_json": _option("as_json", options.JsonOpt, False),
}
"""Options that many commands take, by the name under which a command asks for them."""
_ENCOUNTER = Parameter("encounter", Parameter.KEYWORD_ONLY, annotation=options.EncounterArg)


def show(outcome: Outcome | None, as_json: bool, dice: Sequence[Face] | None = None) -> None:
    """Show what a command led to: its events, faces it had no use for, and the reaction that is waited for."""
    assert outcome is not None
    from cli.render.log import print_log
    from cli.render.state import print_window
    from cli.render.text import print_json, say

    if as_json:
        print_json([event.model_dump(mode="json", exclude_none=True) for event in outcome.events])
        return
    if outcome.repeated:
        say("This command was carried out before; nothing new was recorded.", "dim")
    print_log(outcome.events)
    if left := outcome.left_over(dice):
        say(f"Not needed after all: {', '.join(map(str, left))}.", "dim")
    if outcome.window is not None and Settings.fight is None:  # a shell asks in its own way
        print_window(outcome.state)


def send(encounter: str, said: Message, *, command_id: UUID | None, as_json: bool) -> None:
    with open_fight(encounter) as fight:
        show(fight.send(said, command_id=command_id), as_json, getattr(said, "dice", None))


def records(
    app: typer.Typer, kind: str, *shared: str, name: str | None = None, carry_out: Carry = send
) -> Callable[[Callable[..., Fields | None]], None]:
    """Make a command that sends a message of this kind, with these shared options besides the parameters of a function.

    The parameters are the fields of the message. Where they are not, the function makes the fields of them: what it
    returns takes their place.
    """

    how = list(signature(carry_out).parameters)[2:]

    def declared(function: Callable[..., Fields | None]) -> None:
        own = list(signature(function, eval_str=True).parameters.values())
        taken = {parameter.name for parameter in own}
        common = [SHARED[option] for option in (*shared, *how) if option not in taken]
        parameters = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in (*own, *common)]

        def run(**given: Any) -> None:
            read = {parameter.name: _read(parameter, given[parameter.name]) for parameter in parameters}
            made = function(**{name: read[name] for name in taken})
            left = [p for p in parameters if p.name not in how and (made is None or p.name not in taken)]
            said = _message(kind, {**_fields(left, read), **(made or {})})
            carry_out(given["encounter"], said, **{option: given[option] for option in how})

        run.__name__, run.__doc__, run.__annotations__ = function.__name__, function.__doc__, {}
        run.__signature__ = Signature([_ENCOUNTER, *parameters])  # type: ignore[attr-defined]
        run.message = kind, {_field(parameter): parameter.name for parameter in parameters}  # type: ignore[attr-defined]
        app.command(name)(run)

    return declared


def kind_called(name: str) -> type[Message]:
    """The class of a message."""
    from combatlog.messages import commands, corrections, requests

    module = next(module for module in (commands, corrections, requests) if hasattr(module, name))
    found: type[Message] = getattr(module, name)
    return found


def _message(kind: str, fields: Fields) -> Message:
    from combatlog.messages.message import message

    return message(kind_called(kind), **fields)


def _fills(parameter: Parameter) -> Fills:
    return next((one for one in get_args(parameter.annotation) if isinstance(one, Fills)), Fills())


def _read(parameter: Parameter, given: Any) -> Any:
    return None if given is None or given == [] else _fills(parameter).value(given)


def _field(parameter: Parameter) -> str:
    return _fills(parameter).field or parameter.name


def _fields(parameters: Sequence[Parameter], read: Mapping[str, Any]) -> Fields:
    fields: Fields = {}
    for parameter in parameters:
        value = read[parameter.name]
        fields |= (value or {}) if _fills(parameter).several else {_field(parameter): value}
    return fields
