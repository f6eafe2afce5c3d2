"""Commands that look something up without a fight: actions, documents, abilities, packs and creatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import typer

import combatlog
from cli.command import shows
from cli.options import JSON, RULESET, argument, flag, option
from cli.render.content import (
    print_abilities,
    print_ability,
    print_card,
    print_creatures,
    print_entries,
    print_form,
    print_import,
    print_left_out,
    print_library,
    print_message,
    print_messages,
    print_pack,
    print_reference,
    print_sections,
)
from cli.render.json_schemas import DOCUMENTS, document_called
from cli.render.report import print_table
from cli.render.terminal import print_json, progress_bar
from combatlog.message_reference import by_name, described, message_called, messages
from combatlog.rules.content.bestiary import AbilityLibrary, Card, Creature, LibraryEntry, Wiring
from combatlog.rules.content.files import read_text
from combatlog.rules.content.pack_files import examine
from combatlog.rules.content.reference import archetypes as archetypes_in
from combatlog.rules.content.reference import entries_called, fields_of, forms_called, is_called, summary_of
from combatlog.rules.content.reference import reference as reference_of
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.refusal import Refusal


def reference(
    name: str | None = argument(
        "An action, spell, feature or reaction, `encounter` for what `new` takes, or a message; default: all.",
        None,
        metavar="[ACTION]",
        complete="references",
    ),
    ruleset: str = RULESET,
    as_messages: bool = flag("The messages that programs send, with their fields and addresses.", "--messages"),
    as_json: bool = JSON,
) -> None:
    """Examples:
    combatlog reference
    combatlog reference magic_missile
    combatlog reference encounter --ruleset skirmish
    combatlog reference hurt --messages
    """
    if as_messages or (name is not None and _is_only_a_message(name, ruleset)):
        _show_messages(name, as_json)
        return
    entries = reference_of(rulesets.find(ruleset))
    found = entries if name is None else entries_called(entries, name)
    if as_json:
        print_json([entry.to_json() for entry in found])
    elif name is None:
        print_reference(entries)
    else:
        print_entries(found)


def _is_only_a_message(name: str, ruleset: str) -> bool:
    entries = reference_of(rulesets.find(ruleset))
    return not any(is_called(entry, name) for entry in entries) and name.replace("-", "_") in by_name()


def _show_messages(name: str | None, as_json: bool) -> None:
    found = messages() if name is None else (message_called(name),)
    if as_json:
        print_json([described(kind) for kind in found])
    elif name is None:
        print_messages(found)
    else:
        print_message(found[0])


def schema(
    name: str | None = argument(
        "A document, or the command that prints it; default: list all.",
        None,
        metavar="[DOCUMENT]",
        complete="documents",
    ),
) -> None:
    """A document's version changes only if programs that read it have to change. New fields may be added at any time.

    Examples:
    combatlog schema
    combatlog schema status
    """
    if name is not None:
        print_json(document_called(name).schema())
        return
    rows = [(document.name, document.version, ", ".join(document.commands), document.about) for document in DOCUMENTS]
    print_table(("document", "version", "commands", "what it is"), rows)


LIBRARY = option("Include the abilities in your own library file.")
LIBRARY_RULESET = option("Ruleset of the library.", default="skirmish")


@shows(print_abilities)
def list_abilities(
    wired: bool = flag("Only abilities that the engine implements in full."),
    partial: bool = flag("Only abilities that it implements in part."),
    unwired: bool = flag("Only abilities that are left to the table."),
    library: Path | None = LIBRARY,
    ruleset: str = LIBRARY_RULESET,
) -> Sequence[LibraryEntry]:
    """Example: combatlog abilities list --partial"""
    wanted = [status for status, asked in zip(Wiring, (wired, partial, unwired), strict=True) if asked]
    if len(wanted) > 1:
        raise typer.BadParameter("give only one of --wired, --partial and --unwired.")
    return library_of(ruleset).entries(_text(library), wanted[0] if wanted else None)


@shows(print_ability)
def show_ability(
    name: str = argument("Id of an ability, for example 'Battle Scars'.", complete="abilities"),
    library: Path | None = LIBRARY,
    ruleset: str = LIBRARY_RULESET,
) -> LibraryEntry:
    """Example: combatlog abilities show "Wild Attack" """
    return library_of(ruleset).entry(name, _text(library))


def check_library(
    file: Path = argument("Library file (JSON)."), ruleset: str = LIBRARY_RULESET, as_json: bool = JSON
) -> None:
    """Lists what the engine does with each entry. Broken entries are left out, with the reason.

    Example: combatlog abilities check my-cards.json
    """
    report = library_of(ruleset).check(read_text(file))
    if as_json:
        print_json(
            {
                "problems": [finding.sentence for finding in report.problems],
                "left_out": [finding.sentence for finding in report.left_out],
                "unknown": [{"ability": ability, "property": name} for ability, name in report.unknown],
                "abilities": [asdict(entry) for entry in report.entries],
            }
        )
    else:
        print_library(report)
        print_left_out(report)
    if report.problems or report.left_out:
        raise typer.Exit(1)


def library_of(ruleset: str) -> AbilityLibrary:
    library = rulesets.find(ruleset).library
    if library is None:
        raise Refusal("library/none", f"{ruleset} has no ability library.", ruleset=ruleset)
    return library


def _text(own: Path | None) -> str | None:
    return read_text(own) if own is not None else None


PACK_RULESET = option("Rules that the pack is for.", default="dnd5e")


def check_pack(
    folder: list[Path] = argument("Folder of a pack; repeatable."), ruleset: str = PACK_RULESET, as_json: bool = JSON
) -> None:
    """Nothing is recorded.

    Examples:
    combatlog pack check ./frost
    combatlog pack check ./street ./docks --ruleset action_points --json
    """
    rules = rulesets.find(ruleset)
    reports = [examine(rules, path) for path in folder]
    if as_json:
        print_json([report.to_json() for report in reports])
    else:
        for report in reports:
            print_pack(report)
    if any(report.findings for report in reports):
        raise typer.Exit(1)


@shows(print_import)
def import_(
    source: str = argument("File or folder of another tool, or `srd` for the SRD that combatlog[srd] installs."),
    out: Path | None = option("Folder to write; default: SOURCE-pack in the current folder.", metavar="FOLDER"),
    format: str | None = option("Format of the source; default: detected.", complete="pack_formats"),
    replace: bool = flag("Overwrite a pack that was imported before."),
    ruleset: str = PACK_RULESET,
) -> combatlog.PackImport:
    """Effects that the rules cannot resolve are listed and kept on the sheets as notes. When one matters, the GM rules
    on it.

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
    with progress_bar("Importing") as progress:
        return combatlog.import_pack(source, out, ruleset=ruleset, format=format, replace=replace, progress=progress)


def archetypes(
    name: str | None = argument(
        "Archetype to show with its options; default: list them all.", None, complete="archetypes"
    ),
    ruleset: str = PACK_RULESET,
    as_json: bool = JSON,
) -> None:
    """Examples:
    combatlog pack archetypes
    combatlog pack archetypes area
    combatlog pack archetypes spells --ruleset action_points
    """
    rules = rulesets.find(ruleset)
    sections = rules.pack_sections()
    found = forms_called(sections, name)
    if as_json:
        print_json(archetypes_in(sections, name))
    elif name is None:
        print_sections(ruleset, sections)
    else:
        for section, archetype, model in found:
            print_form(section, archetype, summary_of(model), fields_of(model))


PACK = option("Folder of another pack to look in; repeatable.")


def _challenge(text: str) -> tuple[float, float]:
    """`3`, `1/4`, `1..3`, `5..` or `..2`."""
    low, dots, high = text.partition("..")
    try:
        first = _number(low) if low else 0.0
        return (first, (_number(high) if high else 30.0) if dots else first)
    except (ValueError, ZeroDivisionError) as error:
        raise typer.BadParameter("Write a challenge rating like 3 or 1/4, or a range like 1..3.") from error


def _number(text: str) -> float:
    above, slash, below = text.partition("/")
    return int(above) / int(below) if slash else float(text)


@shows(print_creatures)
def list_creatures(
    search: str | None = argument("A part of the name; default: all.", None, complete="creatures"),
    cr: str | None = option("Challenge rating, such as 1/4 or 1..3.", metavar="NUMBER"),
    type: str | None = option("Creature type, such as undead.", metavar="TYPE", complete="creature_types"),
    pack: list[Path] | None = PACK,
    ruleset: str = RULESET,
) -> Sequence[Creature]:
    """Creatures come from the ruleset, from packs, and from the SRD if it is installed.

    Examples:
    combatlog creatures list dragon
    combatlog creatures list --cr 1..3 --type undead
    combatlog creatures list ghoul --pack ./frost --json
    """
    wanted = _challenge(cr) if cr is not None else None
    return combatlog.creatures(search, cr=wanted, type=type, packs=pack or (), ruleset=ruleset)


@shows(print_card)
def show_creature(
    name: str = argument("Creature, by id or name.", complete="creatures"),
    pack: list[Path] | None = PACK,
    ruleset: str = RULESET,
) -> Card:
    """At the end it lists what is left to the GM, and the licence and origin of the data.

    Examples:
    combatlog creatures show adult-red-dragon
    combatlog creatures show "Snow Ghoul" --pack ./frost
    """
    return combatlog.creature(name, packs=pack or (), ruleset=ruleset)
