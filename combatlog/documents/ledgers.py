"""Documents about a ledger as a whole: statistics, imports, and scripts that were played."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from combatlog.documents.fights import events_data
from combatlog.documents.written import written

if TYPE_CHECKING:
    from combatlog.documents.shapes import ScriptStep
    from projections.statistics.report import Report, StatisticData
    from rules.content.scenario import Played
    from rules.engine.importing import Imported


def statistics_data(reports: Iterable[Report]) -> list[StatisticData]:
    return [report.as_data() for report in reports]


def imported_data(done: Imported) -> Any:
    return written(done)


def script_data(played: Played) -> ScriptStep:
    return {
        "step": played.number,
        "events": events_data(played.events),
        "refused": played.refusal.code if played.refusal else None,
        "differences": played.differences,
    }
