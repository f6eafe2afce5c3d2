"""Where a fight is kept: in a ledger, in memory, or behind a service. `Fight` and `View` are built on this."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
    from uuid import UUID

    from combatlog.follow import Following
    from combatlog.ledger import Ledger
    from combatlog.messages.commands import TimeUp
    from combatlog.messages.corrections import Correction
    from combatlog.messages.message import Message
    from combatlog.rules.engine.commands import Declaration, Reply
    from combatlog.rules.engine.corrections.plan import Plan
    from combatlog.rules.engine.resolution.fight_engine import FightEngine as FightInMemory
    from combatlog.rules.engine.resolution.referee import Outcome
    from combatlog.rules.verification.verify import VerificationReport
    from combatlog.view import View
    from ledger.events import Event, Face
    from ledger.exchange.seal import Seal
    from projections.battle.fold import Battle
    from projections.views import Seat, SeatView

GM = "gm"


class Backend(ABC):
    """It takes declarations, answers and corrections, and can be read."""

    @property
    @abstractmethod
    def battle(self) -> Battle:
        """The state that the rules work on. It changes with every command; `state()` gives one to keep."""

    @abstractmethod
    def record(
        self,
        said: Declaration | Reply | TimeUp,
        *,
        dice: Sequence[Face] | None = None,
        replies: Sequence[Reply] = (),
        command_id: UUID | None = None,
    ) -> Outcome:
        """Carry out a declaration, an answer to the open window, or the decision that its time is up."""

    def plan(self, correction: Correction, command: UUID | None = None) -> Plan:
        """What a correction would do if it were recorded under this id. Nothing is recorded."""
        plan = self._plan(lambda fight: correction.plan(fight, command), command)
        plan.message = correction
        return plan

    @abstractmethod
    def _plan(self, make: Callable[[FightInMemory], Plan], command: UUID | None) -> Plan:
        """Plan a correction of the fight as it is now; a repeated one changes nothing."""

    @abstractmethod
    def apply(self, plan: Plan) -> Outcome:
        """Carry out a correction that has all the consent it needs."""

    @abstractmethod
    def state(self, at: int | None = None) -> Battle:
        """The state now, or as it was after the event `at`."""

    @abstractmethod
    def history(self, upto: int | None = None) -> list[Event]:
        """Every event from the first one on."""

    def latest(self, count: int) -> list[Event]:
        """The last events. No others are read, however long the fight is."""
        return self.history()[-count:]

    def introductions(self) -> list[Event]:
        """How the fight was opened, who joined it and the order of turns: every sentence about it needs this.

        The last event is included, whatever it is.
        """
        from projections.story.names import INTRODUCTIONS

        events = self.history()
        return [event for event in events if isinstance(event, INTRODUCTIONS) or event is events[-1]]

    @abstractmethod
    def in_memory(self) -> FightInMemory:
        """The fight as it is now, for questions to the rules."""

    # Seats

    def seat(self, seat: str | Seat) -> Seat:
        """A seat in this fight, with the ids of the combatants that it names."""
        from combatlog.view import seat_in

        return seat_in(self, seat)

    def view(self, seat: str | Seat = GM, at: int | None = None) -> View:
        """The fight from a seat: now, or after the event that has the number `at` there."""
        from combatlog.view import View

        return View(self, self.seat(seat), at)

    def onlooker(self, seat: Seat, at: int | None = None) -> SeatView:
        """What a seat has seen of the fight, up to the event that has the number `at` there."""
        from projections.views import SeatView

        return SeatView.until(seat, self.history(at if seat.sees_all else None), at)

    def newcomer(self, seat: Seat) -> SeatView:
        """A seat that has seen nothing yet."""
        from projections.views import SeatView

        return SeatView(seat)

    def send(
        self, message: Message, *, seat: str | Seat | None = None, key: UUID | None = None, dry_run: bool = False
    ) -> Any:
        from combatlog.messages.fight_questions import FightQuestion

        if isinstance(message, FightQuestion):
            return self.view(seat or GM).ask(message)
        return self._carry_out(message, self.seat(seat) if seat is not None else None, key, dry_run=dry_run)

    def _carry_out(self, message: Message, seat: Seat | None, key: UUID | None, *, dry_run: bool) -> Any:
        from combatlog.handlers.command_handlers import carry_out
        from combatlog.handlers.sender import Sender
        from combatlog.messages.rights import Right, check_right

        command = message.command(key) if key is not None else None
        sender = Sender(self, by=getattr(message, "by", None), command=command, dry_run=dry_run)
        if seat is not None:
            sender.seat = seat
            check_right(seat, Right.OVERSEE if dry_run else message.right)
        return carry_out(message, sender)

    def repeated(self, command: UUID | None) -> Outcome | None:
        """The outcome of a command that was carried out before; None if it was not."""
        from combatlog.rules.engine.resolution.referee import Outcome

        if command is None or not any(getattr(event, "command", None) == command for event in self.history()):
            return None
        return Outcome.ending_in(self.state(), (), repeated=True)

    def verify(self, seals: Sequence[Seal] = ()) -> VerificationReport | None:
        """Check the record; None if there is none."""
        return None


class RecordBackend(Backend):
    """A fight that is kept for good, so that it can be followed, sealed, checked and forked."""

    id: UUID
    ledger: Ledger

    def elsewhere(self, reference: str) -> RecordBackend:
        """Where another fight of the same ledger is kept."""
        return self.ledger.fight(reference).backend

    def check_following(self) -> None:
        """Refuse if new events can never be followed here."""

    @abstractmethod
    def follow(self, after: int | None) -> Following: ...

    @abstractmethod
    def stream(self, after: int | None) -> AsyncIterator[Event]: ...

    @abstractmethod
    def verify(self, seals: Sequence[Seal] = ()) -> VerificationReport: ...

    @abstractmethod
    def export_seen(self, view: View) -> Iterator[str]: ...

    @abstractmethod
    def verify_shown(self, lines: Iterable[str], seat: Seat) -> VerificationReport: ...
