"""A service on a real socket, with a fight at the bridge and somebody in every seat."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from threading import Thread
from typing import Any

import httpx
import psycopg
import pytest
import uvicorn
import uvicorn.server
from fastapi import FastAPI
from starlette.routing import BaseRoute

import combatlog
from combatlog.service.app import create
from combatlog.service.settings import Settings
from ledger.store.seats_and_webhooks import hash_of
from tests.rules.veils_ruleset import join_unseen

FIGHT = "bridge"
BOUNDLESS = Settings(rate=1e6, burst=10**6, desks=1)
"""So that only tests of limits meet them."""


class _Impatient:
    """The asyncio of uvicorn, which looks every tenth of a second whether it should stop, and again while it stops.

    Hundreds of services are stopped in a run, and each of them would wait for a fifth of a second.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    @staticmethod
    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds / 10)


uvicorn.server.asyncio = _Impatient()  # type: ignore[assignment]


@cache
def _routes() -> list[BaseRoute]:
    """The same for all services: FastAPI takes 0.15 seconds of processor time to prepare them for each application."""
    return create(BOUNDLESS).router.routes


@dataclass
class Service:
    url: str
    tokens: dict[str, str]
    """By seat: host, gm, rurik, snig, spectator, auditor, elsewhere."""
    clients: list[httpx.Client] = field(default_factory=list)

    def client(self, seat: str | None = None, **headers: str) -> httpx.Client:
        sent = {"Authorization": f"Bearer {self.tokens[seat]}", **headers} if seat is not None else headers
        made = httpx.Client(base_url=self.url, headers=sent, timeout=60)
        self.clients.append(made)
        return made

    def get(self, seat: str | None, path: str, **headers: str) -> httpx.Response:
        return self.client(seat).get(self.at(path), headers=headers)

    def post(self, seat: str | None, path: str, body: Any = None, **headers: str) -> httpx.Response:
        return self.client(seat).post(self.at(path), json={} if body is None else body, headers=headers)

    @staticmethod
    def at(path: str) -> str:
        """Paths are those at the bridge, unless they begin with a slash."""
        return path if path.startswith("/") else f"/v1/encounters/{FIGHT}/{path}"


@contextmanager
def listening(settings: Settings, app: FastAPI | None = None) -> Iterator[str]:
    """The address of a service in this process, which listens before it has started: nobody has to wait for that."""
    if app is None:
        app = create(settings)
        app.router.routes = _routes()
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="on", timeout_graceful_shutdown=2)
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            if (hall := getattr(app.state, "hall", None)) is not None:  # else it has not even started
                hall.end_streams()
            server.should_exit = True
            thread.join()


def set_up(database: str, dice: str = "table", **opening: Any) -> dict[str, str]:
    """It is the turn of Snig the goblin, who stands next to Rurik, whom Osric the paladin can protect.

    An ogre is there, too, and nobody has seen it.
    """
    with combatlog.open(database) as ledger:
        fight = ledger.new(FIGHT, dice=dice, **opening)
        fight.join("goblin", "Snig", (2, 1), side="foes")
        fight.join("fighter", "Rurik", (1, 1))
        fight.join("paladin", "Osric", (1, 2))
        join_unseen(fight, "goblin", "Grimjaw", (9, 9))
        fight.start(dice=[20, 10, 5, 1])
        ledger.new("elsewhere")
        seats = {
            "gm": "gm",
            "rurik": "player:rurik",
            "osric": "player:osric",
            "spectator": "spectator",
            "auditor": "auditor",
        }
        tokens = {name: ledger.seats.invite(seat, fight, name=name.title()).token for name, seat in seats.items()}
        tokens["host"] = ledger.seats.invite("gm").token
        tokens["elsewhere"] = ledger.seats.invite("gm", "elsewhere").token
        tokens["nonsense"] = "nonsense"
        return tokens


@pytest.fixture
def opening() -> dict[str, Any]:
    """How the fight is opened; a file of tests may have its own."""
    return {}


@pytest.fixture
def make_service(database: str, opening: dict[str, Any]) -> Iterator[Callable[..., Service]]:
    """Makes a service with some settings."""
    tokens = set_up(database, **opening)
    from contextlib import ExitStack

    with ExitStack() as stack:

        def make(**changes: Any) -> Service:
            url = stack.enter_context(listening(replace(BOUNDLESS, database=database, **changes)))
            made = Service(url, tokens)
            stack.callback(lambda: [client.close() for client in made.clients])
            return made

        yield make


@pytest.fixture
def service(make_service: Callable[..., Service]) -> Service:
    return make_service()


@pytest.fixture
def fight(service: Service, database: str) -> Iterator[combatlog.RecordedFight]:
    """The fight, behind the service's back."""
    with combatlog.open(database) as ledger:
        yield ledger.fight(FIGHT)


def sit_briefly(service: Service, database: str, seconds: float) -> None:
    """A second seat for whoever plays Rurik, `brief`, that lasts no longer. The ledger refuses to shorten the first."""
    copied = (
        "INSERT INTO combatlog.seats (seat, encounter, role, combatants, name, delay, token_hash, expires_at)"
        " SELECT gen_random_uuid(), encounter, role, combatants, 'Brief', delay, %s, now() + make_interval(secs => %s)"
        " FROM combatlog.seats WHERE name = 'Rurik'"
    )
    with psycopg.connect(database) as conn:
        conn.execute(copied, (hash_of("brief"), seconds))
    service.tokens["brief"] = "brief"
