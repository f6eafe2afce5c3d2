"""What a combatant can do, and the history of its resources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from cli.render.text import console, say
from projections.text import clean

if TYPE_CHECKING:
    from ledger.events import ResourceChanged
    from rules.engine.ruleset import Advice, Choice, Section


def print_menu(sections: Sequence[Section]) -> None:
    for section in sections:
        say(section.title, "bold")
        if not section.choices:
            say("  none", "dim")
            continue
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2))
        for choice in section.choices:
            table.add_row("", _name(choice), clean(choice.cost), _note(choice))
        console().print(table)


def _name(choice: Choice) -> Text:
    return Text(clean(choice.name.replace("_", " ")), style="dim" if choice.why_not else "bold green")


def _note(choice: Choice) -> Text:
    if choice.why_not:
        return Text(f"not now: {clean(choice.why_not)}", style="yellow")
    return Text(clean(choice.note), style="dim")


def print_advice(advice: Sequence[Advice]) -> None:
    """The choices with what they leave, and with their scores where they were measured."""
    if any(entry.score is not None for entry in advice):
        _print_ranked(advice)
        return
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2))
    for entry in advice:
        mark = Text("★" if entry.recommended else " ", style="bold yellow")
        leaves = ", ".join(f"{amount} {name.replace('_', ' ')}" for name, amount in entry.leaves.items())
        why = entry.why if entry.recommended or not entry.leaves else ""
        name = Text(clean(entry.choice), style="bold green" if entry.leaves else "dim")
        table.add_row(mark, name, f"leaves {leaves}" if leaves else "", clean(why))
    console().print(table)


def _print_ranked(advice: Sequence[Advice]) -> None:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for title in ("", "score", "choice", "what speaks for and against it"):
        table.add_column(title, justify="right" if title == "score" else "left", overflow="fold")
    for entry in advice:
        mark = Text("★" if entry.recommended else " ", style="bold yellow")
        name = Text(clean(entry.choice), style="bold green" if entry.recommended else "")
        table.add_row(mark, f"{entry.score or 0:.1f}", name, Text(clean(entry.why), style="dim"))
    console().print(table)
    if not any(entry.recommended for entry in advice):
        say("Nothing is left that is worth doing: end the turn.", "dim")


def print_economy(changes: Sequence[ResourceChanged]) -> None:
    if not changes:
        say("Nothing was spent or gained yet.", "dim")
        return
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("event", "round", "resource", "from", "to", "spent", "locked", "why"):
        table.add_column(title, justify="right" if title in ("event", "round", "from", "to") else "left")
    for change in changes:
        table.add_row(
            str(change.seq),
            str(change.round),
            change.resource.replace("_", " "),
            str(change.before),
            str(change.after),
            str(change.spent or ""),
            str(change.locked or ""),
            clean(change.why),
        )
    console().print(table)
