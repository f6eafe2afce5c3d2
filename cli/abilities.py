"""Commands for the ability library of the skirmish ruleset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from cli import completion
from cli.options import JSON, argument, flag, option
from cli.render.text import present, print_json

if TYPE_CHECKING:
    from combatlog.documents.shapes import AbilityData
    from rules.content.ability_library import AbilityLibrary, LibraryEntry, Wiring

app = typer.Typer(help="Look up abilities of the skirmish library.", no_args_is_help=True)

LIBRARY = option("library", "Include the abilities in your own library file.")
RULESET = option("ruleset", "Ruleset whose library to use.", default="skirmish")


@app.command("list")
def list_abilities(
    wired: bool = flag("wired", "Only abilities that the engine carries out in full."),
    partial: bool = flag("partial", "Only abilities that it carries out in part."),
    unwired: bool = flag("unwired", "Only abilities that are left to people."),
    library: Path | None = LIBRARY,
    ruleset: str = RULESET,
    as_json: bool = JSON,
) -> None:
    """List abilities, and how much of each the engine carries out.

    Example: combatlog abilities list --partial
    """
    from cli.render.abilities import print_entries

    entries = library_of(ruleset).entries(_text(library), _status(wired, partial, unwired))
    present(as_json, lambda: [_as_data(entry) for entry in entries], lambda: print_entries(entries))


def _status(wired: bool, partial: bool, unwired: bool) -> Wiring | None:
    from rules.content.ability_library import Wiring

    wanted = [status for status, asked in zip(Wiring, (wired, partial, unwired), strict=True) if asked]
    if len(wanted) > 1:
        raise typer.BadParameter("give only one of --wired, --partial and --unwired.")
    return wanted[0] if wanted else None


@app.command()
def show(
    name: str = argument("name", "Id of an ability, for example 'Battle Scars'.", complete=completion.abilities),
    library: Path | None = LIBRARY,
    ruleset: str = RULESET,
    as_json: bool = JSON,
) -> None:
    """Show an ability, and what the engine does with each of its parts.

    Example: combatlog abilities show "Wild Attack"
    """
    from cli.render.abilities import print_entry

    entry = library_of(ruleset).entry(name, _text(library))
    present(as_json, lambda: _as_data(entry), lambda: print_entry(entry))


@app.command()
def check(file: Path = argument("file", "Library file (JSON)."), ruleset: str = RULESET, as_json: bool = JSON) -> None:
    """Check a library file.

    Lists what the engine does with each entry, and what is wrong with broken ones, which are left out.

    Example: combatlog abilities check my-cards.json
    """
    from cli.render.abilities import print_left_out, print_report
    from rules.content.files import read_text

    report = library_of(ruleset).check(read_text(file))
    if as_json:
        print_json(
            {
                "problems": [finding.sentence for finding in report.problems],
                "left_out": [finding.sentence for finding in report.left_out],
                "unknown": [{"ability": ability, "property": name} for ability, name in report.unknown],
                "abilities": [_as_data(entry) for entry in report.entries],
            }
        )
    else:
        print_report(report)
        print_left_out(report)
    if report.problems or report.left_out:
        raise typer.Exit(1)


def library_of(ruleset: str) -> AbilityLibrary:
    from rules.engine import ruleset as rulesets
    from rules.engine.refusal import Refusal

    library = rulesets.find(ruleset).library
    if library is None:
        raise Refusal("library/none", f"{ruleset} has no ability library.", ruleset=ruleset)
    return library


def _text(own: Path | None) -> str | None:
    from rules.content.files import read_text

    return read_text(own) if own is not None else None


def _as_data(entry: LibraryEntry) -> AbilityData:
    return {
        "id": entry.id,
        "type": entry.type,
        "label": entry.label,
        "status": entry.status,
        "parts": [
            {"name": part.name, "value": part.value, "does": part.does, "by_engine": part.by_engine}
            for part in entry.parts
        ],
        "unknown": list(entry.unknown),
    }
