"""The ledger and the fight that commands work on: the one named on the command line, or the one in use."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import combatlog
from cli.render.terminal import console
from ledger.errors import Problem
from projections.story.text import clean, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cli.service_login import Server
    from combatlog import Ledger, RecordedFight
    from ledger.store.replica import ReplicaLag


class CommandSettings:
    """Set once, by the options before the command or by the shell."""

    database: str | None = None
    replica: str | None = None
    """The replica to read from, if one was given."""
    server: Server | None = None
    """The service to use, if there is one; otherwise a local ledger is used."""
    ledger: Ledger | None = None
    """The ledger that a shell keeps open."""
    fight: RecordedFight | None = None
    """The fight that a shell was opened for."""
    raises: bool = False
    """Whether a problem is raised for the shell to show; otherwise it is reported and the program ends."""
    implied: Implied | None = None
    """The fight that commands in a shell use unless they name another."""
    confirm: Callable[[str], bool] | None = None
    """Asks for confirmation in a shell."""

    @classmethod
    def where(cls) -> str | None:
        """The URL of the service or the database; None for the default."""
        return cls.server.url if cls.server is not None else cls.database


@contextmanager
def open_ledger() -> Iterator[Ledger]:
    if CommandSettings.ledger is not None:
        yield CommandSettings.ledger
        return
    if CommandSettings.server is not None:
        with CommandSettings.server.connect() as ledger:
            yield ledger
        return
    with combatlog.open(CommandSettings.database, replica=CommandSettings.replica) as ledger:
        warn_of_replica(ledger)
        yield ledger


def warn_of_replica(ledger: Ledger) -> None:
    """Warn if a replica is behind its primary."""
    if (lag := ledger.replica_lag()) is not None and (words := _lag_in_words(lag)):
        typer.echo(words, err=True)


def _lag_in_words(lag: ReplicaLag) -> str:
    """A sentence; empty if the replica has everything."""
    if lag.events is None:
        until = f", which it received until {lag.until.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" if lag.until else ""
        why = "The primary server cannot be reached" if lag.is_primary_named else "No primary server is named"
        return f"{why}; this is what the replica has{until}."
    if not lag.events:
        return ""
    seconds = counted(round(lag.seconds or 0), "second")
    return f"The replica is {counted(lag.events, 'event')} behind ({lag.bytes:,} bytes, {seconds})."


@contextmanager
def open_fight(reference: str) -> Iterator[RecordedFight]:
    """A fight. Commands on it reveal links of shared dice from the chains that are kept on this machine."""
    with open_ledger() as ledger:
        fight = ledger.fight(reference)
        is_open = CommandSettings.fight is not None and CommandSettings.fight.id == fight.id
        fight = CommandSettings.fight if CommandSettings.fight is not None and is_open else fight
        fight.keeper = combatlog.Keeper()
        yield fight


VARIABLE = "COMBATLOG_FIGHT"
_FILE = "fights-in-use.json"
ALWAYS_NAMED = {"use", "conclude", "label"}
"""Commands that need a name, so that a slip does not end or label the wrong fight."""
_NOT_MEANT = ("ledger/unknown-encounter", "seat/not-here")
"""No fight has this name, or none that this seat at a service can see."""


@dataclass(frozen=True, slots=True)
class Implied:
    name: str
    why: str
    """Where the choice comes from, in words."""


def implied_fight(database: str | None) -> Implied | None:
    if name := os.environ.get(VARIABLE):
        return Implied(name, VARIABLE)
    remembered = _read().get(_key(database))
    return Implied(remembered, "combatlog use") if remembered else None


def remember(database: str | None, name: str | None) -> None:
    """Save the fight in use for this database; None deletes it."""
    known = {**_read(), _key(database): name}
    file = _file()
    file.parent.mkdir(parents=True, exist_ok=True)
    kept = {key: value for key, value in known.items() if value}
    file.write_text(json.dumps(kept, indent=2, sort_keys=True), "utf-8")


def home() -> Path:
    """The folder for files of the command line."""
    from ledger.store.database import home_folder  # which loads the database driver

    return home_folder()


def _file() -> Path:
    return home() / _FILE


def _read() -> dict[str, str]:
    """The fights in use. A broken file counts as none; `combatlog use` writes it again."""
    try:
        known = json.loads(_file().read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in known.items()} if isinstance(known, dict) else {}


def _key(database: str | None) -> str:
    """The key of a database. It is a hash, because the URL may hold a password."""
    from ledger.store.database import URL_VARIABLE

    url = database or os.environ.get(URL_VARIABLE)
    return sha256(url.encode()).hexdigest()[:16] if url else "embedded"


def with_implied_fight(command: Any, ctx: Any, args: list[str]) -> list[str]:
    """The arguments of a command, with the fight in use if they name none."""
    wanted = [param for param in command.params if param.param_type_name == "argument"]
    if not wanted or wanted[0].name != "encounter" or not wanted[0].required or command.name in ALWAYS_NAMED:
        return args
    implied = CommandSettings.implied or implied_fight(CommandSettings.where())
    given = _positional(command, ctx, args)
    is_full = given is not None and len(given) >= len(wanted) and all(param.nargs == 1 for param in wanted)
    if implied is None or given is None or is_full or (given and _exists(given[0])):
        return args
    ctx.meta[VARIABLE] = implied
    return [implied.name, *args]


def _positional(command: Any, ctx: Any, args: list[str]) -> list[str] | None:
    """The positional arguments; None if they cannot be told apart, or if help was asked for."""
    if any(arg in command.get_help_option_names(ctx) for arg in args):
        return None
    try:
        values, left, _ = command.make_parser(ctx).parse_args(args=list(args))
    except Exception as wrong:
        if hasattr(wrong, "format_message"):
            return None  # the command itself will report it
        raise
    named = [values.get(param.name) for param in command.params if param.param_type_name == "argument"]
    given = [part for value in named for part in (value if isinstance(value, tuple | list) else [value])]
    return [part for part in (*given, *left) if isinstance(part, str)]


def _exists(name: str) -> bool:
    """Whether a fight has this name, which is then the one meant."""
    try:
        with open_fight(name):
            return True
    except Problem as problem:
        if problem.code in _NOT_MEANT:
            return False
        raise


def say_implied(ctx: Any) -> None:
    """Print which fight is used, unless the output is JSON."""
    implied = ctx.meta.get(VARIABLE)
    if implied is None or ctx.params.get("as_json"):
        return
    if CommandSettings.implied is None:
        console(stderr=True).print(f"In {clean(implied.name)}:", style="dim")
