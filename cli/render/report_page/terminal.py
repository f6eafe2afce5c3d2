"""A report on the terminal."""

from __future__ import annotations

from cli.render.table import Grid, fits, print_grid, print_rows, print_wrapped
from cli.render.text import say
from projections.report.page import Page, Section
from projections.report.tables import Cell, Table
from projections.text import clean


def print_page(page: Page) -> None:
    say(clean(page.title), style="bold")  # a line of its own, whatever a name has in it
    for line in page.lead:
        print_wrapped(clean(line))
    for section in page.sections:
        if section.table.columns:
            _print_section(section)


def _print_section(section: Section) -> None:
    say()
    say(section.title, style="bold")
    if not section.table.rows:
        say(section.nothing)
        return
    if any(isinstance(cell, list) for cell in section.table.rows[0]):
        _print_with_details(section.table)
    else:
        grid = _grid(section.table)
        print_grid(grid) if fits(grid) else print_rows(grid)
    for note in section.notes:
        print_wrapped(clean(note), style="dim")


def _grid(table: Table) -> Grid:
    places = range(len(table.columns))
    numbers = {place for place in places if all(isinstance(row[place], int | float) for row in table.rows)}
    return Grid(table.columns, [list(map(_cell, row)) for row in table.rows], frozenset(numbers))


def _print_with_details(table: Table) -> None:
    """Row below row; what is a list in a cell goes below its row, line by line."""
    for row in table.rows:
        told = [(title, cell) for title, cell in zip(table.columns, row, strict=True) if not isinstance(cell, list)]
        titles, cells = zip(*told, strict=True)
        print_rows(_grid(Table(titles, [list(cells)])))
        for line in (line for cell in row if isinstance(cell, list) for line in cell):
            print_wrapped(clean(line), indent=4, first=4)


def _cell(value: Cell) -> str:
    return "\n".join(map(clean, value)) if isinstance(value, list) else clean(value)
