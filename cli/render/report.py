"""Reports as tables for people, JSON and CSV for programs."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.table import Table

from cli.render.text import console, print_json, say
from projections.statistics.report import Report
from projections.statistics.scope import left_out_in_words
from projections.text import clean, csv_cell

_BARS = "▏▎▍▌▋▊▉█"
_BAR_WIDTH = 10
_WIDEST = 28
"""Text up to this long is not broken, as long as there is room."""
_BARRED = {"Attacks": "hit_percent", "Damage dealt": "damage", "Reactions": "used_percent"}
"""The column of a report that is drawn beside it."""


def print_reports(reports: Sequence[Report]) -> None:
    for number, report in enumerate(reports):
        if number:
            say()
        say(report.title, style="bold")
        _print_report(report)


def _print_report(report: Report) -> None:
    if not report.rows:
        say("Nothing is on record for this.")
        for sentence in left_out_in_words(report.left_out):
            say(sentence, style="dim")
        return
    drawn = next((column for title, column in _BARRED.items() if report.title.startswith(title)), None)
    print_table([*report.columns, *([""] if drawn else [])], _with_bars(report, drawn))
    for note in report.notes:
        say(note, style="dim")


def _with_bars(report: Report, drawn: str | None) -> Iterable[Sequence[Any]]:
    if drawn is None:
        return report.rows
    place = report.columns.index(drawn)
    most = max((float(row[place] or 0) for row in report.rows), default=0) or 1
    return [(*row, bar(float(row[place] or 0) / most)) for row in report.rows]


def bar(share: float, width: int = _BAR_WIDTH) -> str:
    """A bar of so much of the width, to an eighth of a character."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    return "█" * (eighths // 8) + (_BARS[eighths % 8 - 1] if eighths % 8 else "")


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    shown = list(rows)
    listed = [[_cell(value) for value in row] for row in shown]
    table = Table(box=None, pad_edge=False, header_style="dim")
    for place, title in enumerate(columns):
        words = title.replace("_", " ")
        numbers = bool(shown) and all(isinstance(row[place], int | float | None) for row in shown)
        least = max(map(len, (*words.split(), *(row[place][:_WIDEST] for row in listed))), default=1)
        table.add_column(words, justify="right" if numbers else "left", overflow="fold", min_width=least)
    for row in listed:
        table.add_row(*row)
    console().print(table)


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
    print_json([{"title": r.title, "rows": r.records(), "notes": r.notes, "left_out": r.left_out} for r in reports])
