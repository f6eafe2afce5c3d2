"""Correcting a fight behind a service: planned here, from its events, and carried out there as it was planned."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from uuid import UUID

from combatlog.corrections import Corrections

if TYPE_CHECKING:
    from ledger.events import Event
    from rules.engine.corrections.plan import Plan
    from rules.engine.fight import Fight as FightInMemory
    from rules.engine.outcome import Outcome


class RemoteCorrections(Corrections):
    """Dice that were never rolled are the service's to roll, when a correction is carried out: the plan says which."""

    def _apply(self, plan: Plan) -> Outcome:
        from combatlog.messages.corrections import as_json
        from ledger.errors import Problem
        from rules.engine.outcome import Outcome
        from rules.engine.referee import moved_on

        plan.require_decided()
        if plan.repeated:
            return Outcome.ending_in(plan.before, (), repeated=True)
        try:
            return self._record("corrections", as_json(plan.message), None, key=plan.key, expected=plan.before.seq)
        except Problem as problem:
            raise (moved_on() if problem.code == "request/moved-on" else problem) from problem

    def _plan(self, make: Callable[[FightInMemory], Plan], command: UUID | None) -> Plan:
        from rules.engine.corrections.plan import made_before
        from rules.engine.fight import Fight as FightInMemory
        from rules.engine.fight import NewDice

        fight = FightInMemory(self.history())
        fight.new_dice = NewDice.ELSEWHERE
        plan = made_before(fight, command) or make(fight)
        plan.repeated = plan.correction.command in fight.course.commands
        return plan

    @abstractmethod
    def _record(
        self,
        path: str,
        body: Mapping[str, Any],
        command: UUID | None,
        *,
        key: UUID | None = None,
        expected: int | None = None,
    ) -> Outcome: ...

    @abstractmethod
    def history(self, upto: int | None = None) -> list[Event]: ...
