"""Print tables that fit the terminal without truncating text, and the list of encounters."""

from __future__ import annotations

import itertools
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from rich.cells import cell_len
from rich.console import JustifyMethod
from rich.table import Table
from rich.text import Text

from cli.render.terminal import console, say
from ledger.store.encounters import ListedEncounter, Page
from projections.battle.encounter_list import EncounterProgress
from projections.story.text import clean, counted

_WIDEST_WORD = 16
"""Words up to this long are not broken."""
_MOST_KEYS = 2
_GAP = 2
"""Columns between two columns of a table."""


@dataclass(frozen=True, slots=True)
class TableGrid:
    """A table to be shown; every cell is text."""

    titles: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: frozenset[int] = frozenset()
    """The places of the columns that hold numbers."""
    bars: Sequence[str] = field(default=())
    """A bar for each row. Bars are dropped if there is no room, since the numbers say the same."""

    def with_bars(self) -> TableGrid:
        """The drawings as the last column."""
        rows = [[*row, bar] for row, bar in zip(self.rows, self.bars, strict=True)]
        return TableGrid([*self.titles, ""], rows, self.numbers)

    def part(self, places: Sequence[int]) -> TableGrid:
        """Only these columns."""
        numbers = frozenset(at for at, place in enumerate(places) if place in self.numbers)
        return TableGrid(
            [self.titles[place] for place in places], [[row[at] for at in places] for row in self.rows], numbers
        )

    def columns(self) -> list[list[str]]:
        """The texts of each column, its title first."""
        return [[title, *(row[place] for row in self.rows)] for place, title in enumerate(self.titles)]


def print_grid(grid: TableGrid) -> None:
    room = _room()
    if grid.bars and (room is None or _width(_widest(grid.with_bars())) <= room):
        _print_columns(grid.with_bars(), room)
    elif room is None or fits(grid):
        _print_columns(grid, room)
    elif parts := _parts(grid, room):
        _print_parts(parts, room)
    else:
        print_rows(grid)


def fits(grid: TableGrid) -> bool:
    """Whether there is room for its columns without breaking words."""
    room = _room()
    return room is None or _width(_narrowest(grid)) <= room


def _parts(grid: TableGrid, room: int) -> list[TableGrid]:
    """The table in parts that fit, each with the key columns; empty if that does not help."""
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


def _keys(grid: TableGrid) -> list[int]:
    """The first column, and the second if neither holds numbers."""
    return [0, 1] if not grid.numbers & {0, 1} and len(grid.titles) > _MOST_KEYS else [0]


def _print_parts(parts: Sequence[TableGrid], room: int) -> None:
    for place, part in enumerate(parts):
        if place:
            console().print()
        _print_columns(part, room)


def print_rows(grid: TableGrid) -> None:
    """Print row by row, each cell with its title, for when columns would be too narrow to read."""
    for first, *others in grid.rows:
        head = f"{grid.titles[0]} {first}" if 0 in grid.numbers else first
        told = ", ".join(f"{title} {text}" for title, text in zip(grid.titles[1:], others, strict=True))
        print_wrapped(f"{head}: {told}" if told else head, indent=4)


def print_wrapped(text: str, indent: int = 0, first: int = 0, style: str = "") -> None:
    """Print wrapped text; all lines but the first are indented."""
    room = _room()
    whole = Text(text, style)
    lines = whole.wrap(console(), max(1, room - indent)) if room is not None else [whole]
    for place, line in enumerate(lines):
        line.rstrip()
        console().print(Text(" " * (indent if place else first)).append_text(line))


def _room() -> int | None:
    """The columns of the screen; None in a pipe, where each row stays one line."""
    is_screen = console().is_terminal or bool(os.environ.get("COLUMNS"))
    return console().width if is_screen else None


def _width(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _on_one_line(grid: TableGrid) -> list[int]:
    """The widths at which nothing has to be broken."""
    return [max(map(cell_len, column)) for column in grid.columns()]


def _widest(grid: TableGrid) -> list[int]:
    """The widths at which only titles are broken, between words."""
    return [max(map(cell_len, (*(title.split() or [""]), *texts))) for title, *texts in grid.columns()]


def _narrowest(grid: TableGrid) -> list[int]:
    longest = (max(cell_len(word) for text in column for word in _words(text)) for column in grid.columns())
    return [min(width, _WIDEST_WORD) for width in longest]


def _words(text: str) -> list[str]:
    """Where a line may end: after a word, and after the hyphen in an id such as `sister-osric`."""
    return [part for word in text.split() for part in _after_hyphens(word)] or [""]


def _after_hyphens(word: str) -> list[str]:
    *parts, last = word.split("-")
    return [part for part in (*(f"{part}-" for part in parts), last) if part]


def _widths(grid: TableGrid, room: int | None) -> list[int]:
    """As wide as their texts; if there is no room, the widest columns shrink first."""
    whole = _on_one_line(grid)
    if room is None or _width(whole) <= room:
        return whole
    least, widths = _narrowest(grid), _widest(grid)
    for _ in range(_width(widths) - room):
        widest = max(range(len(widths)), key=lambda place: (widths[place] > least[place], widths[place]))
        widths[widest] -= 1
    return widths


def _print_columns(grid: TableGrid, room: int | None) -> None:
    widths = _widths(grid, room)
    table = Table(box=None, pad_edge=False, header_style="dim", width=_width(widths))
    for place, (title, width) in enumerate(zip(grid.titles, widths, strict=True)):
        justify: JustifyMethod = "right" if place in grid.numbers else "left"
        table.add_column(_broken(title, width), justify=justify, overflow="fold", width=width)
    for row in grid.rows:
        table.add_row(*(_broken(text, width) for text, width in zip(row, widths, strict=True)))
    console().print(table, width=max(console().width, _width(widths)))


def _broken(text: str, width: int) -> Text:
    """Lines break after words and hyphens. A word that is longer than a line is folded later."""
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
    """An empty table without lines; columns in `right` are aligned to the right."""
    table = Table(box=None, pad_edge=False, header_style="dim", **how)
    for title in titles:
        table.add_column(title, justify="right" if title in right else "left")
    return table


def indented(text: Text, by: int, width: int) -> Table:
    """A wrapped and indented paragraph."""
    table = Table.grid()
    table.add_column(width=by)
    table.add_column(width=max(1, width - by), overflow="fold")
    table.add_row("", text)
    return table


_LISTING_GAP = 2
_NAME = 24
"""The width for names; longer ones are wrapped."""


def print_page(page: Page, progress: Mapping[UUID, EncounterProgress], *, ids: bool = False) -> None:
    rows = [_facts(entry, progress.get(entry.encounter)) for entry in page]
    names = [_marked(entry) for entry in page]
    width = console().width
    layouts = [layout for layout in _LAYOUTS if "id" in layout or not ids]
    fitting = next((layout for layout in layouts if _fits(layout, rows, names, width)), None)
    if fitting is not None:
        _print_table(fitting, names, rows)
    else:
        _print_in_two_lines(_LAYOUTS[0] if ids else _LAYOUTS[1], names, rows, width)
    for entry in page:
        if entry.problem is not None:
            say(f"{clean(entry.name)}: {clean(entry.problem)}", "yellow")
    if page.archived:
        are = "is" if page.archived == 1 else "are"
        say(f"{counted(page.archived, 'archived encounter')} {are} not shown; --archived shows all.", "dim")
    if len(page) < page.total:
        say(f"{len(page)} of {counted(page.total, 'encounter')}, newest first.", "dim")
    if page.next is not None:
        say(f"For more: combatlog list --after {page.next}", "dim")


def _marked(entry: ListedEncounter) -> str:
    marks = [*(["fork"] if entry.parent else []), *entry.labels]
    return f"{clean(entry.name)} ({', '.join(marks)})" if marks else clean(entry.name)


_LAYOUTS = (
    ("opened", "ruleset", "events", "state", "id"),
    ("opened", "ruleset", "events", "state"),
    ("day", "ruleset", "events", "state"),
    ("day", "ruleset", "events", "state", "id"),
)
"""The columns after the name; the first layout that fits is used."""


def _facts(entry: ListedEncounter, progress: EncounterProgress | None) -> dict[str, str]:
    return {
        "opened": f"{entry.begun:%Y-%m-%d %H:%M}" if entry.begun else "",
        "day": f"{entry.begun:%Y-%m-%d}" if entry.begun else "",
        "ruleset": clean(entry.ruleset),
        "events": str(entry.events),
        "state": progress.words if progress is not None else "unreadable",
        "id": str(entry.encounter),
    }


def _fits(columns: Sequence[str], rows: Sequence[dict[str, str]], names: Sequence[str], width: int) -> bool:
    taken = sum(_LISTING_GAP + max([len(column), *(len(row[column]) for row in rows)]) for column in columns)
    return taken + min(_NAME, max((Text(name).cell_len for name in names), default=0)) <= width


def _print_table(columns: Sequence[str], names: Sequence[str], rows: Sequence[dict[str, str]]) -> None:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, _LISTING_GAP, 0, 0))
    table.add_column("name", overflow="fold", style="bold")
    for column in columns:
        table.add_column(
            "opened" if column == "day" else column, no_wrap=True, justify="right" if column == "events" else "left"
        )
    for name, row in zip(names, rows, strict=True):
        table.add_row(Text(name), *(row[column] for column in columns))
    console().print(table)


def _print_in_two_lines(
    columns: Sequence[str], names: Sequence[str], rows: Sequence[dict[str, str]], width: int
) -> None:
    for name, row in zip(names, rows, strict=True):
        console().print(indented(Text(name, "bold"), 0, width))
        told = {**row, "events": counted(int(row["events"]), "event")}
        console().print(indented(Text(" · ".join(filter(None, (told[column] for column in columns))), "dim"), 2, width))
