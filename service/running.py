"""Starting the service: one process, or several workers on one port."""

from __future__ import annotations

import combatlog
from service.logs import log_as_json
from service.metrics import counted_together
from service.settings import Settings

DAYS = 30
"""How long the GM's token lasts that the service prints when it starts."""
_GRACE = 5
"""Seconds that requests may take to end once the service was told to stop."""


def gm_token(database: str | None) -> str:
    """A new token for a GM's seat at all fights."""
    with combatlog.open(database) as ledger:
        return ledger.seats.invite("gm", name=None, days=DAYS).token


def serve(settings: Settings, host: str, port: int, workers: int) -> None:
    """Run until somebody stops it."""
    import uvicorn

    settings.publish()
    log_as_json()
    with counted_together(workers):
        uvicorn.run(
            "service.app:create_worker",
            factory=True,
            host=host,
            port=port,
            workers=workers,
            access_log=False,
            log_config=None,
            server_header=False,
            timeout_graceful_shutdown=_GRACE,
            timeout_keep_alive=30,
        )
