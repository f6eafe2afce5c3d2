"""Reports as tables for people, JSON and CSV for programs."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from cli.render.table import Grid, print_grid, print_wrapped
from cli.render.text import print_json, say
from projections.statistics.report import Report
from projections.statistics.scope import left_out_in_words
from projections.text import clean, csv_cell, short

_BARS = "▏▎▍▌▋▊▉█"
_BAR_WIDTH = 10
_BARRED = {"Attacks": "hit_percent", "Damage dealt": "damage", "Reactions": "used_percent"}
"""The column of a report that is drawn beside it."""
_NAMED = {"action", "condition", "resource", "source"}
"""Columns that hold names which code goes by."""


def print_reports(reports: Sequence[Report]) -> None:
    for number, report in enumerate(reports):
        if number:
            say()
        print_wrapped(clean(report.title), style="bold")
        _print_report(report)


def _print_report(report: Report) -> None:
    if not report.rows:
        say("Nothing is on record for this.")
        for sentence in left_out_in_words(report.left_out):
            say(sentence, style="dim")
        return
    titles, rows = report.columns, _in_words(report)
    print_grid(replace(_grid([*map(_title, titles)], rows), bars=_bars(report)))
    for note in report.notes:
        print_wrapped(clean(_with_titles(note, titles)), style="dim")


def _bars(report: Report) -> list[str]:
    drawn = next((column for title, column in _BARRED.items() if report.title.startswith(title)), None)
    if drawn is None:
        return []
    values = [float(getattr(row, drawn) or 0) for row in report.rows]
    return [bar(value / (max(values) or 1)) for value in values]


def _in_words(report: Report) -> list[list[Any]]:
    """What code calls `dnd5e:condition:prone` and `bonus_action` as people say it."""
    named = {place for place, column in enumerate(report.columns) if column in _NAMED}
    return [[name_of(cell) if place in named else cell for place, cell in enumerate(row)] for row in report.rows]


def name_of(value: Any) -> Any:
    return short(value) if isinstance(value, str) else value


def _with_titles(note: str, columns: Sequence[str]) -> str:
    """A note that speaks of columns, with their titles as they are shown."""
    for column in columns:
        note = note.replace(column, _title(column))
    return note


def bar(share: float, width: int = _BAR_WIDTH) -> str:
    """A bar of so much of the width, to an eighth of a character."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    return "█" * (eighths // 8) + (_BARS[eighths % 8 - 1] if eighths % 8 else "")


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Columns have the names that are given, such as those of a query."""
    print_grid(_grid(columns, list(rows)))


def _grid(titles: Sequence[str], rows: Sequence[Sequence[Any]]) -> Grid:
    places = range(len(titles)) if rows else ()
    numbers = {place for place in places if all(isinstance(row[place], int | float | None) for row in rows)}
    return Grid([*titles], [[_cell(value) for value in row] for row in rows], frozenset(numbers))


def _title(column: str) -> str:
    return column.replace("_", " ")


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, list):
        return clean(", ".join(map(str, value)))
    return clean(value)


def print_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([[csv_cell(value) for value in row] for row in rows])


def print_reports_as_csv(reports: Sequence[Report]) -> None:
    for number, report in enumerate(reports):
        if number:
            sys.stdout.write("\n")
        print_csv(report.columns, report.rows)


def print_reports_as_json(reports: Sequence[Report]) -> None:
    print_json([report.to_json() for report in reports])
