"""A ledger behind a service."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, Unpack, cast
from uuid import UUID, uuid4
from weakref import WeakSet

from combatlog.ledger import Where, _reference
from combatlog.recorded import RecordedFight
from combatlog.remote.address import Address
from combatlog.remote.exchange import RemoteExchange
from combatlog.remote.fight import RemoteBackend
from combatlog.remote.problems import local_only, no_token
from combatlog.remote.wire import Patience, Wire
from ledger.errors import Problem, unknown_encounter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from combatlog.ledger import Reference
    from combatlog.remote.wire import Answer
    from combatlog.seats import HeldSeat, Seats
    from combatlog.webhooks import Webhooks
    from ledger.guards import GuardFinding
    from ledger.listing import Page
    from ledger.seal import Seal
    from ledger.store import Ledger as Store
    from projections.progress import Progress
    from projections.readmodels.lag import Lag
    from projections.statistics.report import Report
    from rules.autoplay.simulate import Record
    from rules.engine.commands import Opening
    from rules.engine.fight import Fight as FightInMemory
    from rules.engine.referee import Referee
    from rules.engine.verify import Report as Verification

_PAGE = 500
"""Encounters in the largest page that a service gives."""


class OutOfReach:
    """Stands for what only the machine of the ledger has: to use it is refused, in one sentence."""

    def __getattr__(self, name: str) -> NoReturn:
        raise local_only()


class _Looking(OutOfReach):
    """A referee with whom fights can be looked at."""

    def __init__(self, ledger: RemoteLedger) -> None:
        self._ledger = ledger
        self._known: dict[str, RecordedFight] = {}

    def fight(self, reference: str) -> FightInMemory:
        """Only what is new is asked for, however often somebody looks."""
        if reference not in self._known:
            self._known[reference] = self._ledger.fight(reference)
        return self._known[reference].backend.in_memory()


class RemoteLedger(RemoteExchange):
    """What a `Ledger` can do, as far as the seat allows it. Close it, or use it in a `with` block."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.store = cast("Store", OutOfReach())
        self._followings = WeakSet()
        self._progress: dict[UUID, Progress] = {}

    @cached_property
    def referee(self) -> Referee:
        return cast("Referee", _Looking(self))

    @cached_property
    def seats(self) -> Seats:
        from combatlog.remote.seats import RemoteSeats

        return RemoteSeats(self)

    @cached_property
    def webhooks(self) -> Webhooks:
        from combatlog.remote.webhooks import RemoteWebhooks

        return RemoteWebhooks(self)

    @cached_property
    def seat(self) -> HeldSeat:
        """Where one sits."""
        from combatlog.remote.seats import held_in

        return held_in(self.wire.get("/seat"))

    def close(self) -> None:
        for following in list(self._followings):
            following.stop()
        self.wire.close()

    def check_following(self) -> None:
        """The service can, or says why not."""

    # Fights

    def begin(self, opening: Opening, *, command_id: UUID | None = None) -> RecordedFight:
        answer = self.wire.post("/encounters", opening.model_dump(mode="json"), command_id or uuid4())
        return self.opened(answer, command_id)

    def opened(self, answer: Answer, key: UUID | None) -> RecordedFight:
        fight = RecordedFight(self, UUID(answer.data["encounter"]))
        assert isinstance(fight.backend, RemoteBackend)
        fight.outcome = fight.backend.outcome_of(answer, key)
        return fight

    @property
    def address(self) -> str:
        return self.wire.url

    def backend(self, id: UUID, called: str | None = None) -> RemoteBackend:
        from combatlog.remote.seated import SeatedBackend

        return (RemoteBackend if self.seat.seat.sees_all else SeatedBackend)(self, id, called)

    def fight(self, reference: Reference) -> RecordedFight:
        from ledger.store import encounter_id

        called = _reference(reference)
        fight = RecordedFight(self, encounter_id(called))
        fight.backend = self.backend(fight.id, called)
        try:
            fight.history()
        except Problem as problem:
            if problem.code == "ledger/unknown-encounter" and problem.facts.get("encounter") != called:
                raise unknown_encounter(called, self.names()) from problem  # it was asked for by its id
            raise
        return fight

    def has(self, reference: Reference) -> bool:
        from ledger.store import encounter_id

        if not self.seat.is_at(encounter_id(_reference(reference))):
            return False  # a seat at one fight knows of no other
        try:
            return bool(self.fight(reference).id)
        except Problem as problem:
            if problem.code == "ledger/unknown-encounter":
                return False
            raise

    def list(self, limit: int | None = None, after: Reference | None = None, *, archived: bool = False) -> Page:
        from combatlog.remote.listing import page_of, progress_of

        reference = _reference(after) if after is not None else None
        pages: list[Mapping[str, Any]] = []
        wanted = limit
        while True:
            size = _PAGE if wanted is None else min(wanted, _PAGE)
            pages.append(self.wire.get("/encounters", limit=size, after=reference, archived=archived))
            reference = pages[-1]["next"]
            wanted = wanted - len(pages[-1]["encounters"]) if wanted is not None else None
            if reference is None or (wanted is not None and wanted <= 0):
                break
        self._progress |= progress_of(pages)
        return page_of(pages)

    def progress(self, page: Page) -> Mapping[UUID, Progress]:
        return {one.encounter: self._progress[one.encounter] for one in page if one.encounter in self._progress}

    def names(self, begin: str = "", limit: int = 500) -> Sequence[str]:
        found = (one.name for one in self.list(_PAGE, archived=True))
        return [name for name in found if name.lower().startswith(begin.lower())][:limit]

    # Questions across fights

    def statistics(self, statistic: str, by: str = "actor", **where: Unpack[Where]) -> Sequence[Report]:
        from combatlog.remote.listing import reports_of
        from projections.analytics_names import By, Statistic, named

        path = f"/statistics/{named(Statistic, statistic).value}"
        return reports_of(self.wire.get(path, by=named(By, by).value, **_asked(where)))

    def figure(self, figure: str, form: str = "svg", **where: Unpack[Where]) -> bytes:
        from projections.analytics_names import Figure, named

        return self.wire.content(f"/figures/{named(Figure, figure).value}", format=form, **_asked(where))

    def lag(self) -> Lag:
        """A service brings everything in before it answers."""
        from projections.readmodels.lag import Lag

        return Lag(0, None, False)

    # Keeping and moving records

    def begun(self) -> Sequence[UUID]:
        return tuple(one.encounter for one in self.list(archived=True))[::-1]

    def ids(self, seals: Sequence[Seal] = ()) -> Sequence[UUID]:
        known = [UUID(one) for one in self.wire.get("/verification")["encounters"]]
        return tuple(dict.fromkeys([*known, *(seal.encounter for seal in seals)]))

    def sealed(self, seals: Sequence[Seal]) -> Sequence[UUID]:
        """A seat at one fight can hold seals against that one; the service refuses those that are about another."""
        if not seals:
            return ()
        if self.seat.encounter is not None:
            return (self.seat.encounter,) * len(seals)
        said = {"seals": [seal.model_dump(mode="json") for seal in seals]}
        return tuple(UUID(one) for one in self.wire.ask("/verification/seals", said))

    def verify(
        self, fights: Iterable[Reference] | None = None, seals: Sequence[Seal] = (), *, jobs: int = 1
    ) -> Iterator[Verification]:
        """Without reading a fight here: the service can check one that nobody can read any more.

        It works by itself, so `jobs` makes no difference.
        """
        from ledger.store import encounter_id

        chosen = self.ids(seals) if fights is None else fights
        sealed = list(zip(self.sealed(seals), seals, strict=True))
        for fight in map(_reference, chosen):
            about = encounter_id(fight)
            yield self.backend(about, fight).verify([seal for one, seal in sealed if one == about])

    def check_guards(self) -> Sequence[GuardFinding]:
        from ledger.guards import GuardFinding

        return [GuardFinding.model_validate(one) for one in self.wire.get("/verification")["findings"]]

    def whole_fights(self) -> Record:
        from functools import partial

        from combatlog.remote.whole_fights import check_seat, send

        check_seat(self.seat)
        return partial(send, self.wire.url, self.wire.token)

    def export(self, fights: Iterable[Reference] | None = None) -> Iterator[str]:
        chosen = self.begun() if fights is None else fights
        for fight in chosen:
            yield from self.wire.text(f"{self.path_of(_reference(fight))}/export").splitlines()


def _asked(where: Where) -> dict[str, Any]:
    """Which fights a question is about, as a service is asked."""
    asked: dict[str, Any] = {name: value for name, value in where.items() if value}
    asked["fight"] = [_reference(fight) for fight in asked.pop("fights", ())]
    asked["undone"] = asked.pop("with_undone", None)
    return {name: value for name, value in asked.items() if value is not None}


def connect(url: str, token: str | None = None, *, patience: Patience | None = None) -> RemoteLedger:
    """See `combatlog.connect`."""
    address = Address.read(url)
    secret = token or address.token
    if not secret:
        raise no_token(address.url)
    return RemoteLedger(Wire(address, secret, patience=patience))
