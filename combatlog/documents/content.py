"""Documents about content: what actions take, creatures, and packs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from combatlog.documents.written import written

if TYPE_CHECKING:
    from combatlog.documents.shapes import ArchetypeData, EntryData, OptionData, PackReport
    from rules.content.action_reference import Entry
    from rules.content.bestiary import Card
    from rules.content.field_reference import Field
    from rules.content.pack_checks import Report
    from rules.engine.ruleset import Ruleset


def field_data(field: Field) -> OptionData:
    return {
        "name": field.name,
        "required": field.required,
        "takes": field.takes,
        "values": list(field.values),
        "default": field.default,
        "about": field.note,
        "options": [field_data(part) for part in field.parts],
    }


def entry_data(entry: Entry) -> EntryData:
    return {
        "kind": entry.kind.value,
        "name": entry.name,
        "ref": entry.ref,
        "about": entry.about,
        "declared": entry.is_declared,
        "parts": [part.value for part in entry.parts],
        "options": [field_data(option) for option in entry.options],
    }


def card_data(card: Card) -> Any:
    return written(card)


def pack_report_data(report: Report) -> PackReport:
    return {
        "pack": report.name,
        "brings": report.brings,
        "problems": [
            {
                "where": finding.where,
                "code": finding.code,
                "problem": finding.problem,
                "suggestions": list(finding.suggestions),
            }
            for finding in report.findings
        ],
        "unchecked": report.unchecked,
    }


def archetypes_data(rules: Ruleset, name: str | None) -> list[ArchetypeData]:
    """What the entries of a pack can be: all of them, or those of this name."""
    from rules.content.field_reference import fields_of, forms_called, summary_of

    return [
        {
            "section": section,
            "archetype": archetype or None,
            "about": summary_of(model),
            "options": [field_data(field) for field in fields_of(model)],
        }
        for section, archetype, model in forms_called(rules.pack_sections(), name)
    ]
