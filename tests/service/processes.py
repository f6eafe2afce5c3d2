"""`combatlog serve` as somebody would run it: in processes of its own, with a log that tests can wait for."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Condition, Thread
from typing import Any

from ledger.store.database import URL_VARIABLE

PATIENCE = 180
STOPS_WITHIN = 20
"""Seconds; requests under way get five of them."""
Line = dict[str, Any]


class Running:
    def __init__(
        self,
        database: str,
        port: int,
        *arguments: str,
        workers: int = 1,
        output: Path = Path(os.devnull),
        **environment: str,
    ) -> None:
        """`output` is the file for its standard output."""
        self.url = f"http://127.0.0.1:{port}"
        self.log: list[Line] = []
        self._news = Condition()
        command = [sys.executable, "-m", "cli.app", "serve", "--port", str(port), "--workers", str(workers), *arguments]
        with output.open("w") as printed:
            self.process = subprocess.Popen(
                command,
                env={**os.environ, URL_VARIABLE: database, **environment},
                stdout=printed,
                stderr=subprocess.PIPE,
                text=True,
            )
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        self.wait_for(lambda: len(self.told("Application startup complete.")) == workers)

    def _read(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as lines:
            for line in lines:
                with self._news:
                    self.log.append(json.loads(line))
                    self._news.notify_all()
        with self._news:
            self._news.notify_all()

    def wait_for(self, happened: Callable[[], bool]) -> None:
        """Until the log says so."""
        with self._news:
            assert self._news.wait_for(lambda: happened() or not self._reader.is_alive(), PATIENCE), self.log[-5:]
        assert happened(), self.log[-5:]

    def told(self, message: str) -> list[Line]:
        return [line for line in self.log if line["message"] == message]

    def worker_of(self, request_id: str) -> int:
        """The process that answered a request."""
        found: list[int] = []

        def answered() -> bool:
            found.extend(line["pid"] for line in self.told("request") if line["request_id"] == request_id)
            return bool(found)

        self.wait_for(answered)
        return found[0]

    def stop(self) -> int:
        """As an operator does; what the process returns."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(timeout=STOPS_WITHIN)
        self._reader.join(timeout=PATIENCE)
        return status

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(timeout=PATIENCE)
        self._reader.join(timeout=PATIENCE)


@contextmanager
def running(
    database: str, *arguments: str, workers: int = 1, output: Path = Path(os.devnull), **environment: str
) -> Iterator[Running]:
    service = Running(database, free_port(), *arguments, workers=workers, output=output, **environment)
    try:
        yield service
    finally:
        if service.process.poll() is None:
            service.stop()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
