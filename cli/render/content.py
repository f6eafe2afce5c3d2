"""Print what actions take, the contents and problems of packs and libraries, and creatures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from cli.render.terminal import console, say
from cli.render.text_tables import plain_table
from combatlog.rules.content.bestiary import LibraryEntry, LibraryReport, Wiring
from combatlog.rules.content.pack_files import PackCheck
from combatlog.rules.content.reference import ReferenceEntryKind, ReferenceField, summary_of
from combatlog.rules.engine.options_and_validation import Part
from combatlog.rules.engine.ruleset_types import PackSection
from projections.story.phrases import or_list
from projections.story.text import clean, counted

if TYPE_CHECKING:
    from combatlog import PackImport
    from combatlog.messages.message import Message
    from combatlog.rules.content.bestiary import Card, Creature, Difficulty, MappingCount
    from combatlog.rules.content.reference import ReferenceEntry, ReferenceField


FLAGS = {Part.TARGET: "--target", Part.DESTINATION: "--to", Part.WEAPON: "--with"}
_PARTS = {
    Part.TARGET: ("--target COMBATANT", "target; repeat it for several"),
    Part.DESTINATION: ("--to COLUMN,ROW", "the square it goes to"),
    Part.WEAPON: ("--with WEAPON", "which of its weapons to use"),
}
_TITLES = {
    ReferenceEntryKind.ACTION: "Actions: combatlog do ENCOUNTER COMBATANT ACTION",
    ReferenceEntryKind.REACTION: "Reactions: combatlog react ENCOUNTER COMBATANT REACTION",
    ReferenceEntryKind.CORE_ACTION: "Under any rules: combatlog COMMAND ENCOUNTER",
    ReferenceEntryKind.ENCOUNTER: "The encounter: combatlog new NAME",
}
UNDECLARED = "These rules do not say what it takes; any option is recorded."


def print_reference(entries: Sequence[ReferenceEntry]) -> None:
    """All entries, one line each."""
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


def in_short(entry: ReferenceEntry) -> str:
    """The flags and options that it takes, by name."""
    if entry.kind is ReferenceEntryKind.CORE_ACTION:
        return ""  # each is a command with its own flags
    options = [f"-o {option.name}" for option in entry.options]
    return " ".join([*(FLAGS[part] for part in entry.parts), *options])


def print_entries(entries: Iterable[ReferenceEntry]) -> None:
    """Each entry with everything that it takes."""
    for entry in entries:
        say(clean(entry.name), "bold", end="")
        say(f"  {entry.kind.value}, {clean(entry.ref)}", "dim")
        if entry.about:
            say(f"  {clean(entry.about)}")
        print_takes(entry, "  ")
        if entry.kind is ReferenceEntryKind.CORE_ACTION:
            say(f"  On the command line: combatlog {entry.name} --help", "dim")
        elif entry.is_declared and not (entry.parts or entry.options):
            say("  It takes no options.", "dim")


def print_takes(entry: ReferenceEntry, indent: str) -> None:
    """The parts and options of an entry, one line each, as they are typed."""
    if not entry.is_declared:
        say(f"{indent}{UNDECLARED}", "dim")
        return
    said = "" if entry.kind is ReferenceEntryKind.CORE_ACTION else "--option "
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
    from combatlog.message_reference import described

    table = _grid()
    for kind in kinds:
        told = described(kind)
        table.add_row(Text(told["name"], style="green"), told["summary"])
    console().print(table)
    say("`combatlog reference NAME --messages` shows the fields of one.", "dim")


def print_message(kind: type[Message]) -> None:
    """With its fields, who may send it, and where."""
    from combatlog.message_reference import described, fields_of

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


def default_of(field: ReferenceField) -> str:
    """The default in parentheses; empty if it is an empty value."""
    if field.required:
        return " (required)"
    value = field.default
    if value is None or isinstance(value, list | dict | tuple) or value == "":
        return ""
    return f" (default: {str(value).lower() if isinstance(value, bool) else clean(value)})"


def print_pack(report: PackCheck) -> None:
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


def print_form(section: str, archetype: str, summary: str, fields: Iterable[ReferenceField]) -> None:
    title = f"{section}.yaml" + (f", archetype: {archetype}" if archetype else "")
    say(title, "bold", end="")
    say(f" - {summary}" if summary else "")
    _print_fields(fields, "  ")


def _print_fields(fields: Iterable[ReferenceField], indent: str) -> None:
    for field in fields:
        say(f"{indent}{field.name}: ", "cyan" if field.required else None, end="")
        say(f"{field.takes}{default_of(field)}{f' - {field.note}' if field.note else ''}")
        _print_fields(field.parts, f"{indent}    ")


_STYLES = {Wiring.WIRED: "green", Wiring.PARTIAL: "yellow", Wiring.UNWIRED: "red"}


def print_abilities(entries: Sequence[LibraryEntry]) -> None:
    table = plain_table("ability", "type", "status", "what it says")
    for entry in entries:
        status = Text(entry.status.value, style=_STYLES[entry.status])
        table.add_row(clean(entry.id), entry.type, status, clean(entry.label))
    console().print(table)
    counts = [f"{sum(entry.status is status for entry in entries)} {status.value}" for status in Wiring]
    say(f"{counted(len(entries), 'ability', 'abilities')}: {', '.join(counts)}", "dim")


def print_ability(entry: LibraryEntry) -> None:
    say(f"{clean(entry.id)} ({entry.type}): {entry.status.value}", "bold")
    say(f"  “{clean(entry.label)}”", "italic")
    for part in entry.parts:
        value = "" if part.value is None else f" {clean(json.dumps(part.value, ensure_ascii=False))}"
        say(f"  {clean(part.name)}{value}: {clean(part.does)}", "green" if part.by_engine else "yellow")


def print_library(report: LibraryReport) -> None:
    for finding in report.problems:
        say(clean(finding.sentence), "red")
    if report.problems:
        say(f"{counted(len(report.problems), 'problem')}; the file cannot be used.", "bold red")
        return
    for entry in report.entries:
        print_ability(entry)
    unknown = [f"{name} ({ability})" for ability, name in report.unknown]
    total = counted(len(report.entries), "ability", "abilities")
    say(f"\n{total}." + (f" Unknown properties: {clean(', '.join(unknown))}." if unknown else ""), "bold")


def print_left_out(report: LibraryReport) -> None:
    """The broken entries of a library file, and a note that the rest can be used."""
    for finding in report.left_out:
        say(clean(finding.sentence), "red")
    if broken := {finding.ability for finding in report.left_out}:
        say(f"{counted(len(broken), 'broken entry', 'broken entries')} left out; the rest can be used.", "bold red")


SHOWN = 12
"""How many unmapped names are shown for each kind; `--json` has all of them."""
_FRACTIONS = {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}


def challenge(cr: float | None) -> str:
    return "-" if cr is None else _FRACTIONS.get(cr, f"{cr:g}")


def print_creatures(creatures: Sequence[Creature]) -> None:
    from rich.table import Table

    if not creatures:
        say("No creature matches.")
        return
    table = Table(box=None, pad_edge=False, show_edge=False)
    for title in ("CR", "XP", "creature", "type", "size", "AC", "HP"):
        table.add_column(title, justify="right" if title in ("CR", "XP", "AC", "HP") else "left", overflow="fold")
    for one in creatures:
        xp = "-" if one.xp is None else f"{one.xp:,}"
        armor = "-" if one.ac is None else str(one.ac)
        table.add_row(challenge(one.cr), xp, clean(one.id), clean(one.type), clean(one.size), armor, str(one.hp))
    console().print(table)
    origins = Counter(one.origin for one in creatures)
    say(", ".join(f"{number} from {clean(origin)}" for origin, number in origins.items()) + ".", "dim")


def print_card(card: Card) -> None:
    say(clean(card.creature.name), "bold", end="")
    say(f" - {clean(card.creature.size)} {clean(card.creature.type)}")
    for line in card.figures:
        say(f"{line.name} ", "cyan", end="")
        say(clean(line.text))
    for title, lines in card.sections:
        say(f"\n{title}", "bold")
        for line in lines:
            say(f"  {clean(line.name)}", "cyan", end="")
            say(f": {clean(line.text)}" if line.text else "")
    if card.source:
        say(f"\n{clean(card.source)}", "dim")


def print_difficulty(found: Difficulty) -> None:
    levels = ", ".join(map(str, found.levels))
    say(f"{found.rating} ", "bold", end="")
    say(f"for {counted(len(found.levels), 'character')} of {'level' if len(found.levels) == 1 else 'levels'} {levels}")
    say(f"{counted(len(found.foes), 'foe')}: {found.xp:,} XP × {found.multiplier:g} = {found.adjusted:,} XP")
    say("from " + ", ".join(f"{limit:,} {name}" for name, limit in found.thresholds.items()))
    if found.without_xp:
        say(f"Left out, as their sheets say nothing about XP: {clean(', '.join(found.without_xp))}.", "yellow")


def print_import(done: PackImport) -> None:
    say(f"{clean(done.folder)}: {counted(done.creatures, 'creature')}, {counted(done.spells, 'spell')}", "bold")
    for tally in done.tallies:
        if tally.total:
            say(f"  {tally.kind}: {_summed_up(tally)}")
    for kind in dict.fromkeys(one.kind for one in done.unmapped):
        _print_left(done, kind)
    for line in done.unusable:
        say(f"  {clean(line.name)} cannot be used: {clean(line.text)}", "red")
    say(clean(done.source), "dim")


def _summed_up(tally: MappingCount) -> str:
    partly = f" ({tally.in_part} of them in part)" if tally.in_part else ""
    beside = (
        f"; {tally.no_bearing} more {'has' if tally.no_bearing == 1 else 'have'} no bearing on a fight"
        if tally.no_bearing
        else ""
    )
    return f"{tally.mapped + tally.in_part} of {tally.total} mapped{partly}, {100 * tally.share:.0f} %{beside}"


def _print_left(done: PackImport, kind: str) -> None:
    names = Counter(one.name for one in done.unmapped if one.kind == kind and not one.in_part)
    if not names:
        return
    listed = [clean(name) if number == 1 else f"{clean(name)} ({number})" for name, number in names.most_common(SHOWN)]
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    say(f"  Left to the GM, {kind}: {', '.join(listed)}{more}.", "yellow")
