"""A ledger behind a service. `send` passes every message on to the service."""

from __future__ import annotations

from functools import cache, cached_property, partial
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID, uuid4
from weakref import WeakSet

from combatlog.ledger import Ledger, reference_of
from combatlog.messages.fight_questions import ExportFight, ExportFormat
from combatlog.messages.ledger_commands import Open
from combatlog.messages.questions import PAGE, ExportTables, VerifyLedger
from combatlog.recorded import RecordedFight
from combatlog.remote.http_client import HttpClient, Patience, local_only
from combatlog.remote.protocol import Address
from combatlog.remote.remote_fight import RemoteBackend
from combatlog.rules.engine.options_and_validation import adapter
from combatlog.zip_files import unpacked_tables
from ledger.errors import Problem, name_taken, unknown_encounter
from ledger.store.ledger import encounter_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from combatlog.ledger import Reference
    from combatlog.messages.questions import LedgerMessage
    from combatlog.remote.http_client import HttpAnswer
    from combatlog.rules.autoplay.simulate import Record
    from combatlog.rules.engine.resolution.referee import Referee
    from combatlog.rules.verification.verify import VerificationReport as Verification
    from combatlog.seats import HeldSeat
    from ledger.exchange.seal import Seal
    from ledger.store.ledger import LedgerStore as Store
    from projections.readmodels.session import ReadModelLag


class RemoteLedger(Ledger):
    """A `Ledger`, as far as the seat allows it. Close it, or use it in a `with` block."""

    def __init__(self, wire: HttpClient) -> None:
        self.wire = wire
        self._followings = WeakSet()

    @property
    def store(self) -> Store:  # type: ignore[override]
        """Only the machine of the ledger has it."""
        raise local_only()

    @cached_property
    def referee(self) -> Referee:
        """For looking at fights. Each look asks for new events only."""
        known = cache(self.fight)
        return cast("Referee", SimpleNamespace(fight=lambda reference: known(reference).backend.in_memory()))

    @cached_property
    def seat(self) -> HeldSeat:
        """The seat of the token."""
        from combatlog.seats import HeldSeat

        return HeldSeat.from_json(self.wire.get("/seat"))

    @property
    def address(self) -> str:
        return self.wire.url

    def close(self) -> None:
        self._stop_following()
        self.wire.close()

    def check_following(self) -> None:
        """The service can be followed, or says why not."""

    def _answer(self, message: LedgerMessage, seat: HeldSeat | None, command_id: UUID | None) -> Any:
        """From the seat of the token; the service decides what that may see."""
        if getattr(message, "encounter", "") is None:
            raise local_only()
        file = message.content()
        key = command_id or uuid4() if message.method == "POST" and file is None else None
        answer = self.wire.send(message.method, *message.request(), file=file, key=key)
        if isinstance(message, Open):
            return self.opened(answer, command_id)
        return answer.content if message.answer is bytes else adapter(message.answer).validate_json(answer.content)

    # Fights

    def opened(self, answer: HttpAnswer, key: UUID | None) -> RecordedFight:
        """The fight that was opened under a key, with what its opening led to."""
        fight = RecordedFight(self, UUID(answer.data["encounter"]))
        assert isinstance(fight.backend, RemoteBackend)
        fight.outcome = fight.backend.outcome_of(answer, key)
        return fight

    def backend(self, id: UUID) -> RemoteBackend:
        return RemoteBackend(self, id)

    def fight(self, reference: Reference) -> RecordedFight:
        called = reference_of(reference)
        fight = RecordedFight(self, encounter_id(called))
        try:
            fight.history()
        except Problem as problem:
            if problem.code != "ledger/unknown-encounter":
                raise
            raise unknown_encounter(called, self.names()) from problem  # the service only knows the id
        return fight

    def names(self, begin: str = "", limit: int = 500) -> Sequence[str]:
        found = (one.name for one in self.list(PAGE, archived=True))
        return [name for name in found if name.lower().startswith(begin.lower())][:limit]

    def begun(self) -> Sequence[UUID]:
        return tuple(one.encounter for one in self.list(archived=True))[::-1]

    def lag(self) -> ReadModelLag:
        """A service updates the read models before it answers."""
        from projections.readmodels.session import ReadModelLag

        return ReadModelLag(0, None, False)

    # Verifying

    def _recorded(self) -> Sequence[UUID]:
        return self.send(VerifyLedger()).encounters

    def sealed(self, seals: Sequence[Seal]) -> Sequence[UUID]:
        """A seat at one fight can verify seals of that fight; the service refuses those of others."""
        if self.seat.encounter is not None or not seals:
            return [self.seat.encounter for _ in seals]  # type: ignore[misc]
        said = {"seals": [seal.model_dump(mode="json") for seal in seals]}
        return [UUID(one) for one in self.wire.send("POST", "/verification/seals", said).data]

    def verify(
        self, fights: Iterable[Reference] | None = None, seals: Sequence[Seal] = (), *, jobs: int = 1
    ) -> Iterator[Verification]:
        """The service reads the fights, so it also checks those that cannot be read any more. It ignores `jobs`."""
        chosen = self.ids(seals) if fights is None else fights
        sealed = list(zip(self.sealed(seals), seals, strict=True))
        for fight in map(encounter_id, map(reference_of, chosen)):
            yield self.backend(fight).verify([seal for one, seal in sealed if one == fight])

    # Moving records

    def export(self, fights: Iterable[Reference] | None = None) -> Iterator[str]:
        for fight in self.begun() if fights is None else fights:
            yield from self._exported(fight, ExportFormat.JSONL).decode().splitlines()

    def _exported(self, fight: Reference, format: str) -> bytes:
        return self.backend(encounter_id(reference_of(fight))).send(ExportFight.of(format=format))

    def export_tables(self, folder: str | Path, format: str = "csv", fight: Reference | None = None) -> dict[str, Path]:
        packed = self.send(ExportTables.of(format=format)) if fight is None else self._exported(fight, format)
        return unpacked_tables(packed, Path(folder))

    def whole_fights(self) -> Record:
        """Refused at once for other seats: the service would only refuse after the first fight was played."""
        from projections.views import Role

        if self.seat.seat.role is not Role.GM or self.seat.encounter is not None:
            raise Problem("seat/not-here", "Recording new fights takes a GM's seat at all fights.")
        return partial(_import_fight, self.wire.url, self.wire.token)


def _import_fight(url: str, token: str, events: Sequence[Any]) -> None:
    """Import a fight there that was played here."""
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
        sentence = f"The service at {address.url} needs the token of a seat; give one."
        raise Problem("server/no-token", sentence, url=address.url)
    return RemoteLedger(HttpClient(address, secret, patience=patience))
