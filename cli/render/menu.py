"""Print what a combatant can do now and with what effect, the advice, and changes of its resources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cli.render.content import in_short, print_takes
from cli.render.terminal import console, say
from cli.render.text_tables import indented
from combatlog.rules.content.reference import MenuSection, ReferenceEntry
from combatlog.rules.engine.ruleset_types import Advice, Choice, ChoiceEffect, ChoiceSection
from ledger.events import ResourceChanged
from projections.story.phrases import capitalized, name_of
from projections.story.text import clean


def print_menu(
    sections: Sequence[ChoiceSection], entries: Mapping[str, ReferenceEntry], *, in_full: bool = False
) -> None:
    """Print the possible choices by section, then the others by the reason why not.

    With `in_full`, everything that a choice takes is printed below it.
    """
    for section in sections:
        possible = [choice for choice in section.choices if not choice.why_not]
        if possible:
            say(capitalized(section.title), "bold")
            _print_choices(possible, entries, in_full=in_full)
    _print_impossible(sections, entries, in_full=in_full)


def narrowed(sections: Sequence[MenuSection], name: str) -> list[MenuSection]:
    """Only the choices with this name."""
    found = [
        section.model_copy(update={"choices": [choice for choice in section.choices if choice.name == name]})
        for section in sections
    ]
    return [section for section in found if section.choices]


def _print_impossible(
    sections: Sequence[ChoiceSection], entries: Mapping[str, ReferenceEntry], *, in_full: bool
) -> None:
    """Each reason once, with all choices that it rules out."""
    by_reason: dict[str, list[Choice]] = {}
    for choice in (choice for section in sections for choice in section.choices if choice.why_not):
        by_reason.setdefault(choice.why_not or "", []).append(choice)
    if by_reason:
        say("Not now", "bold")
    for reason, choices in by_reason.items():
        _print_indented(Text(clean(capitalized(reason)), "yellow"), 2)
        if in_full:
            _print_choices(choices, entries, in_full=True)
        else:
            names = dict.fromkeys(choice.name for choice in choices)
            _print_indented(Text(clean(", ".join(names)), "dim"), 4)


def _print_choices(choices: Sequence[Choice], entries: Mapping[str, ReferenceEntry], *, in_full: bool) -> None:
    name_width = min(_LONGEST_NAME, max(cell_len(clean(choice.name)) for choice in choices))
    for choice in choices:
        entry = entries.get(choice.name)
        _print_heading(choice, "" if in_full or entry is None else in_short(entry), name_width)
        _print_about(choice)
        if in_full and entry is not None:
            print_takes(entry, "      ")


_LONGEST_NAME = 24


def _print_heading(choice: Choice, takes: str, name_width: int) -> None:
    """The name as it is typed, then what it costs and takes; long cells are wrapped in their columns."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(width=name_width + 2, overflow="fold")
    table.add_column(overflow="fold")
    name = Text(clean(choice.name), "dim" if choice.why_not else "bold green")
    price = Text("  ").join(filter(None, (Text(clean(choice.cost)), Text(takes, "cyan"))))
    table.add_row(Padding(name, (0, 0, 0, 2)), price)
    console().print(table)


def _print_about(choice: Choice) -> None:
    if choice.note and not choice.why_not:
        _print_indented(Text(clean(choice.note), "dim"), 6)
    for effect in choice.effects:
        _print_indented(Text(clean(effect_in_words(effect))), 6)


def effect_in_words(effect: ChoiceEffect) -> str:
    """`longsword: +5 to hit, 1d8+3 slashing, 5 ft; in reach: snig 55 %`."""
    parts = (
        f"{effect.to_hit} to hit" if effect.to_hit else "",
        effect.damage,
        effect.save,
        f"heals {effect.healing}" if effect.healing else "",
        name_of(effect.condition) if effect.condition else "",
        effect.range,
    )
    does = ", ".join(filter(None, parts))
    weapon = f"{effect.weapon}: " if effect.weapon else ""
    return weapon + "; ".join(filter(None, (does, _in_reach(effect))))


def _in_reach(effect: ChoiceEffect) -> str:
    if effect.in_reach is None:
        return ""
    if not effect.in_reach:
        return "nobody in reach"
    chances = [f" {one.chance:.0%}" if one.chance is not None else "" for one in effect.in_reach]
    return "in reach: " + ", ".join(f"{one.who}{chance}" for one, chance in zip(effect.in_reach, chances, strict=True))


def _print_indented(text: Text, by: int) -> None:
    console().print(indented(text, by, console().width))


def print_advice(advice: Sequence[Advice]) -> None:
    """Each choice with its score, if it has one, and what it leaves; the reasons for and against go below."""
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
