"""The log: declarations as headings, what followed from each beneath it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.text import Text

from cli.render.text import console
from ledger.events import Commanded, Declared, Event
from projections.phrases import who
from projections.text import clean
from projections.words import in_words

_STYLES = {
    "rolled": "cyan",
    "reaction_window_opened": "magenta",
    "reaction_chosen": "magenta",
    "reaction_used": "magenta",
    "reaction_declined": "magenta",
    "attack_resolved": "bold yellow",
    "damaged": "red",
    "healed": "green",
    "ruled": "bold magenta",
    "chain_modified": "blue",
    "resource_changed": "dim",
    "action_granted": "dim",
    "action_removed": "dim",
    "round_started": "bold",
    "turn_started": "bold",
}


def line(event: Event, *, retracted: bool = False) -> Text:
    """One event as a line: its number, then what happened."""
    is_root = isinstance(event, Commanded)
    style = "bold" if is_root else _STYLES.get(event.kind, "")
    text = Text(f"{event.seq:>5}  ", style="dim")
    text.append("" if is_root else "  ")
    text.append(in_words(event), style=f"{style} strike dim" if retracted else style)
    if isinstance(event, Declared) and event.by not in (event.actor, "system"):
        text.append(f"  (declared by {clean(who(event.by))})", style="dim")
    return text


def print_log(events: Sequence[Event], retracted: Collection[int] = ()) -> None:
    for event in events:
        console().print(line(event, retracted=event.declaration in retracted))
