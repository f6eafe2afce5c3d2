"""Commands that hand the record to other programs and take in another ledger's."""

from __future__ import annotations

import sys
from enum import StrEnum
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from cli.completion import complete_encounter
from cli.context import JsonOpt, Settings, open_ledger

if TYPE_CHECKING:
    from collections.abc import Iterable

app = typer.Typer()


class Format(StrEnum):
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    MARKDOWN = "markdown"


@app.command()
def export(
    encounter: Annotated[
        str | None, typer.Argument(help="The encounter's name or id.", autocompletion=complete_encounter)
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every encounter in the ledger.")] = False,
    form: Annotated[Format, typer.Option("--format", help="What to write.")] = Format.JSONL,
    output: Annotated[
        Path | None, typer.Option("--output", help="A file; for csv and parquet a folder. Default: standard output.")
    ] = None,
) -> None:
    """Write fights for other ledgers (jsonl), for analysis (csv, parquet), or for people (markdown).

    Examples:
    combatlog export "Bridge ambush" --output bridge.jsonl
    combatlog export --all --format parquet --output tables
    """
    if (encounter is None) != everything:
        raise typer.BadParameter("name an encounter, or say --all.")
    if form in (Format.CSV, Format.PARQUET):
        _export_tables(encounter, form, output)
        return
    with open_ledger() as ledger:
        references = [encounter] if encounter else [str(listed.encounter) for listed in ledger.list_encounters()]
        if form is Format.JSONL:
            from ledger.exchange import export_lines

            _write((f"{line}\n" for line in export_lines(ledger, references)), output)
        else:
            from cli.render.markdown import battle_report

            _write((battle_report(ledger.find(reference).events) for reference in references), output)


def _write(texts: Iterable[str], output: Path | None) -> None:
    if output is None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # it is a file's content, whatever the terminal can show
        sys.stdout.writelines(texts)
        return
    with _opened(output, "w") as file:
        file.writelines(texts)


def _opened(path: Path, mode: str) -> IO[Any]:
    from ledger.errors import Problem

    try:
        return path.open(mode) if "b" in mode else path.open(mode, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Problem("file/unusable", f"{path} cannot be used ({error.strerror}); name another file.") from error


def _export_tables(encounter: str | None, form: Format, output: Path | None) -> None:
    from cli.render.text import say
    from ledger.database import locate
    from projections.readmodels.export import export_tables
    from projections.statistics.answers import catch_up, scope_of

    if output is None:
        raise typer.BadParameter("csv and parquet are a file for each table; name a folder.", param_hint="--output")
    url = locate(Settings.database)
    catch_up(url)
    chosen = scope_of(url, encounter).encounter
    files = export_tables(url, output, form.value, chosen)
    say(f"{len(files)} tables are in {output}.")


@app.command("import")
def import_file(file: Annotated[Path, typer.Argument(help="An export in jsonl.")], as_json: JsonOpt = False) -> None:
    """Take in another ledger's export: hashes checked, same ids, all or nothing. Repeated, it does nothing.

    Example: combatlog import bridge.jsonl
    """
    from cli.render.text import print_json, say
    from rules.engine.importing import import_events

    with _opened(file, "rb") as events, open_ledger() as ledger:
        done = import_events(ledger, events)
    if as_json:
        print_json(done._asdict())
    else:
        say(f"{done.events} events of {done.encounters} encounters were imported; {done.known} were here already.")
