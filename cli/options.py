"""The arguments and options that several commands take, each defined once, and how their values are read.

What a command line says and a message does not define is defined here; the rest comes from the fields of messages.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from copy import copy
from enum import StrEnum
from inspect import signature
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, Union, get_args, get_origin
from uuid import UUID

import typer
from typer.models import OptionInfo, ParameterInfo

from cli.context import CommandSettings, open_fight
from ledger.errors import Problem

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

NUMBER = r"[+-]?[0-9]{1,9}"
"""No number in a fight is longer, and Python itself refuses numbers of thousands of digits."""
_SEQ = r"[0-9]{1,9}"
Answers = dict[str, str | None]
F = TypeVar("F", bound=Callable[..., Any])


def read_dice(text: str | None, option: str = "") -> list[int | str] | None:
    """Read `15,8` or `15 8`. Faces that are not numbers stay as they are."""
    if text is None:
        return None
    faces = [part for part in re.split(r"[,\s]+", text.strip()) if part]
    return [int(face) if re.fullmatch(NUMBER, face) else face for face in faces]


def read_position(text: str, option: str) -> tuple[int, int]:
    found = re.fullmatch(r"\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*", text)
    if found is None:
        raise typer.BadParameter(f"{text!r} is not a square; write COLUMN,ROW, for example 4,7.", param_hint=option)
    return int(found[1]), int(found[2])


def read_positions(texts: list[str], option: str) -> list[tuple[int, int]]:
    return [read_position(text, option) for text in texts]


def read_pairs(texts: list[str], option: str) -> dict[str, str]:
    """Read several `name=value`."""
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (equals and name.strip() and value.strip()):
            wanted = "COLUMN,ROW=LETTER" if option == "--terrain" else "NAME=VALUE"
            raise typer.BadParameter(f"{text!r} is not {wanted}.", param_hint=option)
        pairs[name.strip()] = value.strip()
    return pairs


def read_numbers(texts: list[str], option: str) -> dict[str, int]:
    pairs = read_pairs(texts, option)
    for name, value in pairs.items():
        if not re.fullmatch(NUMBER, value):
            raise typer.BadParameter(f"{name}={value} is not a number.", param_hint=option)
    return {name: int(value) for name, value in pairs.items()}


def read_values(texts: list[str], option: str) -> dict[str, Any]:
    """Read several `name=value`, with values as in YAML: numbers, true and false, lists in brackets."""
    from combatlog.rules.content.files import read_yaml_text

    return {name: read_yaml_text(value, f"{option} {name}") for name, value in read_pairs(texts, option).items()}


def read_faces_of_rolls(texts: list[str], option: str) -> dict[int, list[int | str]]:
    """Read several SEQ=FACES, where SEQ is the number of a roll's event."""
    pairs = read_pairs(texts, option)
    for seq in pairs:
        if not re.fullmatch(_SEQ, seq):
            raise typer.BadParameter(f"{seq!r} is not the number of an event; write SEQ=FACES.", param_hint=option)
    return {int(seq): read_dice(shown) or [] for seq, shown in pairs.items()}


def read_hit_dice(texts: list[str], option: str) -> int | dict[str, int]:
    """One number for all, or numbers by name."""
    if len(texts) == 1 and texts[0].isdecimal() and len(texts[0]) < 4:
        return int(texts[0])
    return read_numbers(texts, option)


def read_reaction(text: str, option: str = "") -> str | None:
    """The name of a reaction; `pass` lets it pass."""
    return None if text == "pass" else text


def read_answers(texts: list[str], option: str) -> Answers:
    """COMBATANT=REACTION, by combatant."""
    return {name: read_reaction(answer) for name, answer in read_pairs(texts, option).items()}


def read_later_answers(texts: list[str], option: str) -> dict[int, Answers]:
    """SEQ:COMBATANT=REACTION, by the declaration in which the reaction is offered."""
    answers: dict[int, Answers] = {}
    for where, answer in read_answers(texts, option).items():
        seq, colon, who = where.partition(":")
        if not colon or not re.fullmatch(_SEQ, seq):
            raise typer.BadParameter(f"{where!r} is not SEQ:COMBATANT.", param_hint=option)
        answers.setdefault(int(seq), {})[who] = answer
    return answers


def read_all_answers(texts: list[str], option: str) -> dict[str, Any]:
    """Answers in the declaration that is corrected (COMBATANT=...), and in later ones (SEQ:COMBATANT=...)."""
    own = [text for text in texts if ":" not in text.partition("=")[0]]
    later = [text for text in texts if text not in own]
    return {"replies": read_answers(own, option), "later_replies": read_later_answers(later, option)}


def read_value(choice: StrEnum, option: str) -> str:
    return choice.value


REQUIRED: Any = ...
Read = Callable[[Any, str], Any] | None
"""Converts a value, given the option that it was typed after."""


def option(
    help: str | None = None,
    *flags: str,
    kind: Any = None,
    default: Any = None,
    complete: str | None = None,
    fills: str | None = None,
    read: Read = None,
    several: bool = False,
    **how: Any,
) -> Any:
    """An option, called like its parameter unless flags are given.

    It is the default of a parameter of a function, or stands in the table of a command that sends a message. There it
    fills the field `fills`, or the one of its own name, or `several` fields; its help and its type are those of the
    field unless it has its own.
    """
    made = typer.Option(default, *flags, help=help, **how)
    return _with_details(made, kind, complete, fills, read, several)


def options(help: str | None = None, *flags: str, **how: Any) -> Any:
    """An option that can be given several times."""
    return option(help, *flags, kind=list[str] | None, **how)


def flag(help: str | None = None, *flags: str, **how: Any) -> Any:
    return option(help, *flags, kind=bool, default=False, **how)


def argument(
    help: str | None = None,
    default: Any = REQUIRED,
    *,
    kind: Any = None,
    complete: str | None = None,
    fills: str | None = None,
    read: Read = None,
    **how: Any,
) -> Any:
    """An argument. It can be left out if its type or its field says so, or if it has a default."""
    if default is REQUIRED and NoneType in get_args(kind):
        default = None
    return _with_details(typer.Argument(default, help=help, **how), kind, complete, fills, read, several=False)


def _with_details(made: Any, kind: Any, complete: str | None, fills: str | None, read: Read, several: bool) -> Any:
    made.kind, made.complete, made.field, made.read, made.several = kind, complete, fills, read, several
    return made


def named(parameter: Any, name: str) -> Any:
    """The option or argument as the parameter of this name, which tells its flag and what the shell offers for it."""
    made = copy(parameter)
    made.name = name
    made.label = made.metavar or name
    if isinstance(parameter, OptionInfo):
        made.param_decls = made.param_decls or (f"--{name.replace('_', '-')}",)
        made.label = made.param_decls[0]
    if (offered := made.complete or COMPLETED.get(name)) is not None:
        made.autocompletion = _completer(offered)
    return made


def with_names(function: F) -> F:
    """A function whose options and arguments know the names of its parameters."""
    own = signature(function, eval_str=True)
    parameters = [
        one.replace(default=named(one.default, one.name)) if isinstance(one.default, ParameterInfo) else one
        for one in own.parameters.values()
    ]
    function.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    return function


def _completer(kind: str) -> Callable[[typer.Context, str], list[str]]:
    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        from cli.completion import offers  # which loads the rules

        return offers(kind, ctx, incomplete)

    return complete


COMPLETED = {
    **dict.fromkeys(("encounter", "encounters", "other", "earlier"), "encounters"),
    **dict.fromkeys(("actor", "target", "subject", "who", "also", "of", "owner", "about", "hit_dice"), "combatants"),
    **dict.fromkeys(("combatant", "combatants", "player", "own"), "combatants"),
    **dict.fromkeys(("resist", "vulnerable", "immune"), "damage_dealt"),
    "action": "actions",
    "chain": "chains",
    "controller": "controllers",
    "drop": "modifiers",
    "labels": "labels",
    "option": "action_options",
    "pool": "pools",
    "reaction": "reactions",
    "reply": "replies",
    "resource": "resources",
    "ruleset": "rulesets",
    "seat": "seats",
    "sheet": "sheets",
    "side": "sides",
    "spell": "spells",
    "values": "values",
    "weapon": "weapons",
    "why_not": "kept_out",
}
"""What the shell offers for a parameter that has no `complete`: a function of `cli.completion`."""


def from_field(parameter: Any, field: FieldInfo) -> Any:
    """The parameter, completed from the field of a message: its help and, unless it has a type, type and default."""
    made = copy(parameter)
    bare, limits = _bare(field.annotation)
    is_list = get_origin(bare) is dict or (get_origin(bare) is tuple and ... in get_args(bare))
    made.help = made.help or _help(field, is_list)
    if made.kind is not None:
        return made
    kind = list[str] if is_list else bare if bare in (bool, int) else str
    for limit in (*field.metadata, *limits):
        made.min = made.min if made.min is not None else getattr(limit, "ge", None)
        made.max = made.max if made.max is not None else _shown_limit(getattr(limit, "le", None))
    if field.is_required():
        made.default = REQUIRED
    else:
        made.default = field.default if isinstance(field.default, bool | str) and field.default != "" else None
    made.kind = kind | None if made.default is None else kind
    return made


def _bare(annotation: Any) -> tuple[Any, list[Any]]:
    """A type without `| None` and `Annotated`, and the limits that are annotated."""
    if get_origin(annotation) in (Union, UnionType):
        annotation = get_args(annotation)[0]
    if get_origin(annotation) is not Annotated:
        return annotation, []
    bare, *notes = get_args(annotation)
    return bare, [limit for note in notes for limit in getattr(note, "metadata", ())]


_UNREACHED = 10**6


def _shown_limit(limit: int | None) -> int | None:
    """Larger limits only keep numbers within the range of the database."""
    return limit if limit is not None and limit < _UNREACHED else None


def _help(field: FieldInfo, is_list: bool) -> str:
    """The description of the field as a sentence, with an example."""
    about = field.description or ""
    example = (field.examples or [None])[0]
    first = example[0] if isinstance(example, list | tuple) else example
    such = f", such as {first}" if isinstance(first, str) else ""
    return f"{about[:1].upper()}{about[1:]}{such}{'; repeatable' if is_list else ''}."


def as_combatant(ctx: typer.Context, name: str | None) -> str | None:
    """The id of the combatant that an option names, for commands that select what they show by it."""
    if name is None or ctx.resilient_parsing:
        return name
    try:
        with open_fight(ctx.params["encounter"]) as fight:
            return fight.seen_by(ctx.params.get("seat") or "gm").who(name)
    except Problem as problem:  # the command does not run yet, so it cannot report what is wrong
        from cli.render.problem_hints import REFUSED, report

        report(problem, ctx.params)
        raise typer.Exit(REFUSED) from problem


def _read_from_replica(url: str | None) -> str | None:
    if url == "":
        raise typer.BadParameter("give the URL of a replica, or omit --replica.", param_hint="--replica")
    if url is not None and CommandSettings.server is not None:
        raise typer.BadParameter("a service chooses its own database; omit --server.", param_hint="--replica")
    CommandSettings.replica = url
    return url


def jobs_beside_server(asked: int | None) -> int:
    """One processor is left to the database, which often runs on the same machine."""
    return asked or max(1, (os.cpu_count() or 1) - 1)


# The fight and the seat. Both are eager, since names of combatants are looked up in the fight, as the seat sees it.

ENCOUNTER = argument("Name or id of the encounter.", kind=str, is_eager=True)
OPTIONAL_ENCOUNTER = argument("Name or id of the encounter.", None)


def seat_option(default: str = "gm") -> Any:
    about = "Seat to look from: gm, players, players:SIDE, a combatant's name, spectator or auditor."
    return option(about, "--as", kind=str, default=default, metavar="SEAT", is_eager=True)


SEAT = seat_option()
RULESET = option("Ruleset to look in.", default="dnd5e")
REPLICA = option(
    "Read from this replica of the database; default: COMBATLOG_REPLICA_URL, or none.",
    metavar="URL",
    envvar="COMBATLOG_REPLICA_URL",
    show_envvar=False,
    callback=_read_from_replica,
    is_eager=True,
)
"""Eager, so that it is known before names are looked up."""

# What several commands declare

ACTOR = argument("Combatant: its name, or the beginning of it.", fills="who", kind=str)
WHO = argument(metavar="COMBATANT")
ACTION = argument("Action; `combatlog actions` lists them.", kind=str)
ACTS = option(None, "--as", fills="who", metavar="COMBATANT")
TARGET = options("Target; repeatable.", "--target", "-t", fills="targets")
TO = option("Destination.", read=read_position)
WEAPON = option(None, "--with")


def named_values(help: str, complete: str = "action_options") -> Any:
    """The options of what is declared."""
    return options(help, "--option", "-o", fills="options", read=read_values, complete=complete)


OPTION = named_values("Option of the action; repeatable. `combatlog actions ... ACTION` lists them.")
DICE = option("Faces rolled at the table, in order: 15,8.", kind=str | None, read=read_dice)


def replies(help: str, fills: str | None, read: Callable[[Any, str], Any]) -> Any:
    return options(help, fills=fills, read=read, several=fills is None)


REPLY = replies("Answer known in advance, COMBATANT=REACTION or COMBATANT=pass; repeatable.", "replies", read_answers)
BY = option("Who declares it, if not the combatant.", kind=str | None)
CORRECTOR = option("Who makes the correction.", kind=str, default="gm")
PACK = option(
    "Folder with your own sheets, weapons, spells and so on; repeatable. `combatlog pack check` checks it.",
    kind=list[Path] | None,
)
COMMAND = option("Id (a UUID) that makes the command safe to repeat.", kind=UUID | None)
JSON = flag("Print JSON, for programs; a refusal is JSON on standard error.", "--json")
SEALS = option("Seal to check against; repeatable.", "--seal")
TRUST = option("Public key to accept seals from; repeatable.")
FIRST = option("First event to show.", "--from", default=1, min=1)
LAST = option("Last event to show.", "--to", min=1)
DECLARED_BY = option("Only what this combatant declared.", callback=as_combatant)
JOBS = option("Number of processes; default: one for each processor.", min=1, max=256)
JOBS_BESIDE_SERVER = option("Number of processes; default: one for each processor but one.", min=1, max=256)

SHARED = {
    "encounter": ENCOUNTER,
    "actor": ACTOR,
    "who": WHO,
    "action": ACTION,
    "target": TARGET,
    "to": TO,
    "weapon": WEAPON,
    "option": OPTION,
    "dice": DICE,
    "reply": REPLY,
    "by": BY,
    "pack": PACK,
    "command_id": COMMAND,
    "as_json": JSON,
}
"""By name, as commands that send messages list them."""
