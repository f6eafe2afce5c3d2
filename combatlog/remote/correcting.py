"""Correcting a fight behind a service: planned here, from its events, and carried out there as it was planned."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from uuid import UUID

from combatlog.corrections import Corrections
from combatlog.remote.replies import sent_replies

if TYPE_CHECKING:
    from ledger.events import Event
    from rules.engine.corrections.plan import Plan
    from rules.engine.fight import Fight as FightInMemory
    from rules.engine.outcome import Outcome


class RemoteCorrections(Corrections):
    """Dice that were never rolled are the service's to roll, when a correction is carried out: the plan says which."""

    def plan_undo(self, seq: int | None = None, **what: Any) -> Plan:
        later = {"later_replies": what.get("replies")}
        said = {name: value for name, value in what.items() if name != "replies"}
        return self._noted(super().plan_undo(seq, **what), "undo", {"seq": seq, **said, **later})

    def plan_redo(self, **what: Any) -> Plan:
        return self._noted(super().plan_redo(**what), "redo", what)

    def plan_amend(self, seq: int, **what: Any) -> Plan:
        return self._noted(super().plan_amend(seq, **what), "amend", {"seq": seq, **what})

    def plan_insert(self, actor: str, action: str, **what: Any) -> Plan:
        said = {"actor": actor, "action": action, **what}
        return self._noted(super().plan_insert(actor, action, **what), "insert", said)

    def _noted(self, plan: Plan, correction: str, what: Mapping[str, Any]) -> Plan:
        """Remember what was asked for: that, and not the plan, is what is sent."""
        command = plan.correction.command
        if command is not None:
            signed = {"reason": plan.correction.reason, "by": plan.correction.by}
            self._asked_for[command] = body_of(correction, {**what, **signed})
        return plan

    @property
    def _asked_for(self) -> dict[UUID, dict[str, Any]]:
        known: dict[UUID, dict[str, Any]] = self.__dict__.setdefault("_corrections_asked_for", {})
        return known

    def _apply(self, plan: Plan) -> Outcome:
        from ledger.errors import Problem
        from rules.engine.outcome import Outcome
        from rules.engine.referee import moved_on

        plan.require_decided()
        if plan.repeated:
            return Outcome.ending_in(plan.before, (), repeated=True)
        command = plan.correction.command
        assert command is not None
        try:
            return self._record("corrections", self._asked_for[command], None, key=command, expected=plan.before.seq)
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


_UNSENT = ("command_id",)


def body_of(correction: str, what: Mapping[str, Any]) -> dict[str, Any]:
    """The request for a correction; what nobody said is left out."""
    given = {name: value for name, value in what.items() if name not in _UNSENT and value not in (None, (), [], {})}
    if "target" in given:
        target = given.pop("target")
        given["targets"] = [target] if isinstance(target, str) else list(target)
    if "replies" in given:
        given["replies"] = sent_replies(given["replies"])
    if "later_replies" in given:
        given["later_replies"] = {str(seq): sent_replies(replies) for seq, replies in given["later_replies"].items()}
    if "add" in given:
        given["add"] = [forgotten.model_dump(mode="json") for forgotten in given["add"]]
    return {"correction": correction, **given}
