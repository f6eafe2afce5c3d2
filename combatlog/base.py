"""What a fight rests on: where it is kept. Everything else is made of this."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from uuid import UUID

    from combatlog.fight import Fight
    from combatlog.messages.corrections import Correction
    from combatlog.messages.message import Message
    from ledger.events import Event, Face
    from projections.battle import Battle
    from projections.views import Onlooker, Seat
    from rules.engine.commands import Declaration, Reply
    from rules.engine.corrections.plan import Plan
    from rules.engine.fight import Fight as FightInMemory
    from rules.engine.outcome import Outcome

GM = "gm"


class Kept(ABC):
    """A fight that is kept somewhere: it takes declarations and answers, and can be read."""

    outcome: Outcome | None = None
    """What the last command that was given here led to."""

    @property
    @abstractmethod
    def battle(self) -> Battle:
        """The state that the rules work on. It changes with every command; `state()` gives one to keep."""

    @abstractmethod
    def declare(
        self,
        declaration: Declaration,
        *,
        dice: Sequence[Face] | None = None,
        replies: Sequence[Reply] = (),
        command_id: UUID | None = None,
    ) -> Outcome:
        """Declare something, given as a value; `do` takes names instead."""

    @abstractmethod
    def answer(self, reply: Reply, *, dice: Sequence[Face] | None = None, command_id: UUID | None = None) -> Outcome:
        """Answer the open window, given as a value; `react` takes names instead."""

    @abstractmethod
    def time_up(
        self, *, dice: Sequence[Face] | None = None, by: str | None = None, command_id: UUID | None = None
    ) -> Outcome:
        """Let the encounter's option decide for whoever may react and did not answer in time (`reaction_time`).

        Declaring and answering do so by themselves. If what follows needs dice of the table, they are given here.
        """

    @abstractmethod
    def plan_as(self, correction: Correction, command: UUID | None) -> Plan: ...

    def apply(self, plan: Plan) -> Outcome:
        """Carry out a correction exactly as it was planned, in one append.

        It is refused if something else was recorded since: then the plan has to be made again. It is also refused if
        the plan is `undecided`, or if the table has to agree to it. A plan that was applied before does nothing.
        """
        from rules.engine.corrections.consent import require_consent

        require_consent(plan)
        return self._apply(plan)

    @abstractmethod
    def _apply(self, plan: Plan) -> Outcome:
        """Carry out a correction that all who have to agree have agreed to."""

    @abstractmethod
    def state(self, at: int | None = None) -> Battle:
        """The state now, or as it was after the event `at`."""

    def latest(self, count: int) -> list[Event]:
        """The last events. However long the fight is, no others are read."""
        return self.history()[-count:]

    def introductions(self) -> list[Event]:
        """How the fight was opened, who joined it and the order of turns: what every sentence about it needs.

        The last event comes with them, whatever it is.
        """
        from projections.cast import INTRODUCTIONS

        events = self.history()
        return [event for event in events if isinstance(event, INTRODUCTIONS) or event is events[-1]]

    @abstractmethod
    def history(self, upto: int | None = None) -> list[Event]:
        """Every event from the first one on."""

    def send(
        self, message: Message, *, seat: str | Seat | None = None, command_id: UUID | None = None, dry_run: bool = False
    ) -> Any:
        """Say or ask something, given as a value: the only way in. A seat decides who may, and what is told; without
        one, the owner of the ledger says it.

        A message that is sent again with the same `command_id` does nothing, and gives the same answer; another message
        with that id is refused. A dry run records nothing: it gives the plan of a correction, or what a command would
        lead to if the dice that are not given were low.
        """
        from combatlog.handlers import carry_out
        from combatlog.messages.rights import Right
        from combatlog.sender import Sender, check_right

        command = message.command(command_id) if command_id is not None else None
        by = getattr(message, "by", None)
        sender = Sender(cast("Fight", self), by=by, command=command, dry_run=dry_run)
        if seat is not None:
            sender.seat = self.seat(seat)
            check_right(sender.seat, Right.OVERSEE if dry_run else message.right)
        return carry_out(message, sender)

    @abstractmethod
    def seat(self, seat: str | Seat) -> Seat:
        """A seat in this fight, with the ids of the combatants that it names."""

    @abstractmethod
    def seen_by(self, seat: str | Seat, at: int | None = None) -> Onlooker: ...

    def repeated(self, command: UUID | None) -> Outcome | None:
        """What a command comes to that was carried out before; None if it was not."""
        from rules.engine.outcome import Outcome

        if command is None or not any(getattr(event, "command", None) == command for event in self.history()):
            return None
        return Outcome.ending_in(self.state(), (), repeated=True)

    def party(self) -> tuple[str, ...]:
        """The players' combatants that are alive."""
        from ledger.events import Controller
        from rules.engine import ruleset as rulesets

        rules = rulesets.find(self.battle.encounter.ruleset)
        present = (one for one in self.battle.present() if one.controller is Controller.PLAYER)
        return tuple(one.id for one in present if not rules.is_dead(one))

    @abstractmethod
    def _plan(self, make: Callable[[FightInMemory], Plan], command: UUID | None) -> Plan:
        """Plan a correction on the fight as it is now; nothing is to do if this command was carried out before."""

    @abstractmethod
    def _in_memory(self) -> FightInMemory:
        """The fight as it is now, for questions to the rules."""
