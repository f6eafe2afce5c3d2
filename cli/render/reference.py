"""What actions take, and what packs can be made of and what is wrong with them, on the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from cli.render.text import console, say
from projections.phrases import counted, or_list
from projections.text import clean
from rules.content.action_reference import EntryKind
from rules.content.field_reference import Field, summary_of
from rules.content.pack_checks import Report
from rules.engine.options import Part
from rules.engine.ruleset import PackSection

if TYPE_CHECKING:
    from combatlog.messages.message import Message
    from rules.content.action_reference import Entry
    from rules.content.field_reference import Field

FLAGS = {Part.TARGET: "--target", Part.DESTINATION: "--to", Part.WEAPON: "--with"}
_PARTS = {
    Part.TARGET: ("--target COMBATANT", "whom it is aimed at; repeat it for several"),
    Part.DESTINATION: ("--to COLUMN,ROW", "the square it goes to"),
    Part.WEAPON: ("--with WEAPON", "which of its weapons to use"),
}
_TITLES = {
    EntryKind.ACTION: "Actions: combatlog do ENCOUNTER COMBATANT ACTION",
    EntryKind.REACTION: "Reactions: combatlog react ENCOUNTER COMBATANT REACTION",
    EntryKind.CORE_ACTION: "Under any rules: combatlog COMMAND ENCOUNTER",
    EntryKind.ENCOUNTER: "The encounter: combatlog new NAME",
}
UNDECLARED = "These rules do not say what it takes; whatever is said is recorded."


def print_reference(entries: Sequence[Entry]) -> None:
    """Everything there is, one line each."""
    for kind, title in _TITLES.items():
        say(title, "bold")
        shown = [entry for entry in entries if entry.kind is kind]
        table = _grid()
        table.add_column()
        table.add_column(min_width=max(len(entry.name) for entry in shown), style="green")
        for entry in shown:
            table.add_row("", clean(entry.name), Text(in_short(entry), style="cyan"), entry.about)
        console().print(table)
    say("`combatlog reference NAME` shows the options of one.", "dim")
    say("`combatlog reference --messages` lists what programs send.", "dim")


def in_short(entry: Entry) -> str:
    """The flags and options that it takes, by name."""
    if entry.kind is EntryKind.CORE_ACTION:
        return ""  # each is a command of its own, with flags of its own
    options = [f"-o {option.name}" for option in entry.options]
    return " ".join([*(FLAGS[part] for part in entry.parts), *options])


def print_entries(entries: Iterable[Entry]) -> None:
    """Each with everything that it takes."""
    for entry in entries:
        say(clean(entry.name), "bold", end="")
        say(f"  {entry.kind.value}, {clean(entry.ref)}", "dim")
        if entry.about:
            say(f"  {clean(entry.about)}")
        print_takes(entry, "  ")
        if entry.kind is EntryKind.CORE_ACTION:
            say(f"  On the command line: combatlog {entry.name} --help", "dim")
        elif entry.is_declared and not (entry.parts or entry.options):
            say("  It takes no options.", "dim")


def print_takes(entry: Entry, indent: str) -> None:
    """The parts and options of an entry, one line each, as they are typed."""
    if not entry.is_declared:
        say(f"{indent}{UNDECLARED}", "dim")
        return
    said = "" if entry.kind is EntryKind.CORE_ACTION else "--option "
    table = _grid()
    for part in entry.parts:
        flag, meaning = _PARTS[part]
        table.add_row(indent[:-2], Text(flag, style="cyan"), meaning)
    for option in entry.options:
        meaning = f"{option.takes}{default_of(option)}{f': {option.note}' if option.note else ''}"
        table.add_row(indent[:-2], Text(f"{said}{option.name}=", style="cyan"), clean(meaning))
    if table.row_count:
        console().print(table)


def print_messages(kinds: Sequence[type[Message]]) -> None:
    """Every message, one line each."""
    from combatlog.catalogue import described

    table = _grid()
    for kind in kinds:
        told = described(kind)
        table.add_row(Text(told["name"], style="green"), told["summary"])
    console().print(table)
    say("`combatlog reference NAME --messages` shows the fields of one.", "dim")


def print_message(kind: type[Message]) -> None:
    """With its fields, who may send it, and where."""
    from combatlog.catalogue import described, fields_of

    told = described(kind)
    say(told["name"], "bold", end="")
    say(f"  {told['method']} {told['address']}", "dim")
    say(f"  {' '.join(filter(None, (told['summary'], told['about'])))}")
    say(f"  It takes a seat that may {told['right']}.", "dim")
    table = _grid()
    for field in fields_of(kind):
        default = f" (default: {field.default})" if field.default is not None else ""
        such = f", such as {json.dumps(field.example)}" if field.example is not None else ""
        meaning = f"{field.takes}{' (required)' if field.required else default}: {field.meaning}{such}"
        table.add_row("", Text(field.name, style="cyan"), clean(meaning))
    console().print(table)


def _grid() -> Table:
    return Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))


def default_of(field: Field) -> str:
    """What is so if nobody says anything, in parentheses; nothing where that is simply nothing."""
    if field.required:
        return " (required)"
    value = field.default
    if value is None or isinstance(value, list | dict | tuple) or value == "":
        return ""
    return f" (default: {str(value).lower() if isinstance(value, bool) else clean(value)})"


def print_report(report: Report) -> None:
    say(clean(report.name), "bold")
    for section, names in report.brings.items():
        say(f"  {clean(section)}: {clean(', '.join(names))}")
    for finding in report.findings:
        say(f"  {clean(finding.sentence)} [{finding.code}]", "red")
        if finding.suggestions:
            say(f"    Did you mean {clean(or_list(finding.suggestions))}?", "dim")
    if report.unchecked:
        say(f"  Not checked until the files they refer to can be read: {clean(', '.join(report.unchecked))}.", "yellow")
    if report.findings:
        say(f"  {counted(len(report.findings), 'problem')}; the pack cannot be used.", "bold red")
    else:
        say("  No problems.", "green")


def print_sections(ruleset: str, sections: Sequence[PackSection]) -> None:
    say(f"A pack for {ruleset} has sheets/NAME.yaml or creatures/NAME.yaml, and can have:")
    for section in sections:
        say(f"\n{section.name}.yaml", "bold", end="")
        say(f" - {section.about}")
        for archetype, model in section.forms.items():
            if archetype:
                say(f"  archetype: {archetype}", "cyan", end="")
                say(f" - {summary_of(model)}")
    say("\n`combatlog pack archetypes NAME` shows the options of one; docs/packs.md has examples.", "dim")


def print_form(section: str, archetype: str, summary: str, fields: Iterable[Field]) -> None:
    title = f"{section}.yaml" + (f", archetype: {archetype}" if archetype else "")
    say(title, "bold", end="")
    say(f" - {summary}" if summary else "")
    _print_fields(fields, "  ")


def _print_fields(fields: Iterable[Field], indent: str) -> None:
    for field in fields:
        say(f"{indent}{field.name}: ", "cyan" if field.required else None, end="")
        say(f"{field.takes}{default_of(field)}{f' - {field.note}' if field.note else ''}")
        _print_fields(field.parts, f"{indent}    ")
