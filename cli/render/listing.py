"""A page of the encounters in a ledger, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from cli.render.text import console, say
from projections.phrases import counted
from projections.text import clean

if TYPE_CHECKING:
    from ledger.listing import Listed, Page


def print_page(page: Page) -> None:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("name", "ruleset", "opened", "events", "id"):
        table.add_column(title, overflow="fold", no_wrap=title != "name")
    for entry in page:
        when = f"{entry.begun:%Y-%m-%d %H:%M}" if entry.begun else ""
        table.add_row(_marked(entry), entry.ruleset, when, str(entry.events), str(entry.encounter))
    console().print(table)
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
