"""The command that looks up what an action takes, whatever fight it is for."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.completion import complete_reference, complete_ruleset
from cli.context import JsonOpt

app = typer.Typer()


@app.command()
def reference(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[ACTION]",
            help="An action, spell, feature or reaction, or `encounter` for what `new` takes; default: list all.",
            autocompletion=complete_reference,
        ),
    ] = None,
    ruleset: Annotated[str, typer.Option(help="The rules to look in.", autocompletion=complete_ruleset)] = "dnd5e",
    as_json: JsonOpt = False,
) -> None:
    """Look up what an action, spell or reaction takes.

    Examples:
    combatlog reference
    combatlog reference magic_missile
    combatlog reference encounter --ruleset skirmish
    """
    from cli.render.reference import entry_data, print_entries, print_reference
    from cli.render.text import print_json
    from rules.content.action_reference import entries_called
    from rules.content.action_reference import reference as reference_of
    from rules.engine import ruleset as rulesets

    entries = reference_of(rulesets.find(ruleset))
    found = entries if name is None else entries_called(entries, name)
    if as_json:
        print_json([entry_data(entry) for entry in found])
    elif name is None:
        print_reference(entries)
    else:
        print_entries(found)
