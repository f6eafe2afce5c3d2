"""Commands for the ability library of the skirmish ruleset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.context import JsonOpt

if TYPE_CHECKING:
    from rules.skirmish.checking import Status
    from rules.skirmish.library import Library
    from rules.skirmish.listing import Entry

app = typer.Typer(
    help="The skirmish ability library: what each entry does, and what is left to people.", no_args_is_help=True
)

LibraryOpt = Annotated[Path | None, typer.Option("--library", help="With the entries of your own file.")]


@app.command("list")
def list_abilities(
    wired: Annotated[bool, typer.Option("--wired", help="Only what the engine does whole.")] = False,
    partial: Annotated[bool, typer.Option("--partial", help="Only what it does in part.")] = False,
    unwired: Annotated[bool, typer.Option("--unwired", help="Only what people do.")] = False,
    library: LibraryOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """List the abilities with their status, which is derived from what the engine can do.

    Example: combatlog abilities list --partial
    """
    from cli.render.abilities import print_entries
    from cli.render.text import print_json
    from rules.skirmish.listing import entries_of

    entries = entries_of(_library(library), _status(wired, partial, unwired))
    if as_json:
        print_json([_as_data(entry) for entry in entries])
    else:
        print_entries(entries)


def _status(wired: bool, partial: bool, unwired: bool) -> Status | None:
    from rules.skirmish.checking import Status

    wanted = [status for status, asked in zip(Status, (wired, partial, unwired), strict=True) if asked]
    if len(wanted) > 1:
        raise typer.BadParameter("say only one of --wired, --partial and --unwired.")
    return wanted[0] if wanted else None


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="The id of an ability, for example 'Battle Scars'.")],
    library: LibraryOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Show one ability: each of its properties and what becomes of it.

    Example: combatlog abilities show "Wild Attack"
    """
    from cli.render.abilities import print_entry
    from cli.render.text import print_json
    from rules.skirmish.listing import show as shown

    entry = shown(_library(library), name)
    if as_json:
        print_json(_as_data(entry))
    else:
        print_entry(entry)


@app.command()
def check(file: Annotated[Path, typer.Argument(help="A library file (JSON).")], as_json: JsonOpt = False) -> None:
    """Check a library file: everything that is wrong with it, or what the engine would do with each entry.

    Example: combatlog abilities check my-cards.json
    """
    from cli.render.abilities import print_report
    from cli.render.text import print_json
    from rules.content.files import read_text
    from rules.skirmish.listing import check as checked

    report = checked(read_text(file))
    if as_json:
        print_json(
            {
                "problems": [finding.sentence for finding in report.problems],
                "unknown": [{"ability": ability, "property": name} for ability, name in report.unknown],
                "abilities": [_as_data(entry) for entry in report.entries],
            }
        )
    else:
        print_report(report)
    if report.problems:
        raise typer.Exit(1)


def _library(own: Path | None) -> Library:
    from rules.content.files import read_text
    from rules.skirmish.listing import library_to_show

    return library_to_show(read_text(own) if own is not None else None)


def _as_data(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.ability.id,
        "type": entry.ability.type,
        "label": entry.ability.label,
        "status": entry.status,
        "parts": [
            {"name": part.name, "value": part.value, "does": part.does, "by_engine": part.by_engine}
            for part in entry.parts
        ],
        "unknown": entry.unknown,
    }
