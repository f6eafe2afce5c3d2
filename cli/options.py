"""The arguments and options that several commands take, each defined once, with the field of the message it fills."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer

from cli.completion import (
    complete_action,
    complete_actor,
    complete_encounter,
    complete_impossible,
    complete_ruleset,
    complete_seat,
    complete_weapon,
)
from cli.context import Settings, open_fight
from cli.option_completion import complete_option, complete_reply
from cli.readers import (
    read_all_answers,
    read_answers,
    read_dice,
    read_impossible,
    read_later_answers,
    read_position,
    read_values,
)
from ledger.errors import Problem


@dataclass(frozen=True, slots=True)
class Fills:
    """Which field of a message a parameter fills, and how its text is read."""

    field: str | None = None
    """Its name, if that is not the parameter's."""
    read: Callable[..., Any] | None = None
    """Takes the text, and the option that it was given with."""
    option: str | None = None
    several: bool = False
    """What was read are several fields, by name."""

    def value(self, given: Any) -> Any:
        if self.read is None:
            return given
        return self.read(given) if self.option is None else self.read(given, self.option)


def as_combatant(ctx: typer.Context, name: str | None) -> str | None:
    """The id of the combatant that an option names, for commands that select what they show by it."""
    if name is None or ctx.resilient_parsing:
        return name
    try:
        with open_fight(ctx.params["encounter"]) as fight:
            return fight.who(name, ctx.params.get("seat") or "gm")
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
    str,
    typer.Argument(help="Name or id of the encounter.", autocompletion=complete_encounter, is_eager=True),
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
PlanSeatOpt = Annotated[
    str,
    typer.Option(
        "--as",
        metavar="SEAT",
        help="Show the plan as this seat sees it: players, a combatant's name, spectator ...",
        autocompletion=complete_seat,
    ),
]
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

# What is declared

ActorArg = Annotated[
    str,
    typer.Argument(help="Combatant: its name, or the beginning of it.", autocompletion=complete_actor),
    Fills("who"),
]
WhoArg = Annotated[
    list[str],
    typer.Argument(
        metavar="COMBATANT", help="Combatants: names, or the beginnings of them.", autocompletion=complete_actor
    ),
]
ActionArg = Annotated[
    str, typer.Argument(help="Action; `combatlog actions` lists them.", autocompletion=complete_action)
]
ActsOpt = Annotated[
    str | None,
    typer.Option(
        "--as", metavar="COMBATANT", help="Who acts; default: whoever has the turn.", autocompletion=complete_actor
    ),
    Fills("who"),
]
TargetOpt = Annotated[
    list[str] | None,
    typer.Option("--target", "-t", help="Target; repeatable.", autocompletion=complete_actor),
    Fills("targets"),
]
ToOpt = Annotated[str | None, typer.Option("--to", help="Destination."), Fills(read=read_position, option="--to")]
WeaponOpt = Annotated[str | None, typer.Option("--with", help="Weapon to use.", autocompletion=complete_weapon)]
_FILLS_OPTIONS = Fills("options", read_values, "--option")
OptionOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        help="Option of the action; repeatable. `combatlog actions ... ACTION` lists them.",
        autocompletion=complete_option,
    ),
    _FILLS_OPTIONS,
]
DiceOpt = Annotated[
    str | None, typer.Option("--dice", help="Faces rolled at the table, in order: 15,8."), Fills(read=read_dice)
]
ReplyOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--reply",
        help="Answer known in advance, COMBATANT=REACTION or COMBATANT=pass; repeatable.",
        autocompletion=complete_reply,
    ),
    Fills("replies", read_answers, "--reply"),
]
ByOpt = Annotated[str | None, typer.Option("--by", help="Who declares it, if not the combatant.")]
SecretOpt = Annotated[bool, typer.Option("--secret", help="For the GM alone; what it changes shows, not this.")]
PackOpt = Annotated[
    list[Path] | None,
    typer.Option(
        "--pack",
        help="Folder with your own sheets, weapons, spells and so on; repeatable. `combatlog pack check` checks it.",
    ),
]

# How a fight is corrected

ReasonOpt = Annotated[str | None, typer.Option("--reason", help="Why; recorded with the correction.")]
CorrectorOpt = Annotated[str, typer.Option("--by", help="Who makes the correction.")]
ImpossibleOpt = Annotated[
    str | None,
    typer.Option(
        "--impossible",
        help="What to do with later declarations that are no longer possible: drop, keep (as a ruling), or stop.",
        autocompletion=complete_impossible,
    ),
    Fills(read=read_impossible, option="--impossible"),
]
LaterReplyOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--reply",
        help="Answer to a reaction that was not offered before, SEQ:COMBATANT=REACTION or =pass; repeatable.",
        autocompletion=complete_reply,
    ),
    Fills("later_replies", read_later_answers, "--reply"),
]
_FILLS_ANSWERS = Fills(read=read_all_answers, option="--reply", several=True)
RightReplyOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--reply",
        help="Correct an answer, COMBATANT=REACTION or =pass; in a later declaration SEQ:COMBATANT=... Repeatable.",
        autocompletion=complete_reply,
    ),
    _FILLS_ANSWERS,
]
AnyReplyOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--reply",
        help="Answer to a reaction, COMBATANT=REACTION or =pass; SEQ:COMBATANT=REACTION in a later declaration. "
        "Repeatable.",
        autocompletion=complete_reply,
    ),
    _FILLS_ANSWERS,
]
DryOpt = Annotated[bool, typer.Option("--dry-run", help="Show the plan and change nothing.")]
YesOpt = Annotated[bool, typer.Option("--yes", "-y", help="Apply the plan without asking.")]

# How a command is carried out, and its result printed

CommandOpt = Annotated[
    UUID | None, typer.Option("--command-id", help="Id (a UUID) that makes the command safe to repeat.")
]
JsonOpt = Annotated[bool, typer.Option("--json", help="Print JSON, for programs; a refusal is JSON on standard error.")]
JobsOpt = Annotated[
    int | None, typer.Option("--jobs", min=1, max=256, help="Number of processes; default: one for each processor.")
]
JobsBesideServerOpt = Annotated[
    int | None,
    typer.Option("--jobs", min=1, max=256, help="Number of processes; default: one for each processor but one."),
]
