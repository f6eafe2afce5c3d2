"""A ledger behind a service. `send` passes every question on to the service."""

from __future__ import annotations

from functools import cache, cached_property, partial
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID, uuid4
from weakref import WeakSet

from combatlog.ledger import Ledger, reference_of
from combatlog.messages.questions import PAGE, VerifyLedger, segment
from combatlog.recorded import RecordedFight
from combatlog.remote.http_client import HttpClient, Patience, local_only, no_token
from combatlog.remote.protocol import Address, unpacked_tables
from combatlog.remote.remote_fight import RemoteBackend
from combatlog.rules.engine.options_and_validation import adapter
from ledger.errors import Problem, name_taken, unknown_encounter
from ledger.store.ledger import encounter_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from combatlog.ledger import Reference
    from combatlog.messages.questions import LedgerMessage
    from combatlog.remote.http_client import HttpAnswer
    from combatlog.rules.autoplay.simulate import Record
    from combatlog.rules.engine.commands import Opening
    from combatlog.rules.engine.resolution.referee import Referee
    from combatlog.rules.verification.verify import VerificationReport as Verification
    from combatlog.seats import HeldSeat
    from ledger.exchange.seal import Seal
    from ledger.store.ledger import LedgerStore as Store
    from projections.readmodels.session import ReadModelLag


class RemoteLedger(Ledger):
    """What a `Ledger` can do, as far as the seat allows it. Close it, or use it in a `with` block."""

    def __init__(self, wire: HttpClient) -> None:
        self.wire = wire
        self._followings = WeakSet()

    @property
    def store(self) -> Store:  # type: ignore[override]
        """Only the machine of the ledger has it."""
        raise local_only()

    @cached_property
    def referee(self) -> Referee:
        """Fights can be looked at. Only what is new is asked for, however often somebody looks."""
        known = cache(self.fight)
        return cast("Referee", SimpleNamespace(fight=lambda reference: known(reference).backend.in_memory()))

    @cached_property
    def seat(self) -> HeldSeat:
        """Where one sits."""
        from combatlog.seats import HeldSeat

        return HeldSeat.from_json(self.wire.get("/seat"))

    def close(self) -> None:
        for following in list(self._followings):
            following.stop()
        self.wire.close()

    def check_following(self) -> None:
        """The service can, or says why not."""

    def _answer(self, message: LedgerMessage, seat: HeldSeat | None, command_id: UUID | None) -> Any:
        """It comes from one's own seat; the service decides what that may see."""
        if getattr(message, "encounter", "") is None:
            raise local_only()
        answer = self.wire.send(message.method, *message.request(), command_id, message.content())
        return answer if message.answer is bytes else adapter(message.answer).validate_json(answer)

    # Fights

    def begin(self, opening: Opening, *, command_id: UUID | None = None) -> RecordedFight:
        answer = self.wire.post("/encounters", opening.model_dump(mode="json"), command_id or uuid4())
        return self.opened(answer, command_id)

    def opened(self, answer: HttpAnswer, key: UUID | None) -> RecordedFight:
        fight = RecordedFight(self, UUID(answer.data["encounter"]))
        assert isinstance(fight.backend, RemoteBackend)
        fight.outcome = fight.backend.outcome_of(answer, key)
        return fight

    @property
    def address(self) -> str:
        return self.wire.url

    def backend(self, id: UUID, called: str | None = None) -> RemoteBackend:
        return RemoteBackend(self, id, called)

    def fight(self, reference: Reference) -> RecordedFight:
        called = reference_of(reference)
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
        """A seat at one fight knows of no other."""
        try:
            return self.seat.is_at(encounter_id(reference_of(reference))) and bool(self.fight(reference).id)
        except Problem as problem:
            if problem.code != "ledger/unknown-encounter":
                raise
            return False

    def path_of(self, reference: str) -> str:
        """The address of a fight, below /v1."""
        return f"/encounters/{segment('encounter', reference)}"

    def names(self, begin: str = "", limit: int = 500) -> Sequence[str]:
        found = (one.name for one in self.list(PAGE, archived=True))
        return [name for name in found if name.lower().startswith(begin.lower())][:limit]

    def begun(self) -> Sequence[UUID]:
        return tuple(one.encounter for one in self.list(archived=True))[::-1]

    def lag(self) -> ReadModelLag:
        """A service brings everything in before it answers."""
        from projections.readmodels.session import ReadModelLag

        return ReadModelLag(0, None, False)

    # Verifying

    def ids(self, seals: Sequence[Seal] = ()) -> Sequence[UUID]:
        known = self.send(VerifyLedger()).encounters
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
        """No fight is read here: the service can check one that nobody can read any more. `jobs` is the service's."""
        chosen = self.ids(seals) if fights is None else fights
        sealed = list(zip(self.sealed(seals), seals, strict=True))
        for fight in map(reference_of, chosen):
            about = encounter_id(fight)
            yield self.backend(about, fight).verify([seal for one, seal in sealed if one == about])

    # Moving records

    def export(self, fights: Iterable[Reference] | None = None) -> Iterator[str]:
        for fight in self.begun() if fights is None else fights:
            yield from self.wire.text(f"{self.path_of(reference_of(fight))}/export").splitlines()

    def export_tables(self, folder: str | Path, format: str = "csv", fight: Reference | None = None) -> dict[str, Path]:
        path = f"{self.path_of(reference_of(fight))}/export" if fight is not None else "/exports"
        return unpacked_tables(self.wire.content(path, format=format), Path(folder))

    def whole_fights(self) -> Record:
        """The service would refuse another seat as well, but only after the first fight was played."""
        from projections.views import Role

        if self.seat.seat.role is not Role.GM or self.seat.encounter is not None:
            raise Problem("seat/not-here", "Recording new fights takes a GM's seat at all fights.")
        return partial(_import_fight, self.wire.url, self.wire.token)


def _import_fight(url: str, token: str, events: Sequence[Any]) -> None:
    """A fight that was played here is imported there as a whole."""
    from combatlog.rules.autoplay.simulate import name_in
    from ledger.exchange.export import lines_of

    try:
        with connect(url, token) as ledger:
            ledger.import_events(BytesIO("\n".join(lines_of(events)).encode()))
    except Problem as problem:
        raise (name_taken(name_in(events)) if problem.code == "import/differs" else problem) from problem


def connect(url: str, token: str | None = None, *, patience: Patience | None = None) -> RemoteLedger:
    """See `combatlog.connect`."""
    address = Address.read(url)
    secret = token or address.token
    if not secret:
        raise no_token(address.url)
    return RemoteLedger(HttpClient(address, secret, patience=patience))
