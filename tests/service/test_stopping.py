"""Stopping the service: streams end, whatever signals come and however many of them."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest

from combatlog.service.app import _end_streams_on_signals
from combatlog.service.runtime import Runtime
from tests.service.conftest import set_up
from tests.service.processes import PATIENCE, STOPS_WITHIN, running


class Streams:
    def __init__(self) -> None:
        self.ended = 0

    def end_streams(self) -> None:
        self.ended += 1


@contextmanager
def harmless(*numbers: int) -> Iterator[list[int]]:
    """What the server would do on a signal is only noted."""
    noted: list[int] = []

    def note(number: int, _: Any) -> None:
        noted.append(number)

    before = {number: signal.signal(number, note) for number in numbers}
    try:
        yield noted
    finally:
        for number, then in before.items():
            signal.signal(number, then)


def test_nothing_is_locked_while_a_signal_is_handled() -> None:
    """A second signal may come at any moment, also while the first one is handled."""

    async def stop(streams: Streams) -> None:
        restore = _end_streams_on_signals(cast(Runtime, streams), asyncio.get_running_loop())
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        assert streams.ended == 0
        await asyncio.sleep(0)
        restore()

    with harmless(signal.SIGTERM, signal.SIGINT) as noted:
        streams = Streams()
        asyncio.run(stop(streams))
    assert (streams.ended, noted) == (2, [signal.SIGTERM, signal.SIGTERM])


@pytest.mark.slow
def test_a_service_that_is_told_to_stop_again_and_again_stops(database: str) -> None:
    set_up(database)
    with running(database) as service:
        for _ in range(20):
            service.process.send_signal(signal.SIGTERM)
        service.process.wait(timeout=STOPS_WITHIN)
        service._reader.join(timeout=PATIENCE)
        assert service.told("Application shutdown complete.")
