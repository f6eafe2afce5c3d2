"""The command `combatlog`. Commands read arguments and print; they decide nothing."""

from __future__ import annotations

import os
import sys
from copy import copy
from functools import cache
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import typer
from typer.main import get_command_name
from typer.models import CommandInfo

from cli import (
    analyse,
    autoplay,
    command,
    completion,
    content,
    correct,
    database,
    declare,
    exchange,
    gm,
    history,
    inspect,
    lake,
    readmodels,
    sharing,
    verify,
)
from cli import service_login as service_at
from cli.context import CommandSettings
from cli.options import flag, option
from ledger.errors import Problem
from ledger.garbage_collection import collect_less_often

app = typer.Typer(
    name="combatlog",
    cls=command.CliCommandGroup,
    help="Combat Ledger records every declaration, modifier, die and reaction of a fight.",
    epilog="New here? `combatlog demo` plays a short fight and shows what to type next.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"combatlog {version('combatlog')}")
        raise typer.Exit


@app.callback()
def settings(
    database_url: str | None = option(
        "database_url",
        "URL of a PostgreSQL server; default: COMBATLOG_DATABASE_URL, or the embedded server.",
        "--database",
    ),
    server: str | None = option(
        "server", "URL of a service, or the link of an invitation; default: COMBATLOG_SERVER, or no service."
    ),
    token: str | None = option(
        "token",
        "Token of a seat there; default: COMBATLOG_TOKEN, or what `combatlog login` keeps. "
        "Others on this machine can read what you type here.",
    ),
    token_file: Path | None = option("token_file", "File that holds the token and nothing else."),
    version: bool = flag("version", "Print the version.", callback=_version, is_eager=True),
) -> None:
    CommandSettings.database = database_url
    CommandSettings.replica = None
    CommandSettings.server = service_at.chosen(server, token, token_file, database_url)


for part in (declare, gm, sharing, service_at, inspect, history, content, verify, correct, autoplay, analyse, exchange):
    app.registered_commands += part.app.registered_commands
for name, group in {
    "projections": readmodels.app,
    "lake": lake.app,
    "dice": sharing.dice_app,
    "db": database.app,
    "abilities": content.abilities,
    "pack": content.packs,
    "creatures": content.creatures,
    "rest": gm.rest_app,
}.items():
    app.add_typer(group, name=name)
command.use_in(app)


@cache
def commands() -> Any:
    """All commands. Typer takes a while to make them, so a process makes them once, and only if it needs them."""
    return typer.main.get_command(app)


@cache
def _only(name: str) -> Any:
    """One command, or one group of them; None if there is none of that name."""
    one = copy(app)
    one.registered_commands = [known for known in app.registered_commands if _name_of(known) == name]
    one.registered_groups = [known for known in app.registered_groups if known.name == name]
    return typer.main.get_command(one) if one.registered_commands or one.registered_groups else None


def _name_of(known: CommandInfo) -> str:
    return known.name or get_command_name(getattr(known.callback, "__name__", ""))


def _check_arguments(arguments: list[str]) -> None:
    """Refuse bytes that are not text, which would otherwise fail in the database driver."""
    for argument in arguments:
        try:
            argument.encode("utf-8")
        except UnicodeEncodeError as error:
            raise Problem("input/not-text", "An argument is not UTF-8 text; check the terminal's encoding.") from error


def _never_fail_to_write() -> None:
    """Show the number of a character that the terminal cannot show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def main() -> None:
    """Exit status: 0 done, 1 refused, 2 usage."""
    collect_less_often()
    _never_fail_to_write()
    try:
        _check_arguments(sys.argv)
        service_at.notice_when_completing()
        called = (_only(sys.argv[1]) if sys.argv[1:] else None) or commands()
        completion.complete_in_bash(called) if completion.is_bash_asking() else called()
    except Problem as problem:
        from cli.render.problem_hints import REFUSED, report

        report(problem, {})
        sys.exit(REFUSED)
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does; nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


if __name__ == "__main__":
    main()
