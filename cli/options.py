"""The arguments and options that several commands take, each defined once, with the field of the message it fills."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any, get_args
from uuid import UUID

import typer

from cli.completion import (
    complete_action,
    complete_actor,
    complete_encounter,
    complete_ruleset,
    complete_seat,
    complete_weapon,
)
from cli.context import Settings, open_fight
from cli.option_completion import complete_option, complete_reply
from cli.readers import read_answers, read_dice, read_position, read_values
from ledger.errors import Problem


@dataclass(frozen=True, slots=True)
class Fills:
    """Which field of a message a parameter fills, and how its text is read."""

    field: str | None = None
    """Its name, if that is not the parameter's."""
    read: Callable[[Any, str], Any] | None = None
    """Takes the text, and what it was given with."""
    label: str = ""
    several: bool = False
    """What was read are several fields, by name."""


def parameter(name: str, kind: Any, default: Any = None) -> Parameter:
    """A parameter of a command whose type is annotated as typer has it."""
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def option(
    name: str,
    help: str,
    *flags: str,
    kind: Any = str | None,
    default: Any = None,
    fills: str | None = None,
    read: Callable[[Any, str], Any] | None = None,
    complete: Callable[..., list[str]] | None = None,
    several: bool = False,
    **how: Any,
) -> Parameter:
    """An option; unless flags are given, it is called like the parameter."""
    flags = flags or (f"--{name.replace('_', '-')}",)
    about = typer.Option(*flags, help=help, autocompletion=complete, **how)
    return parameter(name, Annotated[kind, about, Fills(fills, read, flags[0], several)], default)


def options(name: str, help: str, *flags: str, **how: Any) -> Parameter:
    """An option that can be given several times."""
    return option(name, help, *flags, kind=list[str] | None, **how)


def flag(name: str, help: str, *flags: str, **how: Any) -> Parameter:
    return option(name, help, *flags, kind=bool, default=False, **how)


def argument(
    name: str,
    help: str,
    *,
    kind: Any = str,
    default: Any = None,
    fills: str | None = None,
    read: Callable[[Any, str], Any] | None = None,
    complete: Callable[..., list[str]] | None = None,
    **how: Any,
) -> Parameter:
    """An argument, which can be left out if its type says so, or if it has a default."""
    about = typer.Argument(help=help, autocompletion=complete, **how)
    is_optional = default is not None or type(None) in get_args(kind)
    label = how.get("metavar") or name
    return parameter(name, Annotated[kind, about, Fills(fills, read, label)], default if is_optional else REQUIRED)


REQUIRED = Parameter.empty


def as_combatant(ctx: typer.Context, name: str | None) -> str | None:
    """The id of the combatant that an option names, for commands that select what they show by it."""
    if name is None or ctx.resilient_parsing:
        return name
    try:
        with open_fight(ctx.params["encounter"]) as fight:
            return fight.seen_by(ctx.params.get("seat") or "gm").who(name)
    except Problem as problem:  # the command does not run yet, so it cannot report what is wrong
        from cli.render.problems import REFUSED, report

        report(problem, ctx.params)
        raise typer.Exit(REFUSED) from problem


def _read_from_replica(url: str | None) -> str | None:
    if url == "":
        raise typer.BadParameter("give the URL of a replica, or omit --replica.", param_hint="--replica")
    if url is not None and Settings.server is not None:
        raise typer.BadParameter("a service chooses its own database; omit --server.", param_hint="--replica")
    Settings.replica = url
    return url


def jobs_beside_server(asked: int | None) -> int:
    """The database works as well, often on the same machine, so a processor is left to it."""
    return asked or max(1, (os.cpu_count() or 1) - 1)


# Which fight, and for whom

EncounterArg = Annotated[
    str, typer.Argument(help="Name or id of the encounter.", autocompletion=complete_encounter, is_eager=True)
]
"""Known before the options are read, since names of combatants are looked up in it."""
OptionalEncounterArg = Annotated[
    str | None, typer.Argument(help="Name or id of the encounter.", autocompletion=complete_encounter)
]
SeatOpt = Annotated[
    str,
    typer.Option(
        "--as",
        metavar="SEAT",
        help="Whose eyes: gm, players, players:SIDE, a combatant's name, spectator or auditor.",
        autocompletion=complete_seat,
        is_eager=True,
    ),
]
"""Known before the other options are read, too: whom a seat does not see, no name stands for."""
RulesetOpt = Annotated[str, typer.Option("--ruleset", help="The rules to look in.", autocompletion=complete_ruleset)]
ReplicaOpt = Annotated[
    str | None,
    typer.Option(
        "--replica",
        metavar="URL",
        envvar="COMBATLOG_REPLICA_URL",
        show_envvar=False,
        help="Read from this replica of the database; default: COMBATLOG_REPLICA_URL, or none.",
        callback=_read_from_replica,
        is_eager=True,
    ),
]
"""Known before names are looked up."""

# What several commands declare, and how they are carried out

ActorArg = Annotated[
    str,
    typer.Argument(help="Combatant: its name, or the beginning of it.", autocompletion=complete_actor),
    Fills("who"),
]
DiceOpt = Annotated[
    str | None, typer.Option("--dice", help="Faces rolled at the table, in order: 15,8."), Fills(read=read_dice)
]
ByOpt = Annotated[str | None, typer.Option("--by", help="Who declares it, if not the combatant.")]
CorrectorOpt = Annotated[str, typer.Option("--by", help="Who makes the correction.")]
PackOpt = Annotated[
    list[Path] | None,
    typer.Option(
        "--pack",
        help="Folder with your own sheets, weapons, spells and so on; repeatable. `combatlog pack check` checks it.",
    ),
]
CommandOpt = Annotated[
    UUID | None, typer.Option("--command-id", help="Id (a UUID) that makes the command safe to repeat.")
]
JsonOpt = Annotated[bool, typer.Option("--json", help="Print JSON, for programs; a refusal is JSON on standard error.")]
SealsOpt = Annotated[list[Path] | None, typer.Option("--seal", help="Seal to check against; repeatable.")]
TrustOpt = Annotated[list[str] | None, typer.Option("--trust", help="Public key to accept seals from; repeatable.")]
FirstOpt = Annotated[int, typer.Option("--from", min=1, help="First event to show.")]
LastOpt = Annotated[int | None, typer.Option("--to", min=1, help="Last event to show.")]
DeclaredByOpt = Annotated[
    str | None,
    typer.Option(
        "--actor", help="Only what this combatant declared.", autocompletion=complete_actor, callback=as_combatant
    ),
]
JobsOpt = Annotated[
    int | None, typer.Option("--jobs", min=1, max=256, help="Number of processes; default: one for each processor.")
]
JobsBesideServerOpt = Annotated[
    int | None,
    typer.Option("--jobs", min=1, max=256, help="Number of processes; default: one for each processor but one."),
]

# The same for the table entries of commands that record something

ENCOUNTER = parameter("encounter", EncounterArg, REQUIRED)
ACTOR = parameter("actor", ActorArg, REQUIRED)
WHO = argument(
    "who", "Combatants: names, or the beginnings of them.", kind=list[str], metavar="COMBATANT", complete=complete_actor
)
ACTION = argument("action", "Action; `combatlog actions` lists them.", complete=complete_action)
ACTS = option(
    "actor",
    "Who acts; default: whoever has the turn.",
    "--as",
    fills="who",
    metavar="COMBATANT",
    complete=complete_actor,
)
TARGET = options("target", "Target; repeatable.", "--target", "-t", fills="targets", complete=complete_actor)
TO = option("to", "Destination.", read=read_position)
WEAPON = option("weapon", "Weapon to use.", "--with", complete=complete_weapon)


def named_values(help: str, complete: Callable[..., list[str]]) -> Parameter:
    """The options of what is declared."""
    return options("option", help, "--option", "-o", fills="options", read=read_values, complete=complete)


OPTION = named_values("Option of the action; repeatable. `combatlog actions ... ACTION` lists them.", complete_option)
DICE = parameter("dice", DiceOpt)


def replies(help: str, fills: str | None, read: Callable[[Any, str], Any]) -> Parameter:
    return options("reply", help, fills=fills, read=read, several=fills is None, complete=complete_reply)


REPLY = replies(
    "Answer known in advance, COMBATANT=REACTION or COMBATANT=pass; repeatable.", fills="replies", read=read_answers
)
BY = parameter("by", ByOpt)
SECRET = flag("secret", "For the GM alone; what it changes shows, not this.")
PACK = parameter("pack", PackOpt)
COMMAND = parameter("command_id", CommandOpt)
JSON = parameter("as_json", JsonOpt, False)
