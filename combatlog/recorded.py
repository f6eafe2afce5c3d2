"""A fight in a local ledger or behind a service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from combatlog.backend import RecordBackend
from combatlog.fight import Fight
from combatlog.messages import made
from ledger.registry import stored_names
from projections.battle.snapshots import read_battle

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
    from uuid import UUID

    from combatlog.follow import Following
    from combatlog.ledger import Ledger
    from combatlog.messages.commands import TimeUp
    from combatlog.rules.engine.commands import Declaration, Reply
    from combatlog.rules.engine.corrections.plan import Plan
    from combatlog.rules.engine.resolution.fight_engine import FightEngine as FightInMemory
    from combatlog.rules.engine.resolution.referee import Outcome
    from combatlog.rules.verification.verify import VerificationReport
    from combatlog.view import View
    from ledger.events import Event, Face
    from ledger.exchange.seal import Seal
    from projections.battle.fold import Battle
    from projections.views import Seat


class RecordedFight(Fight):
    backend: RecordBackend

    def __init__(self, ledger: Ledger, id: UUID, outcome: Outcome | None = None) -> None:
        super().__init__(ledger.backend(id))
        self.ledger = ledger
        self.id = id
        self.outcome = outcome

    @property
    def _identity(self) -> tuple[object, ...]:
        return (self.ledger.address, self.id)

    def __repr__(self) -> str:
        return f"<fight {self.id}>"

    def fork(
        self, name: str, at: int | None = None, *, by: str = "gm", command_id: UUID | None = None
    ) -> RecordedFight:
        """A new fight that shares the past of this one up to the event `at`."""
        return self.send(made("Fork", name=name, at=at, by=by), command_id=command_id)

    def follow(self, after: int | None = None) -> Following:
        """The events after the event `after`, then every new one as it is recorded; by default only new ones."""
        return self.backend.follow(after)

    def stream(self, after: int | None = None) -> AsyncIterator[Event]:
        """Every event after the event `after`, or all of them, for as long as you read:
        `async for event in fight.stream()`. All streams share one thread at most."""
        return self.backend.stream(after)

    def verify(self, seals: Sequence[Seal] = ()) -> VerificationReport:
        """Check that the fight is as it was recorded: numbers, hashes, seals, and every declaration resolved again."""
        return self.backend.verify(seals)

    def seal(self) -> Seal:
        """Sign the fight as it is now. A seal that is kept elsewhere shows if history is rewritten later."""
        return self.send(made("SealFight"))


class LedgerBackend(RecordBackend):
    """A fight in a local ledger."""

    def __init__(self, ledger: Ledger, id: UUID) -> None:
        self.ledger = ledger
        self.id = id
        self._reference = str(id)

    @property
    def battle(self) -> Battle:
        return self.ledger.referee.fight(self._reference).battle

    def record(
        self,
        said: Declaration | Reply | TimeUp,
        *,
        dice: Sequence[Face] | None = None,
        replies: Sequence[Reply] = (),
        command_id: UUID | None = None,
    ) -> Outcome:
        from combatlog.rules.engine.commands import Declaration, Reply

        referee, fight = self.ledger.referee, self._reference
        if isinstance(said, Declaration):
            return referee.declare(fight, said, dice=dice, replies=replies, command=command_id)
        if isinstance(said, Reply):
            return referee.answer(fight, said, dice=dice, command=command_id)
        return referee.time_up(fight, dice=dice, by=said.by, command=command_id)

    def _plan(self, make: Callable[[FightInMemory], Plan], command: UUID | None) -> Plan:
        return self.ledger.referee.plan(self._reference, make, command=command)

    def apply(self, plan: Plan) -> Outcome:
        return self.ledger.referee.apply(plan)

    def state(self, at: int | None = None) -> Battle:
        return read_battle(self.ledger.store, self._reference, at=at)

    def history(self, upto: int | None = None) -> list[Event]:
        return self.ledger.store.find(self._reference, upto=upto).events

    def latest(self, count: int) -> list[Event]:
        return self.ledger.store.read_last(self.id, count)

    def introductions(self) -> list[Event]:
        from projections.story.names import INTRODUCTIONS

        return self.ledger.store.read_kinds(self.id, stored_names(INTRODUCTIONS))

    def in_memory(self) -> FightInMemory:
        return self.ledger.referee.fight(self._reference)

    def check_following(self) -> None:
        self.ledger.check_following()

    def follow(self, after: int | None) -> Following:
        from combatlog.follow import follow_fight

        return self.ledger.keep(follow_fight(self.ledger.store, self.id, after))

    def stream(self, after: int | None) -> AsyncIterator[Event]:
        from combatlog.follow import stream_fight

        return stream_fight(self.ledger.broadcast, self, after)

    def verify(self, seals: Sequence[Seal] = ()) -> VerificationReport:
        from combatlog.rules.verification.verify import verify

        return verify(self.ledger.store, self._reference, seals)

    def export_seen(self, view: View) -> Iterator[str]:
        from projections.views.seat_view import shown_lines

        hashes = {row.seq: row.hash for _, row in self.ledger.store.history(self.id)}
        return shown_lines(view.onlooker, hashes)

    def verify_shown(self, lines: Iterable[str], seat: Seat) -> VerificationReport:
        from combatlog.rules.verification.seals_and_seat_records import SeatRecord, check_own, check_shown

        shown = SeatRecord.read(lines)
        if not seat.sees_all:
            return check_own(self.ledger.store, self.id, shown, seat)
        report = self.verify()
        found = check_shown(self.ledger.store, self.id, shown) if report.stands else []
        return report.model_copy(update={"shown": len(shown.events), "findings": [*report.findings, *found]})
