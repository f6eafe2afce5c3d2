"""The ability library on the terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.text import Text

from cli.render.table import plain_table
from cli.render.text import console, say
from projections.phrases import counted
from projections.text import clean
from rules.content.ability_library import LibraryEntry, LibraryReport, Wiring

_STYLES = {Wiring.WIRED: "green", Wiring.PARTIAL: "yellow", Wiring.UNWIRED: "red"}


def print_entries(entries: Sequence[LibraryEntry]) -> None:
    table = plain_table("ability", "type", "status", "what it says")
    for entry in entries:
        status = Text(entry.status.value, style=_STYLES[entry.status])
        table.add_row(clean(entry.id), entry.type, status, clean(entry.label))
    console().print(table)
    counts = [f"{sum(entry.status is status for entry in entries)} {status.value}" for status in Wiring]
    say(f"{counted(len(entries), 'ability', 'abilities')}: {', '.join(counts)}", "dim")


def print_entry(entry: LibraryEntry) -> None:
    say(f"{clean(entry.id)} ({entry.type}): {entry.status.value}", "bold")
    say(f"  “{clean(entry.label)}”", "italic")
    for part in entry.parts:
        value = "" if part.value is None else f" {clean(json.dumps(part.value, ensure_ascii=False))}"
        say(f"  {clean(part.name)}{value}: {clean(part.does)}", "green" if part.by_engine else "yellow")


def print_report(report: LibraryReport) -> None:
    for finding in report.problems:
        say(clean(finding.sentence), "red")
    if report.problems:
        say(f"{counted(len(report.problems), 'problem')}; the file cannot be used.", "bold red")
        return
    for entry in report.entries:
        print_entry(entry)
    unknown = [f"{name} ({ability})" for ability, name in report.unknown]
    total = counted(len(report.entries), "ability", "abilities")
    say(f"\n{total}." + (f" Unknown properties: {clean(', '.join(unknown))}." if unknown else ""), "bold")


def print_left_out(report: LibraryReport) -> None:
    """The broken entries of a library file, and that the others can be used."""
    for finding in report.left_out:
        say(clean(finding.sentence), "red")
    if broken := {finding.ability for finding in report.left_out}:
        say(f"{counted(len(broken), 'broken entry', 'broken entries')} left out; the rest can be used.", "bold red")
