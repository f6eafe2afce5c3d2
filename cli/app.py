"""The command `combatlog`. Commands read arguments and print; they decide nothing."""

from __future__ import annotations

import os
import sys
from functools import cache
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import typer

from cli.command import CliGroup
from cli.context import CommandSettings
from cli.options import flag, option
from cli.service_login import chosen, notice_when_completing
from ledger.errors import Problem
from ledger.garbage_collection import collect_less_often

COMPLETING = "_COMBATLOG_COMPLETE"
"""Set by the shell when it asks what could be typed next."""

app = typer.Typer(
    name="combatlog",
    cls=CliGroup,
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
    CommandSettings.server = chosen(server, token, token_file, database_url)


@cache
def commands() -> Any:
    """The root of all commands. Typer takes a while to make it, so a process makes it once."""
    return typer.main.get_command(app)


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
        if COMPLETING in os.environ:
            notice_when_completing()
        if os.environ.get(COMPLETING) == "complete_bash":
            from cli.completion import complete_in_bash

            complete_in_bash(commands())
        else:
            commands()()
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
