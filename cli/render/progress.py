"""A bar that shows how far a long command is; only on a terminal, and never in what is piped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

_PAUSE = 0.05


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Gives a function to call with how much of how much is done."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from cli.render.text import console

    err = console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task(what, total=None)
        shown = 0.0

        def show(done: int, total: int) -> None:
            nonlocal shown
            if (now := monotonic()) - shown >= _PAUSE:  # it may be called for every single event
                shown = now
                progress.update(task, completed=done, total=total)

        yield show
