"""Answer requests for the state of a fight from memory, if it is known and current.

Any unusual request is left to the route.
"""

from __future__ import annotations

import re
from typing import ClassVar
from uuid import UUID

from starlette.types import ASGIApp, Receive, Scope, Send

from combatlog.messages.rights import Right, has
from combatlog.seats import HeldSeat
from combatlog.service.responses import TIME, clock
from combatlog.service.runtime import Runtime
from ledger.store.ledger import encounter_id

_STATE = re.compile(r"/v1/encounters/([^/]{1,200})/state")


class StateFastPath:
    path: ClassVar[str] = "/encounters/{encounter}/state"
    """As the route has it, for the log and the metrics."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wanted = _state_of(scope)
        if wanted is not None and not _compares(scope):
            hall: Runtime = scope["app"].state.hall
            known = _known(hall, wanted, scope["state"]["seat"], scope["state"]["head"][1])
            if known is not None:
                scope["route"] = self
                await _answer(send, *known)
                return
        await self._app(scope, receive, send)


def _state_of(scope: Scope) -> UUID | None:
    """The encounter, if the request asks for its current state."""
    if scope["type"] != "http" or scope["method"] != "GET" or scope["query_string"]:
        return None
    found = _STATE.fullmatch(scope["path"])
    return encounter_id(found[1]) if found is not None else None


def _compares(scope: Scope) -> bool:
    """Whether the client has an earlier answer."""
    return any(name == b"if-none-match" for name, _ in scope["headers"])


def _known(hall: Runtime, encounter: UUID, held: HeldSeat, head: int | None) -> tuple[int, bytes] | None:
    """The state that the seat sees, if it may look on and the known state is current."""
    if head is None or held.delay or not held.is_at(encounter) or not has(held.seat.role, Right.LOOK):
        return None
    table = hall.desk(encounter).tables.get(encounter)
    watch = table.watches.get((held.seat, held.delay)) if table is not None else None
    return watch.known_state(head) if watch is not None else None


async def _answer(send: Send, last: int, content: bytes) -> None:
    # In the order of the route's answer: a different one would reveal that something unseen was recorded.
    headers = [
        (b"etag", b'"%d"' % last),
        (b"cache-control", b"no-cache"),
        (b"content-length", b"%d" % len(content)),
        (b"content-type", b"application/json"),
        (TIME.encode(), clock().encode()),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": content})
