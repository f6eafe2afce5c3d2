"""What was chosen and why, and what many fights came to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from cli.render.log import print_log
from cli.render.table import plain_table
from cli.render.text import console
from projections.phrases import counted
from projections.text import clean

if TYPE_CHECKING:
    from rules.autoplay.auto import Played
    from rules.autoplay.simulate import Result
    from rules.autoplay.summary import Range, Summary


def print_played(step: Played, *, quiet: bool) -> None:
    text = Text(f"{clean(step.who)}: {clean(step.what)}", style="bold green")
    text.append(f"  ({clean(step.why)})", style="dim")
    console().print(text)
    if not quiet:
        print_log(step.events)


def progress(results: Iterator[Result], total: int, *, quiet: bool) -> Iterator[Result]:
    """The results as they come, with a bar on standard error while they do."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    shown = console(stderr=True)
    columns = (TextColumn("Fighting"), BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=shown, disable=quiet or not shown.is_terminal, transient=True) as bar:
        task = bar.add_task("", total=total)
        for result in results:
            bar.advance(task)
            yield result


def print_summary(summary: Summary) -> None:
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


def _numbers(found: Range) -> tuple[str, str, str, str]:
    return f"{found.mean:.1f}", f"{found.least:g}", f"{found.middle:g}", f"{found.most:g}"
