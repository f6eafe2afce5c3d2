"""What commands share: the ledger they work on, and reading their arguments."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from cli.completion import complete_actor, complete_encounter, complete_seat
from ledger.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cli.implied import Implied
    from cli.server import Server
    from combatlog import Ledger, RecordedFight


class Settings:
    """Set once: from the options before the command, or by the shell that the commands are typed in."""

    database: str | None = None
    replica: str | None = None
    """The replica that a command reads from, if it was given one."""
    server: Server | None = None
    """The service that the commands are for, if they are not for a ledger at hand."""
    ledger: Ledger | None = None
    """The ledger that stays open, in a shell."""
    fight: RecordedFight | None = None
    """The fight that a shell is about."""
    raises: bool = False
    """Whether a problem is raised, for a shell to show, or reported before the program ends."""
    implied: Implied | None = None
    """The fight that commands are about unless they name another, in a shell."""
    confirm: Callable[[str], bool] | None = None
    """How a shell asks for confirmation."""

    @classmethod
    def where(cls) -> str | None:
        """Where the fights are; None: where they are by default."""
        return cls.server.url if cls.server is not None else cls.database


@contextmanager
def open_ledger() -> Iterator[Ledger]:
    import combatlog

    if Settings.ledger is not None:
        yield Settings.ledger
        return
    if Settings.server is not None:
        with Settings.server.connect() as ledger:
            yield ledger
        return
    with combatlog.open(Settings.database, replica=Settings.replica) as ledger:
        warn_of_replica(ledger)
        yield ledger


def warn_of_replica(ledger: Ledger) -> None:
    """Say so if a replica is not where its primary is."""
    from cli.render.replica import lag_in_words

    if (lag := ledger.replica_lag()) is not None and (words := lag_in_words(lag)):
        typer.echo(words, err=True)


def _read_from_replica(url: str | None) -> str | None:
    if url == "":
        raise typer.BadParameter("give the URL of a replica, or omit --replica.", param_hint="--replica")
    if url is not None and Settings.server is not None:
        raise typer.BadParameter("a service chooses its own database; omit --server.", param_hint="--replica")
    Settings.replica = url
    return url


@contextmanager
def open_fight(reference: str) -> Iterator[RecordedFight]:
    """A fight. Whatever is done to it reveals links of shared dice whose chains are kept on this machine."""
    import combatlog

    with open_ledger() as ledger:
        fight = ledger.fight(reference)
        is_open = Settings.fight is not None and Settings.fight.id == fight.id
        fight = Settings.fight if Settings.fight is not None and is_open else fight
        fight.keeper = combatlog.Keeper()
        yield fight


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


EncounterArg = Annotated[
    str,
    typer.Argument(help="Name or id of the encounter.", autocompletion=complete_encounter, is_eager=True),
]
"""Known before the options are read, since names of combatants are looked up in it."""
ActorArg = Annotated[
    str, typer.Argument(help="Combatant: its name, or the beginning of it.", autocompletion=complete_actor)
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
JobsOpt = Annotated[
    int | None, typer.Option("--jobs", min=1, max=256, help="Number of processes; default: one for each processor.")
]
JobsBesideServerOpt = Annotated[
    int | None,
    typer.Option("--jobs", min=1, max=256, help="Number of processes; default: one for each processor but one."),
]
JsonOpt = Annotated[bool, typer.Option("--json", help="Print JSON, for programs; a refusal is JSON on standard error.")]
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
SecretOpt = Annotated[bool, typer.Option("--secret", help="For the GM alone; what it changes shows, not this.")]
DiceOpt = Annotated[
    str | None,
    typer.Option("--dice", help="Faces rolled at the table, in order: 15,8."),
]
PackOpt = Annotated[
    list[Path] | None,
    typer.Option(
        "--pack",
        help="Folder with your own sheets, weapons, spells and so on; repeatable. `combatlog pack check` checks it.",
    ),
]
ByOpt = Annotated[str | None, typer.Option("--by", help="Who declares it, if not the combatant.")]
CommandOpt = Annotated[
    UUID | None,
    typer.Option("--command-id", help="Id (a UUID) that makes the command safe to repeat."),
]


NUMBER = r"[+-]?[0-9]{1,9}"
"""Nothing in a fight is a longer number, and Python itself refuses those of thousands of digits."""


def read_dice(text: str | None) -> list[int | str] | None:
    """Read `15,8` or `15 8`. Faces that are not numbers stay as they are."""
    if text is None:
        return None
    faces = [part for part in re.split(r"[,\s]+", text.strip()) if part]
    return [int(face) if re.fullmatch(NUMBER, face) else face for face in faces]


def read_position(text: str | None, option: str) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*", text)
    if found is None:
        raise typer.BadParameter(f"{text!r} is not a square; write COLUMN,ROW, for example 4,7.", param_hint=option)
    return int(found[1]), int(found[2])


def read_reaction(text: str) -> str | None:
    """The name of a reaction; `pass` lets it pass."""
    return None if text == "pass" else text


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
    from rules.content.files import read_yaml_text

    return {name: read_yaml_text(value, f"{option} {name}") for name, value in read_pairs(texts, option).items()}


def jobs_beside_server(asked: int | None) -> int:
    """The database works as well, often on the same machine, so a processor is left to it."""
    return asked or max(1, (os.cpu_count() or 1) - 1)
