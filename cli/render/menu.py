"""What a combatant can do, and the history of its resources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from cli.render.reference import entry_data, print_takes
from cli.render.text import console, say
from projections.text import clean

if TYPE_CHECKING:
    from ledger.events import ResourceChanged
    from rules.content.action_reference import Entry
    from rules.engine.ruleset import Advice, Choice, Section


def print_menu(sections: Sequence[Section], takes: Mapping[str, Entry] | None = None) -> None:
    """The menu; given what each action takes, by name, with that below each."""
    common = _common_obstacle(sections)
    if common:
        say(f"Not now: {clean(common)}", "yellow")
    for section in sections:
        say(section.title, "bold")
        if not section.choices:
            say("  none", "dim")
        elif takes is None:
            _print_choices(section.choices, common)
        else:
            for choice in section.choices:
                _print_choices([choice], common)
                if choice.name in takes:
                    print_takes(takes[choice.name], "      ")


def narrowed(sections: Sequence[Section], name: str) -> list[Section]:
    """Only what is called so."""
    found = [
        section.model_copy(update={"choices": [choice for choice in section.choices if choice.name == name]})
        for section in sections
    ]
    return [section for section in found if section.choices]


def _common_obstacle(sections: Sequence[Section]) -> str | None:
    """What keeps a combatant from most of its menu; it is said once."""
    obstacles = Counter(choice.why_not for section in sections for choice in section.choices if choice.why_not)
    obstacle, count = obstacles.most_common(1)[0] if obstacles else (None, 0)
    return obstacle if count > 2 else None


def _print_choices(choices: Sequence[Choice], common: str | None) -> None:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2))
    for choice in choices:
        table.add_row("", _name(choice), clean(choice.cost), _note(choice, common))
    console().print(table)


def _name(choice: Choice) -> Text:
    """As it is typed, so that it can be."""
    return Text(clean(choice.name), style="dim" if choice.why_not else "bold green")


def _note(choice: Choice, common: str | None) -> Text:
    if choice.why_not:
        return Text("not now" if choice.why_not == common else f"not now: {clean(choice.why_not)}", style="yellow")
    return Text(clean(choice.note), style="dim")


def menu_data(sections: Sequence[Section], takes: Mapping[str, Entry] | None) -> list[dict[str, Any]]:
    data = [section.model_dump() for section in sections]
    for choice in (choice for section in data for choice in section["choices"] if takes is not None):
        choice["takes"] = entry_data(takes[choice["name"]]) if takes and choice["name"] in takes else None
    return data


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
    for title in ("", "score", "choice", "for and against it"):
        table.add_column(title, justify="right" if title == "score" else "left", overflow="fold")
    for entry in advice:
        mark = Text("★" if entry.recommended else " ", style="bold yellow")
        name = Text(clean(entry.choice), style="bold green" if entry.recommended else "")
        table.add_row(mark, f"{entry.score or 0:.1f}", name, Text(clean(entry.why), style="dim"))
    console().print(table)
    if not any(entry.recommended for entry in advice):
        say("Nothing else is worth doing; end the turn.", "dim")


def print_economy(changes: Sequence[ResourceChanged]) -> None:
    if not changes:
        say("Nothing has been spent or gained yet.", "dim")
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
