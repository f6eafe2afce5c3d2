"""Whose time to answer is up. The rules have no clock, so the service looks at one, at the fights that it knows.

It gets to know those in which somebody was asked before it started, or by somebody else; forks only once they are used.
Any number of processes may notice it: what is recorded first counts, and the others find nothing left to decide.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import UUID

from combatlog.rules.engine.refusal import Refusal
from ledger import beginnings
from projections.time_limits import REACTION_TIME, answer_until
from projections.views.seats import GM

if TYPE_CHECKING:
    from combatlog.service.hall import Desk
    from combatlog.service.tables import Table
    from ledger.recorder import LedgerRecorder


class Search:
    """Looks through the ledger for fights that wait for an answer. One that does not is left alone until it goes on."""

    def __init__(self) -> None:
        self._quiet: dict[UUID, int] = {}

    def unknown(self, recorder: LedgerRecorder) -> dict[UUID, int]:
        """Fights with a time limit that may wait for somebody, with the seqs of their last events."""
        return {
            encounter: last
            for encounter, last in beginnings.mentioning(recorder, f'"{REACTION_TIME}"').items()
            if self._quiet.get(encounter) != last
        }

    def get_to_know(self, desk: Desk, encounter: UUID, last: int) -> None:
        with desk.lock:
            table = desk.tables.at(encounter)
            table.catch_up(desk.ledger.store, last)
            battle = table.watch(GM, 0).battle
        if answer_until(battle) is None:
            self._quiet[encounter] = last


def settle_overdue(desk: Desk) -> None:
    """Decide for whoever did not answer in time, at each fight of this desk."""
    for table in tuple(desk.tables.values()):
        if table.is_overdue(datetime.now(UTC)):
            with desk.lock:
                _settle(desk, table)


def _settle(desk: Desk, table: Table) -> None:
    try:
        desk.ledger.backend(table.encounter).time_up()
    except Refusal:
        table.catch_up(desk.ledger.store)  # somebody has answered; or it takes dice that nobody can roll here
        table.give_up_on_overdue()
    else:
        table.catch_up(desk.ledger.store)
