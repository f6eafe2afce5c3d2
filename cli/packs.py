"""Commands for authors of packs: what can be in one, and whether one can be used."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

import combatlog
from cli.completion import complete_archetype, complete_pack_format, complete_ruleset
from cli.options import JsonOpt
from cli.render.text import present, print_json, progress_bar

app = typer.Typer(help="Check packs of your own, and import creatures of others.", no_args_is_help=True)

RulesetOpt = Annotated[
    str, typer.Option("--ruleset", help="Rules that the pack is for.", autocompletion=complete_ruleset)
]


@app.command()
def check(
    folder: Annotated[list[Path], typer.Argument(help="Folder of a pack; repeatable.")],
    ruleset: RulesetOpt = "dnd5e",
    as_json: JsonOpt = False,
) -> None:
    """Check packs, and list everything wrong with them.

    Nothing is recorded.

    Examples:
    combatlog pack check ./frost
    combatlog pack check ./street ./docks --ruleset action_points --json
    """
    from cli.render.reference import print_report
    from rules.content.pack_checks import examine
    from rules.engine import ruleset as rulesets

    rules = rulesets.find(ruleset)
    reports = [examine(rules, path) for path in folder]
    if as_json:
        print_json([report.to_json() for report in reports])
    else:
        for report in reports:
            print_report(report)
    if any(report.findings for report in reports):
        raise typer.Exit(1)


@app.command("import")
def import_(
    source: Annotated[
        str, typer.Argument(help="File or folder of another tool, or `srd` for the SRD that combatlog[srd] installs.")
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder to write; default: SOURCE-pack, where you are.")
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(help="Format of the source; default: found out.", autocompletion=complete_pack_format),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write over a pack that was imported before.")] = False,
    ruleset: RulesetOpt = "dnd5e",
    as_json: JsonOpt = False,
) -> None:
    """Convert creatures and heroes of other tools into a pack.

    What the rules cannot carry out is listed, kept on the sheets as notes, and put to the GM when it would matter.

    The formats are 5e-bits (monsters and spells of 5e-database and dnd5eapi.co), open5e (a folder of its v2 files),
    foundry (exported actors of the dnd5e system, a file or a folder), improved-initiative (exported stat blocks),
    dnd-beyond (characters, the JSON of its character service) and avrae (characters).

    Examples:
    combatlog pack import srd
    combatlog pack import ./open5e/srd-2024 --out srd52
    combatlog pack import fvtt-Actor-adult-dragon.json
    combatlog pack import ./actors --format foundry --out my-monsters
    combatlog pack import ilva-from-dnd-beyond.json --out heroes
    combatlog pack import avrae.json --out heroes --replace --json
    """
    from cli.render.creatures import print_import

    with progress_bar("Importing") as progress:
        done = combatlog.import_pack(source, out, ruleset=ruleset, format=format, replace=replace, progress=progress)
    present(as_json, lambda: asdict(done), lambda: print_import(done))


@app.command()
def archetypes(
    name: Annotated[
        str | None,
        typer.Argument(
            help="Archetype to show with its options; default: list them all.", autocompletion=complete_archetype
        ),
    ] = None,
    ruleset: RulesetOpt = "dnd5e",
    as_json: JsonOpt = False,
) -> None:
    """Show what the entries of a pack can be, and their options.

    Examples:
    combatlog pack archetypes
    combatlog pack archetypes area
    combatlog pack archetypes spells --ruleset action_points
    """
    from cli.render.reference import print_form, print_sections
    from rules.content.field_reference import archetypes, fields_of, forms_called, summary_of
    from rules.engine import ruleset as rulesets

    rules = rulesets.find(ruleset)
    sections = rules.pack_sections()
    found = forms_called(sections, name)
    if as_json:
        print_json(archetypes(sections, name))
    elif name is None:
        print_sections(ruleset, sections)
    else:
        for section, archetype, model in found:
            print_form(section, archetype, summary_of(model), fields_of(model))
