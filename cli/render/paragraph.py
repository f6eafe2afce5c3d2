"""Text that is wrapped to the width there is."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text


def indented(text: Text, by: int, width: int) -> Table:
    """A paragraph that is wrapped, all of it indented."""
    table = Table.grid()
    table.add_column(width=by)
    table.add_column(width=max(1, width - by), overflow="fold")
    table.add_row("", text)
    return table
