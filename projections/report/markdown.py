"""A report in Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from projections.battle_report import plain
from projections.report.page import Page, Section
from projections.report.tables import Cell, Table


def as_markdown(page: Page) -> str:
    return "\n".join([*_head(page), *(line for section in page.sections for line in _section(section)), ""])


def _head(page: Page) -> Iterator[str]:
    yield f"# {plain(page.title)}"
    for line in page.lead:
        yield from ("", plain(line))


def _section(section: Section) -> Iterator[str]:
    if not section.table.columns:
        return
    yield from ("", f"## {section.title}", "")
    if not section.table.rows:
        yield section.nothing
        return
    yield from _table(section.table)
    for note in section.notes:
        yield from ("", note)


def _table(table: Table) -> Iterator[str]:
    numbers = [all(isinstance(row[place], int | float) for row in table.rows) for place in range(len(table.columns))]
    yield f"| {' | '.join(table.columns)} |"
    yield f"|{'|'.join('--:' if is_number else '---' for is_number in numbers)}|"
    for row in table.rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(value: Cell) -> str:
    """A row is one line, so what has several lines is strung together."""
    return plain("; ".join(value)) if isinstance(value, list) else plain(str(value))
