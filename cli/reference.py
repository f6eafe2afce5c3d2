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
            help="An action, spell, feature or reaction, `encounter` for what `new` takes, or a message; default: all.",
            autocompletion=complete_reference,
        ),
    ] = None,
    ruleset: RulesetOpt = "dnd5e",
    as_messages: Annotated[
        bool, typer.Option("--messages", help="The messages that programs send, with their fields and addresses.")
    ] = False,
    as_json: JsonOpt = False,
) -> None:
    """Look up what an action, spell or reaction takes, or a message.

    Examples:
    combatlog reference
    combatlog reference magic_missile
    combatlog reference encounter --ruleset skirmish
    combatlog reference hurt --messages
    """
    if as_messages or (name is not None and _is_only_a_message(name, ruleset)):
        _show_messages(name, as_json)
        return
    from cli.render.reference import print_entries, print_reference
    from combatlog.documents.content import entry_data
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


def _is_only_a_message(name: str, ruleset: str) -> bool:
    from combatlog.catalogue import by_name
    from rules.content.action_reference import is_called
    from rules.content.action_reference import reference as reference_of
    from rules.engine import ruleset as rulesets

    entries = reference_of(rulesets.find(ruleset))
    return not any(is_called(entry, name) for entry in entries) and name.replace("-", "_") in by_name()


def _show_messages(name: str | None, as_json: bool) -> None:
    from cli.render.reference import print_message, print_messages
    from combatlog.catalogue import described, message_called, messages

    found = messages() if name is None else (message_called(name),)
    if as_json:
        print_json([described(kind) for kind in found])
    elif name is None:
        print_messages(found)
    else:
        print_message(found[0])


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
