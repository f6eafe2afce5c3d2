"""Authenticate requests: the seat of a token, what that seat may do, and the fight it is at.

A request without a valid seat is refused before anything in it is parsed or validated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Receive, Scope, Send

import combatlog
from combatlog.handlers.sender import Sender
from combatlog.messages.fight_questions import AboutCombatant, FightQuestion
from combatlog.messages.message import Message
from combatlog.messages.rights import Right, check_right, is_writing
from combatlog.seats import HeldSeat
from combatlog.service.live_fights import LiveFight, SharedSeatView
from combatlog.service.problems import Refused, answer
from combatlog.service.runtime import FightWorker, Runtime
from combatlog.view import View
from ledger.errors import Problem
from ledger.store.ledger import encounter_id

NO_ENCOUNTER = UUID(int=0)
_NEEDS_SEAT = re.compile(r"/v1/|/metrics")
_ENCOUNTER = re.compile(r"/v1/encounters/([^/]+)")


class Authentication:
    """Looks up the seat after the body has arrived: a slow sender must not use a seat that was revoked meanwhile."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and _NEEDS_SEAT.match(scope["path"]):
            try:
                await _authenticate(Request(scope))
            except Problem as problem:
                await answer(problem, scope["state"].get("request_id"))(scope, receive, send)
                return
        await self._app(scope, receive, send)


async def _authenticate(request: Request) -> None:
    """Note the seat, and the last event of the encounter in the address."""
    named = _ENCOUNTER.match(request.scope["path"])
    encounter = encounter_id(named[1]) if named is not None else NO_ENCOUNTER
    found = await runtime_of(request).doorman.ask((token_of(request), encounter))
    if found is None:
        raise no_token()
    request.state.seat, request.state.head = found[0], (encounter, found[1])


COOKIE = "combatlog_seat"
CSRF_HEADER = "X-Combatlog"
_SAFE = ("GET", "HEAD", "OPTIONS")


def bearer_token(request: HTTPConnection) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def runtime_of(request: Request) -> Runtime:
    hall: Runtime = request.app.state.hall
    return hall


def token_of(request: Request) -> str:
    """From `Authorization: Bearer`, or from the cookie that an invitation link sets."""
    if token := bearer_token(request):
        return token
    kept = request.cookies.get(COOKIE, "")
    if kept and request.method not in _SAFE:
        _check_origin(request)
    if not kept:
        raise no_token()
    return kept


def _check_origin(request: Request) -> None:
    """Another site's page can make the browser send the cookie, but it cannot set this header."""
    origin = request.headers.get("origin")
    foreign = origin is not None and urlsplit(origin).netloc != request.headers.get("host")
    if foreign or CSRF_HEADER not in request.headers:
        raise Refused(
            "seat/forged",
            f"A request with the cookie must come from this site's own pages, with the header {CSRF_HEADER}.",
            name=CSRF_HEADER,
        )


def no_token() -> Refused:
    return Refused("seat/no-token", "Send the token of a seat that has neither expired nor been revoked.")


def _check(seat: HeldSeat, right: Right, hall: Runtime) -> None:
    check_right(seat.seat, right)
    if hall.settings.read_only and is_writing(right):
        raise Refused("service/read-only", "This service is read-only; nothing can be recorded here.")


@dataclass(slots=True)
class SeatedRequest:
    """A seat at a fight, while one request is handled."""

    desk: FightWorker
    table: LiveFight
    held: HeldSeat
    fight: combatlog.RecordedFight
    watch: SharedSeatView = field(init=False)
    _sender: Sender = field(init=False)

    def __post_init__(self) -> None:
        self.watch = self.table.watch(self.held.seat, self.held.delay)
        self._sender = Sender(self.fight.backend, self.held.seat, onlooker=lambda: self.watch.onlooker)

    @property
    def sees_all(self) -> bool:
        return self.held.seat.sees_all

    @property
    def view(self) -> View:
        """The fight as this seat sees it, without reading it again."""
        return View(self.fight.backend, self.held.seat, watched=self.watch.onlooker)

    def ask(self, question: FightQuestion) -> Any:
        self.watch.require_seen()
        if isinstance(question, AboutCombatant):
            with suppress(Problem):
                self._sender.actor = self.view.who(question.who)
        return self.view.ask(question)

    def catch_up(self) -> None:
        self.table.catch_up(self.desk.ledger.store)

    def sender(self, message: Message, command: UUID | None = None) -> Sender:
        """The sender of a message from here. A GM may speak for others."""
        by = (getattr(message, "by", None) if self.sees_all else None) or self.held.by
        self._sender = Sender(self.fight.backend, self.held.seat, by, command, onlooker=lambda: self.watch.onlooker)
        return self._sender

    def as_seen(self, problem: Problem) -> Problem:
        return problem if isinstance(problem, Refused) else self._sender.as_seen(problem)


@contextmanager
def at_fight(request: Request, reference: str, right: Right) -> Iterator[SeatedRequest]:
    """Work on a fight from the seat of the request, if it is at that fight and has the right."""
    hall, encounter = runtime_of(request), encounter_id(reference)
    desk = hall.desk(encounter)
    held, head = _seat_and_head(request, desk, encounter)
    if not held.is_at(encounter):
        raise Refused("seat/not-here", "This seat is at another fight.")
    if head is None:
        raise desk.ledger.store.unknown(reference)
    _check(held, right, hall)
    with desk.lock:
        table = desk.tables.at(encounter)
        table.catch_up(desk.ledger.store, head)
        place = SeatedRequest(desk, table, held, combatlog.RecordedFight(desk.ledger, encounter))
        try:
            yield place
        except Problem as problem:
            raise place.as_seen(problem) from problem


def seat_of(request: Request) -> HeldSeat:
    """The seat of the request, as it was looked up when the request had arrived."""
    held: HeldSeat | None = getattr(request.state, "seat", None)
    if held is None:
        raise no_token()
    return held


def _seat_and_head(request: Request, desk: FightWorker, encounter: UUID) -> tuple[HeldSeat, int | None]:
    held, (named, head) = seat_of(request), request.state.head
    if named == encounter:
        return held, head
    found = desk.ledger.seats.find_at(token_of(request), encounter)  # this request opened it just now
    if found is None:
        raise no_token()
    return found


@contextmanager
def with_ledger(
    request: Request,
    right: Right,
    reference: str | None = None,
    *,
    may_be_gone: bool = False,
    any_seat: bool = False,
) -> Iterator[tuple[combatlog.Ledger, HeldSeat]]:
    """Do long work, or work that is not about one fight; without a fight, the seat has to be one at all fights.

    `may_be_gone` allows a fight that no longer exists, such as a sealed one that was deleted; `any_seat` is for
    questions that every seat can ask.
    """
    hall, held = runtime_of(request), seat_of(request)
    if not any_seat:
        _check_place(held, reference)
    _check(held, right, hall)
    if held.delay and not any_seat:
        raise Refused(
            "seat/not-allowed", "A seat with a delay sees the state, the combatants, the dice and the events only."
        )
    with hall.office() as ledger:
        if reference is not None and not may_be_gone:
            ledger.store.require(reference)
        yield ledger, held


def _check_place(held: HeldSeat, reference: str | None) -> None:
    if held.encounter is not None and reference is None:
        raise Refused("seat/not-here", "This takes a seat at all fights.")
    if held.encounter is not None and held.encounter != encounter_id(reference or ""):
        raise Refused("seat/not-here", "This seat is at another fight.")


def require_seat(request: Request, right: Right) -> tuple[HeldSeat, UUID | None]:
    """The seat of the request, and its fight."""
    held = seat_of(request)
    _check(held, right, runtime_of(request))
    return held, held.encounter
