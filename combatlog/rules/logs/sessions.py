"""Sessions of play: a chat archive does not say where fights begin, so what belongs together is told by time."""

from __future__ import annotations

from datetime import datetime, timedelta

BREAK = timedelta(hours=6)
"""A silence as long as this ends a session."""


class Sessions:
    """Names the session of each message, given in order. One without a time belongs to the session before it."""

    def __init__(self) -> None:
        self._last: datetime | None = None
        self._began: datetime | None = None

    def of(self, at: datetime | None) -> str:
        if at is not None:
            if self._began is None or self._last is None or at - self._last > BREAK:
                self._began = at
            self._last = max(at, self._last or at)
        return f"{self._began:%Y-%m-%d %H:%M}" if self._began is not None else "undated"
