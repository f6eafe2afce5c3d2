"""Packs on the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cli.render.fields import default_of
from cli.render.text import say
from projections.phrases import counted, or_list
from projections.text import clean
from rules.content.field_reference import Field, summary_of
from rules.content.pack_checks import Report
from rules.engine.ruleset import PackSection


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
