"""What every command does beside its work: it shows its examples in a readable form, and reports what is refused."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand

from ledger.errors import Problem

_AS_IT_IS = "\b\n"
"""A paragraph that begins so is not filled up to lines of the same length."""


class Command(TyperCommand):
    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        about, title, examples = (self.help or "").partition("Examples:\n")
        if title:
            below = "".join(f"  {line.strip()}\n" for line in examples.splitlines())
            self.help = about + _AS_IT_IS + title + below
        super().format_help_text(ctx, formatter)

    def invoke(self, ctx: Any) -> Any:
        """Report a problem where it is known what the command line said."""
        try:
            return super().invoke(ctx)
        except Problem as problem:
            from cli.render.problems import REFUSED, report

            report(problem, ctx.params)
            raise typer.Exit(REFUSED) from problem


def use_in(app: typer.Typer) -> None:
    """Have every command of an app, and of those that are part of it, behave so."""
    for command in app.registered_commands:
        command.cls = Command
    for group in app.registered_groups:
        if group.typer_instance is not None:
            use_in(group.typer_instance)
