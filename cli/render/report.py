"""Print statistics and summaries as tables, JSON or CSV; and what was played automatically."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rich.text import Text

from cli.render.fight_log import print_log
from cli.render.terminal import console, print_json, say
from cli.render.text_tables import TableGrid, fits, plain_table, print_grid, print_rows, print_wrapped
from projections.report.report_page import Cell, ReportPage, ReportSection
from projections.report.report_page import ReportTable as PageTable
from projections.statistics.question import Report
from projections.statistics.scope import left_out_in_words
from projections.story.text import clean, counted, csv_cell, short

if TYPE_CHECKING:
    from combatlog import Member
    from combatlog.rules.autoplay.player import AutoPlayed
    from combatlog.rules.autoplay.simulate import SimulationResult, SimulationSummary, SpreadOfValues
    from ledger.events import Gauge


_BARS = "▏▎▍▌▋▊▉█"
_BAR_WIDTH = 10
_BARRED = {"Attacks": "hit_percent", "Damage dealt": "damage", "Reactions": "used_percent"}
"""The column of each report that is drawn as bars."""
_NAMED = {"action", "condition", "resource", "source"}
"""Columns with names that code uses."""


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
    """The rows with names in words: `prone` for `dnd5e:condition:prone`."""
    named = {place for place, column in enumerate(report.columns) if column in _NAMED}
    return [[name_of(cell) if place in named else cell for place, cell in enumerate(row)] for row in report.rows]


def name_of(value: Any) -> Any:
    return short(value) if isinstance(value, str) else value


def _with_titles(note: str, columns: Sequence[str]) -> str:
    """A note, with the titles of columns as they are shown."""
    for column in columns:
        note = note.replace(column, _title(column))
    return note


def bar(share: float, width: int = _BAR_WIDTH) -> str:
    """A bar of so much of the width, to an eighth of a character."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    return "█" * (eighths // 8) + (_BARS[eighths % 8 - 1] if eighths % 8 else "")


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a table whose columns have these names, such as those of a query."""
    print_grid(_grid(columns, list(rows)))


def _grid(titles: Sequence[str], rows: Sequence[Sequence[Any]]) -> TableGrid:
    places = range(len(titles)) if rows else ()
    numbers = {place for place in places if all(isinstance(row[place], int | float | None) for row in rows)}
    return TableGrid([*titles], [[_cell(value) for value in row] for row in rows], frozenset(numbers))


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


def print_played(step: AutoPlayed, *, quiet: bool) -> None:
    text = Text(f"{clean(step.who)}: {clean(step.what)}", style="bold green")
    text.append(f"  ({clean(step.why)})", style="dim")
    console().print(text)
    if not quiet:
        print_log(step.events)


def fighting_bar(results: Iterator[SimulationResult], total: int, *, quiet: bool) -> Iterator[SimulationResult]:
    """The results as they come, with a progress bar on standard error."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    shown = console(stderr=True)
    columns = (TextColumn("Fighting"), BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=shown, disable=quiet or not shown.is_terminal, transient=True) as bar:
        task = bar.add_task("", total=total)
        for result in results:
            bar.advance(task)
            yield result


def print_summary(summary: SimulationSummary) -> None:
    console().print(counted(summary.fights, "fight"), style="bold")
    columns = ("fights", "share", "95% confidence")
    wins = plain_table("won by", *columns, right=columns)
    for win in summary.wins:
        wins.add_row(clean(win.side), str(win.fights), f"{win.share:.1%}", f"{win.low:.1%} to {win.high:.1%}")
    console().print(wins)
    console().print()
    ranges = ("mean", "min", "median", "max")
    figures = plain_table("per fight", *ranges, right=ranges)
    for title, found in summary.figures.items():
        figures.add_row(clean(title.replace("_", " ")), *_numbers(found))
    console().print(figures)


def _numbers(found: SpreadOfValues) -> tuple[str, str, str, str]:
    return f"{found.mean:.1f}", f"{found.least:g}", f"{found.middle:g}", f"{found.most:g}"


def print_page(page: ReportPage) -> None:
    say(clean(page.title), style="bold")  # one line, whatever is in the name
    for line in page.lead:
        print_wrapped(clean(line))
    for section in page.sections:
        if section.table.columns:
            _print_page_section(section)


def _print_page_section(section: ReportSection) -> None:
    say()
    say(section.title, style="bold")
    if not section.table.rows:
        say(section.nothing)
        return
    if any(isinstance(cell, list) for cell in section.table.rows[0]):
        _print_with_details(section.table)
    else:
        grid = _page_grid(section.table)
        print_grid(grid) if fits(grid) else print_rows(grid)
    for note in section.notes:
        print_wrapped(clean(note), style="dim")


def _page_grid(table: PageTable) -> TableGrid:
    places = range(len(table.columns))
    numbers = {place for place in places if all(isinstance(row[place], int | float) for row in table.rows)}
    return TableGrid(table.columns, [list(map(_page_cell, row)) for row in table.rows], frozenset(numbers))


def _print_with_details(table: PageTable) -> None:
    """Row by row; the items of a list in a cell go below the row, one per line."""
    for row in table.rows:
        told = [(title, cell) for title, cell in zip(table.columns, row, strict=True) if not isinstance(cell, list)]
        titles, cells = zip(*told, strict=True)
        print_rows(_page_grid(PageTable(titles, [list(cells)])))
        for line in (line for cell in row if isinstance(cell, list) for line in cell):
            print_wrapped(clean(line), indent=4, first=4)


def _page_cell(value: Cell) -> str:
    return "\n".join(map(clean, value)) if isinstance(value, list) else clean(value)


def print_roster(members: Sequence[Member]) -> None:
    for member in members:
        pools = {**member.vitals, **member.resources}.items()
        told = [_pool(name, pool) for name, pool in pools if pool.current or pool.maximum]  # an empty one says nothing
        lasting = [short(ref) for ref in member.conditions]
        state = ", ".join([*(["dead"] if member.dead else []), *told, *lasting])
        say(f"{member.name}: {state}; last in {member.fight}")
    if not members:
        say("No character has taken part yet.")


def _pool(name: str, pool: Gauge) -> str:
    return f"{name.replace('_', ' ')} {pool.current}" + (f"/{pool.maximum}" if pool.maximum is not None else "")
