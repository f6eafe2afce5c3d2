"""Tables that fit the screen. Nothing is cut.

They are in columns if there is room for every word. If not, they are in several parts that begin with the same columns,
or row below row.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.cells import cell_len
from rich.console import JustifyMethod
from rich.table import Table
from rich.text import Text

from cli.render.text import console

_WIDEST_WORD = 16
"""Words up to this long are not broken."""
_MOST_KEYS = 2
_GAP = 2
"""Columns between two columns of a table."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as it is to be shown: every cell is text."""

    titles: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: frozenset[int] = frozenset()
    """The places of the columns that hold numbers."""
    bars: Sequence[str] = field(default=())
    """A drawing for each row, which is left out where there is no room: the numbers say the same."""

    def with_bars(self) -> Grid:
        """The drawings as the last column."""
        rows = [[*row, bar] for row, bar in zip(self.rows, self.bars, strict=True)]
        return Grid([*self.titles, ""], rows, self.numbers)

    def part(self, places: Sequence[int]) -> Grid:
        """Only these columns."""
        numbers = frozenset(at for at, place in enumerate(places) if place in self.numbers)
        return Grid(
            [self.titles[place] for place in places], [[row[at] for at in places] for row in self.rows], numbers
        )

    def columns(self) -> list[list[str]]:
        """The texts of each column, its title first."""
        return [[title, *(row[place] for row in self.rows)] for place, title in enumerate(self.titles)]


def print_grid(grid: Grid) -> None:
    room = _room()
    if grid.bars and (room is None or _width(_widest(grid.with_bars())) <= room):
        _print_columns(grid.with_bars(), room)
    elif room is None or fits(grid):
        _print_columns(grid, room)
    elif parts := _parts(grid, room):
        _print_parts(parts, room)
    else:
        print_rows(grid)


def fits(grid: Grid) -> bool:
    """Whether there is room for its columns without breaking words."""
    room = _room()
    return room is None or _width(_narrowest(grid)) <= room


def _parts(grid: Grid, room: int) -> list[Grid]:
    """The table in parts that fit, each with the columns that say what a row is about; none if no part would."""
    keys = _keys(grid)
    rest = range(len(keys), len(grid.titles))
    for count in range(2, len(rest) + 1):
        found = [grid.part([*keys, *part]) for part in _shared_out(rest, count)]
        if all(_width(_narrowest(part)) <= room for part in found):
            return found
    return []


def _shared_out(places: Sequence[int], count: int) -> list[Sequence[int]]:
    """So many parts, as equal as possible, in order."""
    ends = [len(places) * part // count for part in range(count + 1)]
    return [places[begin:end] for begin, end in itertools.pairwise(ends)]


def _keys(grid: Grid) -> list[int]:
    """The first column, and the second if neither holds numbers."""
    return [0, 1] if not grid.numbers & {0, 1} and len(grid.titles) > _MOST_KEYS else [0]


def _print_parts(parts: Sequence[Grid], room: int) -> None:
    for place, part in enumerate(parts):
        if place:
            console().print()
        _print_columns(part, room)


def print_rows(grid: Grid) -> None:
    """Row below row, each cell with its title: in columns, the lines would be too short to read."""
    for first, *others in grid.rows:
        head = f"{grid.titles[0]} {first}" if 0 in grid.numbers else first
        told = ", ".join(f"{title} {text}" for title, text in zip(grid.titles[1:], others, strict=True))
        print_wrapped(f"{head}: {told}" if told else head, indent=4)


def print_wrapped(text: str, indent: int = 0, first: int = 0, style: str = "") -> None:
    """Text in as many lines as it takes, all but the first indented."""
    room = _room()
    whole = Text(text, style)
    lines = whole.wrap(console(), max(1, room - indent)) if room is not None else [whole]
    for place, line in enumerate(lines):
        line.rstrip()
        console().print(Text(" " * (indent if place else first)).append_text(line))


def _room() -> int | None:
    """Columns of the screen; None if nobody looks at one: whoever reads through a pipe wants a line for each row."""
    is_screen = console().is_terminal or bool(os.environ.get("COLUMNS"))
    return console().width if is_screen else None


def _width(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _on_one_line(grid: Grid) -> list[int]:
    """The widths at which nothing has to be broken."""
    return [max(map(cell_len, column)) for column in grid.columns()]


def _widest(grid: Grid) -> list[int]:
    """The widths at which only titles are broken, between words."""
    return [max(map(cell_len, (*(title.split() or [""]), *texts))) for title, *texts in grid.columns()]


def _narrowest(grid: Grid) -> list[int]:
    longest = (max(cell_len(word) for text in column for word in _words(text)) for column in grid.columns())
    return [min(width, _WIDEST_WORD) for width in longest]


def _words(text: str) -> list[str]:
    """Where a line may end: after a word, and after the hyphen in an id such as `sister-osric`."""
    return [part for word in text.split() for part in _after_hyphens(word)] or [""]


def _after_hyphens(word: str) -> list[str]:
    *parts, last = word.split("-")
    return [part for part in (*(f"{part}-" for part in parts), last) if part]


def _widths(grid: Grid, room: int | None) -> list[int]:
    """As wide as their texts, unless there is no room: then the widest are the first to give some away."""
    whole = _on_one_line(grid)
    if room is None or _width(whole) <= room:
        return whole
    least, widths = _narrowest(grid), _widest(grid)
    for _ in range(_width(widths) - room):
        widest = max(range(len(widths)), key=lambda place: (widths[place] > least[place], widths[place]))
        widths[widest] -= 1
    return widths


def _print_columns(grid: Grid, room: int | None) -> None:
    widths = _widths(grid, room)
    table = Table(box=None, pad_edge=False, header_style="dim", width=_width(widths))
    for place, (title, width) in enumerate(zip(grid.titles, widths, strict=True)):
        justify: JustifyMethod = "right" if place in grid.numbers else "left"
        table.add_column(_broken(title, width), justify=justify, overflow="fold", width=width)
    for row in grid.rows:
        table.add_row(*(_broken(text, width) for text, width in zip(row, widths, strict=True)))
    console().print(table, width=max(console().width, _width(widths)))


def _broken(text: str, width: int) -> Text:
    """Lines end after words and hyphens. What is longer than a line by itself is left to be folded."""
    return Text("\n".join(line for part in text.split("\n") for line in _lines(part, width)))


def _lines(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        gap = " " if lines[-1] else ""
        for piece in _after_hyphens(word):
            if lines[-1] and cell_len(lines[-1] + gap + piece) > width:
                lines.append(piece)
            else:
                lines[-1] += gap + piece
            gap = ""
    return lines


def plain_table(*titles: str, right: Collection[str] = (), **how: Any) -> Table:
    """A table without lines, for rows that are added to it; the titles of columns of numbers stand on the right."""
    table = Table(box=None, pad_edge=False, header_style="dim", **how)
    for title in titles:
        table.add_column(title, justify="right" if title in right else "left")
    return table


def indented(text: Text, by: int, width: int) -> Table:
    """A paragraph that is wrapped, all of it indented."""
    table = Table.grid()
    table.add_column(width=by)
    table.add_column(width=max(1, width - by), overflow="fold")
    table.add_row("", text)
    return table
