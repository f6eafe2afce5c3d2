"""Commands that export fights, and import them from other ledgers and other tools."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

import combatlog
from cli.command import shows
from cli.context import CommandSettings, open_ledger
from cli.options import JSON, OPTIONAL_ENCOUNTER, SEAT, argument, flag, option, options
from cli.render.findings import print_imported, print_imported_log
from cli.render.terminal import opened, present, progress_bar, say, write
from projections.report.markdown import battle_report, seen_battle_report
from projections.story.text import clean, counted
from projections.views import whole_only


class ExportFileFormat(StrEnum):
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    MARKDOWN = "markdown"
    HTML = "html"


def export(
    encounter: str | None = OPTIONAL_ENCOUNTER,
    everything: bool = flag("Export every encounter in the ledger.", "--all"),
    form: ExportFileFormat = option("Format to write.", "--format", default=ExportFileFormat.JSONL),
    output: Path | None = option("File to write, or folder for csv and parquet; default: standard output."),
    seat: str = SEAT,
) -> None:
    """jsonl is for other ledgers, csv and parquet are for analysis, and markdown is a report for people. html is a
    fight to step through in a browser, in one file that needs no network. With --as, jsonl, markdown and html have what
    the seat saw; such a file cannot be imported.

    Examples:
    combatlog export "Bridge ambush" --output bridge.jsonl
    combatlog export "Bridge ambush" --as players --output seen-by-the-players.jsonl
    combatlog export --all --format parquet --output tables
    combatlog export "Bridge ambush" --format html --as players --output bridge.html
    """
    if (encounter is None) != everything:
        raise typer.BadParameter("name an encounter, or give --all.")
    if seat != "gm" and (everything or encounter is None):
        raise typer.BadParameter("name one encounter; --as applies to one fight.", param_hint="--as")
    if form is ExportFileFormat.HTML:
        _export_page(encounter, seat, output)
        return
    may_see_less = seat != "gm" or CommandSettings.server is not None
    if encounter is not None and may_see_less and _export_seen(encounter, seat, form, output):
        return
    if form in (ExportFileFormat.CSV, ExportFileFormat.PARQUET):
        _export_tables(encounter, form, output)
        return
    with open_ledger() as ledger:
        references = [encounter] if encounter else [str(fight) for fight in ledger.begun()]
        if form is ExportFileFormat.JSONL:
            write((f"{line}\n" for line in ledger.export(references)), output)
        else:
            write((battle_report(ledger.fight(reference).history()) for reference in references), output)


def _export_seen(encounter: str, seat: str, form: ExportFileFormat, output: Path | None) -> bool:
    """Export what a seat saw. Returns False, and writes nothing, if the seat sees everything."""
    with open_ledger() as ledger:
        fight = ledger.fight(encounter)
        view = fight.seen_by(seat)
        if view.sees_all:
            return False
        if form is ExportFileFormat.JSONL:
            write((f"{line}\n" for line in view.export()), output)
        elif form is ExportFileFormat.MARKDOWN:
            write([seen_battle_report(view.onlooker)], output)
        else:
            raise whole_only(seat)
    return True


def _export_page(encounter: str | None, seat: str, output: Path | None) -> None:
    if encounter is None:
        raise typer.BadParameter("html writes one fight; name an encounter.", param_hint="--all")
    with open_ledger() as ledger, progress_bar("exporting") as show:
        page = ledger.fight(encounter).seen_by(seat).replay_page(progress=show)
    write([page], output)
    if output is not None:
        say(f"Wrote the replay to {clean(output)}.")


def _export_tables(encounter: str | None, form: ExportFileFormat, output: Path | None) -> None:
    if output is None:
        raise typer.BadParameter("csv and parquet write a file for each table; name a folder.", param_hint="--output")
    with open_ledger() as ledger:
        files = ledger.export_tables(output, form.value, encounter)
    say(f"Wrote {counted(len(files), 'table')} to {output}.")


def import_file(
    file: Path = argument("File written by `combatlog export`, in jsonl."),
    rename: list[str] | None = options(
        "If the name OLD is taken here, import the fight as NEW, or under a free name; repeatable.", metavar="OLD[=NEW]"
    ),
    rename_taken: bool = flag("Import every fight whose name is taken here under a free name."),
    skip_existing: bool = flag("Skip fights that differ from those here, and import the others."),
    as_json: bool = JSON,
) -> None:
    """Hashes are checked and ids stay the same. Importing the same file again does nothing.

    If the name of a fight is taken here, it can be imported under another name, as a copy with its own id and a note of
    its origin. A fight that went on differently here is still the same fight and can only be left out.

    Examples:
    combatlog import bridge.jsonl
    combatlog import bridge.jsonl --rename "Bridge ambush=Bridge ambush at Tom's"
    combatlog import bridge.jsonl --rename-taken
    combatlog import bridge.jsonl --skip-existing
    """
    names = dict(_new_name(given) for given in rename or ())
    with opened(file, "rb") as events, open_ledger() as ledger:
        done = ledger.import_events(events, rename=names, rename_taken=rename_taken, skip_existing=skip_existing)
    present(as_json, done.to_json, lambda: print_imported(done, names))


def _new_name(given: str) -> tuple[str, str | None]:
    old, equals, new = (part.strip() for part in given.partition("="))
    if not old or (equals and not new):
        raise typer.BadParameter(f"{given!r} is not OLD or OLD=NEW.", param_hint="--rename")
    return old, new or None


@shows(print_imported_log)
def import_log(
    form: str = argument(
        "Tool that wrote the files: dice, fireball, foundry or roll20.", metavar="FORMAT", complete="log_formats"
    ),
    files: list[Path] = argument("Its logs.", metavar="FILE"),
    campaign: str | None = option("Campaign that new fights belong to, for statistics."),
    dry_run: bool = flag("Read everything, and record nothing."),
) -> combatlog.ImportedLog:
    """Fights are recorded as they are: no rules are applied, and missing values are omitted. Text that cannot be read
    is kept as notes. Importing again adds only what is new.

    Examples:
    combatlog import-log fireball raw.jsonl --campaign Riverlands
    combatlog import-log foundry world.json --dry-run
    combatlog import-log roll20 archive.html
    combatlog import-log dice session.txt --json
    """
    with open_ledger() as ledger, progress_bar("importing") as show:
        return ledger.import_log(form, files, campaign=campaign, dry_run=dry_run, progress=show)
