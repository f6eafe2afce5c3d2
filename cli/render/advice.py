"""What fits a combatant's situation, and the history of its resources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from cli.render.paragraph import indented
from cli.render.text import console, say
from projections.phrases import capitalized, name_of
from projections.text import clean

if TYPE_CHECKING:
    from ledger.events import ResourceChanged
    from rules.engine.ruleset import Advice


def print_advice(advice: Sequence[Advice]) -> None:
    """Each choice with its score, where it was measured, and what it leaves; what speaks for and against it below."""
    for entry in advice:
        heading = Text("★ " if entry.recommended else "  ", "bold yellow")
        if entry.score is not None:
            heading.append(f"{entry.score:>5.1f}  ")
        heading.append(clean(entry.choice), _style(entry))
        if entry.score is None and entry.leaves:
            heading.append(f"  leaves {_leaves(entry)}", "default")
        _print_indented(heading, 0)
        if entry.why and (entry.score is not None or entry.recommended or not entry.leaves):
            _print_indented(Text(clean(capitalized(entry.why)), "dim"), 9 if entry.score is not None else 4)
    if any(entry.score is not None for entry in advice) and not any(entry.recommended for entry in advice):
        say("Nothing else is worth doing; end the turn.", "dim")


def _style(entry: Advice) -> str:
    possible = entry.score is not None or bool(entry.leaves)
    return "bold green" if entry.recommended else "" if possible else "dim"


def _leaves(entry: Advice) -> str:
    return ", ".join(f"{amount} {clean(name_of(name))}" for name, amount in entry.leaves.items())


def print_economy(changes: Sequence[ResourceChanged]) -> None:
    """One line each. Columns that would be empty are left out."""
    if not changes:
        say("Nothing has been spent or gained yet.", "dim")
        return
    columns = {
        "event": [str(change.seq) for change in changes],
        "round": [str(change.round) for change in changes],
        "resource": [clean(name_of(change.resource)) for change in changes],
        "change": [f"{change.before} → {change.after}" for change in changes],
        "spent": [str(change.spent or "") for change in changes],
        "locked": [str(change.locked or "") for change in changes],
        "why": [clean(change.why) for change in changes],
    }
    shown = {title: cells for title, cells in columns.items() if any(cells)}
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for title in shown:
        table.add_column(title, justify="right" if title in _NUMBERS else "left", overflow="fold")
    for row in zip(*shown.values(), strict=True):
        table.add_row(*map(Text, row))
    console().print(table)


_NUMBERS = ("event", "round", "change", "spent", "locked")


def _print_indented(text: Text, by: int) -> None:
    console().print(indented(text, by, console().width))
