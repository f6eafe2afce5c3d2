"""A real service in a process of its own, on a real database, with people in front of it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psycopg
from psycopg.conninfo import make_conninfo

import combatlog
from combatlog.service.settings import VARIABLE
from ledger.store.database import URL_VARIABLE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAME = "Bridge ambush"
MAP = (
    "............",
    ".....##.....",
    ".....##.....",
    "............",
    "..~~........",
    "..~~........",
    "............",
)
MIREL = "Mirel <b>the</b> \u202ebold"
"""A name with markup, and with a mark that turns the direction of writing."""
WIDE = {"width": 1400, "height": 900}


BOUNDLESS = '{"rate": 1e6, "burst": 1000000}'
"""Tests open many pages in a second, with all their modules: more than the service allows one address."""


@dataclass
class Service:
    """It can be stopped and started again, and has as many fights as tests need."""

    database: str
    port: int
    _process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "cli.app", "serve", "--port", str(self.port)]
        environment = {**os.environ, URL_VARIABLE: self.database, VARIABLE: BOUNDLESS}
        streams: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
        self._process = subprocess.Popen(command, env=environment, **streams)
        assert self._process.stderr is not None
        assert any("Application startup complete" in line for line in self._process.stderr)
        Thread(target=self._process.stderr.read, daemon=True).start()

    def stop(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(timeout=60)
        assert self._process.stderr is not None
        self._process.stderr.close()

    def ledger(self) -> combatlog.Ledger:
        return combatlog.open(self.database)


@dataclass
class House:
    """A fight at the service, and everybody's way in."""

    service: Service
    tokens: dict[str, str]
    fight: str
    """The fight's id."""
    complaints: list[str] = field(default_factory=list)
    """What pages complained about: it fails the test."""

    @property
    def url(self) -> str:
        return self.service.url

    def ledger(self) -> combatlog.Ledger:
        return self.service.ledger()

    def enter(
        self,
        browser: Browser,
        seat: str,
        query: str = "",
        *,
        prepare: Callable[[Page], None] | None = None,
        **options: Any,
    ) -> Page:
        """Sit down with an invitation link, in a browser of one's own that can be prepared."""
        context = browser.new_context(**{"viewport": WIDE, **options})
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        if prepare is not None:
            prepare(page)
        page.goto(f"{self.url}/join?token={self.tokens[seat]}")
        if seat == "host":
            page.goto(f"{self.url}/table/{self.fight}")
        if query:
            page.goto(f"{page.url}?{query}")
        page.wait_for_selector(".page, .overlay")
        return page

    def everybody_leaves(self, browser: Browser, *, expected: Sequence[str]) -> None:
        """After a test. No page may have complained about anything else."""
        for context in browser.contexts:
            context.close()
        complaints, self.complaints = self.complaints, []
        unexpected = [one for one in complaints if not any(part in one for part in expected)]
        assert unexpected == [], unexpected


def set_up(service: Service, name: str = NAME, dice: str = "seed:11", wizard: str = MIREL, **rules: Any) -> House:
    """With these options of an encounter. It is the turn of Snig.

    Rurik is next to him and Osric can protect him; Mirel can burn them all.
    """
    with service.ledger() as ledger:
        fight = ledger.new(name, dice=dice, map=MAP, options=rules)
        fight.join("goblin", "Snig", (4, 3), side="foes", overrides={"hp": 40})
        fight.join("fighter_3", "Rurik", (3, 3))
        fight.join("paladin", "Osric", (3, 2))
        fight.join("wizard_5", wizard, (0, 3))
        fight.join("goblin", "Grimjaw", (11, 6), side="foes", hidden=True)
        fight.start(dice=[20, 10, 6, 15, 1])
        mirel = fight.seen_by().who(wizard)
        seats = {"gm": "gm", "osric": "player:osric", "mirel": f"player:{mirel}", "spectator": "spectator"}
        tokens = {one: ledger.seats.invite(seat, fight, name=one.title()).token for one, seat in seats.items()}
        tokens["host"] = ledger.seats.invite("gm", name="Host").token
        return House(service, tokens, str(fight.id))


@contextmanager
def served(embedded: str) -> Iterator[Service]:
    name = f"table_{uuid4().hex}"
    with psycopg.connect(embedded, autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE {name}")  # type: ignore[call-overload]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    service = Service(make_conninfo(embedded, dbname=name), port)
    service.start()
    try:
        yield service
    finally:
        service.stop()
