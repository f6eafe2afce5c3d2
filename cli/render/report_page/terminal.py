"""A report on the terminal."""

from __future__ import annotations

from rich.cells import cell_len
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from cli.render.text import console, say
from projections.report.page import Page, Section
from projections.report.tables import Cell, Table
from projections.text import clean

_WIDEST_WORD = 16
"""Words up to this long are not broken."""


def print_page(page: Page) -> None:
    say(clean(page.title), style="bold")  # a line of its own, whatever a name has in it
    for line in page.lead:
        say(clean(line))
    for section in page.sections:
        if section.table.columns:
            _print_section(section)


def _print_section(section: Section) -> None:
    say()
    say(section.title, style="bold")
    if not section.table.rows:
        say(section.nothing)
        return
    if any(isinstance(cell, list) for cell in section.table.rows[0]) or not _fits(section.table):
        _print_list(section.table)
    else:
        console().print(_table(section.table))
    for note in section.notes:
        console().print(clean(note), style="dim", soft_wrap=False)


def _fits(table: Table) -> bool:
    """Whether there is room for its columns without breaking words."""
    return sum(_least_widths(table)) <= _room(table)


def _room(table: Table) -> int:
    return console().width - 2 * (len(table.columns) - 1)


def _texts(table: Table) -> list[list[str]]:
    """By column, with the title."""
    return [[title, *(_cell(row[place]) for row in table.rows)] for place, title in enumerate(table.columns)]


def _least_widths(table: Table) -> list[int]:
    longest = (max(cell_len(word) for text in column for word in text.split() or [""]) for column in _texts(table))
    return [min(width, _WIDEST_WORD) for width in longest]


def _widths(table: Table) -> list[int]:
    """As wide as their texts, unless there is no room: then the widest are the first to give some away."""
    least, widths = _least_widths(table), [max(map(cell_len, column)) for column in _texts(table)]
    for _ in range(max(0, sum(widths) - _room(table))):
        widest = max(range(len(widths)), key=lambda place: (widths[place] > least[place], widths[place]))
        widths[widest] -= 1
    return widths


def _print_list(table: Table) -> None:
    """Row below row, each cell with its title: in columns, the lines would be too short to read."""
    for row in table.rows:
        first, *others = (cell for cell in zip(table.columns, row, strict=True) if not isinstance(cell[1], list))
        head = f"{first[0]} {first[1]}" if isinstance(first[1], int) else str(first[1])
        _print_wrapped(f"{head}: {', '.join(f'{title} {cell}' for title, cell in others)}", indent=0)
        for line in (line for cell in row if isinstance(cell, list) for line in cell):
            _print_wrapped(line, indent=4)


def _print_wrapped(text: str, indent: int) -> None:
    console().print(Padding(Text(clean(text)), (0, 0, 0, indent)), soft_wrap=False)


def _table(table: Table) -> RichTable:
    drawn = RichTable(box=None, pad_edge=False, header_style="dim")
    for place, (title, width) in enumerate(zip(table.columns, _widths(table), strict=True)):
        numbers = all(isinstance(row[place], int | float) for row in table.rows)
        drawn.add_column(title, justify="right" if numbers else "left", overflow="fold", width=width)
    for row in table.rows:
        drawn.add_row(*map(_cell, row))
    return drawn


def _cell(value: Cell) -> str:
    return "\n".join(map(clean, value)) if isinstance(value, list) else clean(value)
