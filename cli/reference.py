"""Commands that look something up, whatever fight it is for: what an action takes, what a document contains."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.completion import complete_document, complete_reference
from cli.options import JsonOpt, RulesetOpt
from cli.render.text import print_json

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
    ruleset: RulesetOpt = "dnd5e",
    as_json: JsonOpt = False,
) -> None:
    """Look up what an action, spell or reaction takes.

    Examples:
    combatlog reference
    combatlog reference magic_missile
    combatlog reference encounter --ruleset skirmish
    """
    from cli.render.reference import print_entries, print_reference
    from rules.content.action_reference import entries_called
    from rules.content.action_reference import reference as reference_of
    from rules.engine import ruleset as rulesets

    entries = reference_of(rulesets.find(ruleset))
    found = entries if name is None else entries_called(entries, name)
    if as_json:
        print_json([entry.to_json() for entry in found])
    elif name is None:
        print_reference(entries)
    else:
        print_entries(found)


@app.command()
def schema(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[DOCUMENT]",
            help="A document, or the command that prints it; default: list all.",
            autocompletion=complete_document,
        ),
    ] = None,
) -> None:
    """Describe what commands print with --json, as JSON Schema.

    A document's version changes only if programs that read it have to change. New fields may come at any time.

    Examples:
    combatlog schema
    combatlog schema status
    """
    from cli.documents.catalogue import DOCUMENTS, document_called
    from cli.render.report import print_table

    if name is not None:
        print_json(document_called(name).schema())
        return
    rows = [(document.name, document.version, ", ".join(document.commands), document.about) for document in DOCUMENTS]
    print_table(("document", "version", "commands", "what it is"), rows)
