"""Documents about a ledger as a whole: statistics, imports, and scripts that were played."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from combatlog.documents.fights import events_data

if TYPE_CHECKING:
    from combatlog.documents.shapes import ImportedData, ScriptStep, StatisticData
    from projections.statistics.report import Report
    from rules.content.scenario import Played
    from rules.engine.importing import Imported


def statistics_data(reports: Iterable[Report]) -> list[StatisticData]:
    return [{"title": r.title, "rows": r.records(), "notes": r.notes, "left_out": r.left_out} for r in reports]


def imported_data(done: Imported) -> ImportedData:
    return {
        "encounters": done.encounters,
        "events": done.events,
        "known": done.known,
        "left_out": [
            {"name": left.name, "encounter": str(left.encounter), "why": left.why.value} for left in done.left_out
        ],
        "renamed": [
            {"name": one.name, "new_name": one.new_name, "encounter": str(one.encounter), "new": one.new}
            for one in done.renamed
        ],
    }


def script_data(played: Played) -> ScriptStep:
    return {
        "step": played.number,
        "events": events_data(played.events),
        "refused": played.refusal.code if played.refusal else None,
        "differences": played.differences,
    }
