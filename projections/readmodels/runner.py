"""Following the ledger: the library's projection runner over our subscription, until somebody stops it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from eventsourcing.persistence import Mapper, StoredEvent, Tracking
from eventsourcing.projection import BaseProjectionRunner, Projection

from ledger.store import Ledger, PydanticMapper
from projections.readmodels.kept_projections import MANY, KeptProjections
from projections.readmodels.recorder import ReadModels

_URL = "COMBATLOG_DATABASE_URL"


class FollowedLedger(Ledger):
    """The ledger as the library's runner creates it: from an environment."""

    name = Ledger.name

    def __init__(self, env: dict[str, str]) -> None:
        super().__init__(env[_URL])

    def construct_mapper(self) -> Mapper[UUID]:
        """What is announced is not decoded: an event that cannot be read would end the following."""
        return AsStored(transcoder=self.construct_transcoder())


class AsStored(PydanticMapper):
    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        return stored_event


class ReadModelProjection(Projection[ReadModels]):
    """For each event that is announced, brings in everything up to it.

    So it does no harm if another process has brought the event in already, and events that are waiting come in
    together, in one transaction.
    """

    def __init__(self, view: ReadModels, ledger: Ledger) -> None:
        super().__init__(view)
        self._ledger = ledger
        self._position = 0

    def process_event(self, domain_event: Any, tracking: Tracking) -> None:
        if tracking.notification_id > self._position:
            self.view.bring_in(self._ledger)
            self._position = self.view.max_tracking_id(self._ledger.name) or 0


class Follower(BaseProjectionRunner[FollowedLedger]):
    """Keeps the read models current while it runs."""

    def __init__(self, url: str) -> None:
        self._view = ReadModels.open(url)
        self._view.kept = KeptProjections(MANY)
        self._ledger = Ledger(url)
        self._view.catch_up(self._ledger)
        super().__init__(
            projection=ReadModelProjection(self._view, self._ledger),
            application_class=FollowedLedger,
            tracking_recorder=self._view,
            topics=(),
            env={_URL: url},
        )

    def __exit__(self, *raised: Any) -> None:
        try:
            super().__exit__(*raised)
        finally:
            self._ledger.close()
            self._view.datastore.close()
