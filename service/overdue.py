"""Whose time to answer is up. The rules have no clock, so the service looks at one, at the fights that it knows.

Any number of processes may notice it: what is recorded first counts, and the others find nothing left to decide.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from combatlog import RecordedFight
from rules.engine.refusal import Refusal

if TYPE_CHECKING:
    from service.hall import Desk
    from service.tables import Table


def settle_overdue(desk: Desk) -> None:
    """Decide for whoever did not answer in time, at each fight of this desk."""
    for table in tuple(desk.tables.values()):
        if table.is_overdue(datetime.now(UTC)):
            with desk.lock:
                _settle(desk, table)


def _settle(desk: Desk, table: Table) -> None:
    try:
        RecordedFight(desk.ledger, table.encounter).time_up()
    except Refusal:
        table.catch_up(desk.ledger.store)  # somebody has answered; or it takes dice that nobody can roll here
        table.give_up_on_overdue()
    else:
        table.catch_up(desk.ledger.store)
