"""A page of the encounters in a ledger: a table, or two lines for each where the names need the room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from rich.table import Table
from rich.text import Text

from cli.render.table import indented
from cli.render.text import console, say
from projections.text import clean, counted

if TYPE_CHECKING:
    from ledger.listing import Listed, Page
    from projections.progress import Progress

_GAP = 2
_NAME = 24
"""A column in which names can be recognized: longer ones are wrapped."""


def print_page(page: Page, progress: Mapping[UUID, Progress], *, ids: bool = False) -> None:
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


def _marked(entry: Listed) -> str:
    marks = [*(["fork"] if entry.parent else []), *entry.labels]
    return f"{clean(entry.name)} ({', '.join(marks)})" if marks else clean(entry.name)


_LAYOUTS = (
    ("opened", "ruleset", "events", "state", "id"),
    ("opened", "ruleset", "events", "state"),
    ("day", "ruleset", "events", "state"),
    ("day", "ruleset", "events", "state", "id"),
)
"""The columns after the name: the first of these that fit."""


def _facts(entry: Listed, progress: Progress | None) -> dict[str, str]:
    return {
        "opened": f"{entry.begun:%Y-%m-%d %H:%M}" if entry.begun else "",
        "day": f"{entry.begun:%Y-%m-%d}" if entry.begun else "",
        "ruleset": clean(entry.ruleset),
        "events": str(entry.events),
        "state": progress.words if progress is not None else "unreadable",
        "id": str(entry.encounter),
    }


def _fits(columns: Sequence[str], rows: Sequence[dict[str, str]], names: Sequence[str], width: int) -> bool:
    taken = sum(_GAP + max([len(column), *(len(row[column]) for row in rows)]) for column in columns)
    return taken + min(_NAME, max((Text(name).cell_len for name in names), default=0)) <= width


def _print_table(columns: Sequence[str], names: Sequence[str], rows: Sequence[dict[str, str]]) -> None:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, _GAP, 0, 0))
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
