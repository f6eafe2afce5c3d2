"""Follow the ledger: the library's projection runner over our subscription, until it is stopped."""

from __future__ import annotations

import json
from time import monotonic
from typing import Any
from uuid import UUID

from eventsourcing.persistence import Mapper, StoredEvent, Tracking
from eventsourcing.projection import BaseProjectionRunner, Projection

from ledger.store.ledger import LedgerStore, PydanticMapper
from ledger.store.positions import LogPosition, has_reached, position_includes
from projections.readmodels.recorder import ReadModels
from projections.readmodels.row_projection import MOST_KEPT, KeptProjections

_URL = "COMBATLOG_DATABASE_URL"
_PAUSE = 0.05
_AFTER = "COMBATLOG_FOLLOWED"
"""The position of the read models, as JSON. The library itself knows of one node only."""


class FollowedLedger(LedgerStore):
    """The ledger as the library's runner creates it: from an environment."""

    name = LedgerStore.name

    def __init__(self, env: dict[str, str]) -> None:
        super().__init__(env[_URL])
        self.recorder.followed = {int(node): last for node, last in json.loads(env[_AFTER]).items()}

    def construct_mapper(self) -> Mapper[UUID]:
        """Announced events are not decoded: one that cannot be read would end the runner."""
        return AsStored(transcoder=self.construct_transcoder())


class AsStored(PydanticMapper):
    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        return stored_event


class ReadModelProjection(Projection[ReadModels]):
    """For each announced event, brings in everything up to it.

    So events that another process has already brought in do no harm, and events that are waiting come in together, in
    one transaction.
    """

    def __init__(self, view: ReadModels, ledger: LedgerStore) -> None:
        super().__init__(view)
        self._ledger = ledger
        self._position: LogPosition = {}

    def process_event(self, domain_event: Any, tracking: Tracking) -> None:
        if not position_includes(self._position, tracking.notification_id):
            self.view.bring_in(self._ledger)
            self._position = self.view.position(self._ledger)


class ReadModelFollower(BaseProjectionRunner[FollowedLedger]):
    """Keeps the read models current while it runs."""

    def __init__(self, url: str) -> None:
        self._view = ReadModels.open(url)
        self._view.kept = KeptProjections(MOST_KEPT)
        self._ledger = LedgerStore(url)
        self._view.catch_up(self._ledger)
        super().__init__(
            projection=ReadModelProjection(self._view, self._ledger),
            application_class=FollowedLedger,
            tracking_recorder=self._view,
            topics=(),
            env={_URL: url, _AFTER: json.dumps(self._view.position(self._ledger))},
        )

    def wait_for(self, position: LogPosition, timeout: float) -> None:
        """Wait until everything up to a position is in the read models."""
        end = monotonic() + timeout
        while not has_reached(self._view.position(self._ledger), position):
            if self._is_interrupted.wait(_PAUSE) and self._thread_error is not None:
                raise self._thread_error
            if monotonic() > end:
                raise TimeoutError(f"the read models have not come to {dict(position)}")

    def __exit__(self, *raised: Any) -> None:
        try:
            super().__exit__(*raised)
        finally:
            self._ledger.close()
            self._view.datastore.close()
