"""Commands for the ability library of the skirmish ruleset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.completion import complete_ability, complete_ruleset
from cli.options import JsonOpt
from cli.render.text import present, print_json

if TYPE_CHECKING:
    from cli.documents.shapes import AbilityData
    from rules.content.ability_library import AbilityLibrary, LibraryEntry, Wiring

app = typer.Typer(help="Look up abilities of the skirmish library.", no_args_is_help=True)

LibraryOpt = Annotated[Path | None, typer.Option("--library", help="Include the abilities in your own library file.")]
RulesetOpt = Annotated[
    str, typer.Option("--ruleset", help="Ruleset whose library to use.", autocompletion=complete_ruleset)
]


@app.command("list")
def list_abilities(
    wired: Annotated[bool, typer.Option("--wired", help="Only abilities that the engine carries out in full.")] = False,
    partial: Annotated[bool, typer.Option("--partial", help="Only abilities that it carries out in part.")] = False,
    unwired: Annotated[bool, typer.Option("--unwired", help="Only abilities that are left to people.")] = False,
    library: LibraryOpt = None,
    ruleset: RulesetOpt = "skirmish",
    as_json: JsonOpt = False,
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
    name: Annotated[
        str, typer.Argument(help="Id of an ability, for example 'Battle Scars'.", autocompletion=complete_ability)
    ],
    library: LibraryOpt = None,
    ruleset: RulesetOpt = "skirmish",
    as_json: JsonOpt = False,
) -> None:
    """Show an ability, and what the engine does with each of its parts.

    Example: combatlog abilities show "Wild Attack"
    """
    from cli.render.abilities import print_entry

    entry = library_of(ruleset).entry(name, _text(library))
    present(as_json, lambda: _as_data(entry), lambda: print_entry(entry))


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="Library file (JSON).")],
    ruleset: RulesetOpt = "skirmish",
    as_json: JsonOpt = False,
) -> None:
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
