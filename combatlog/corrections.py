"""Planning corrections. A plan shows what would become of every declaration; `apply` carries it out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from combatlog.base import Kept

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from combatlog.messages.corrections import Correction
    from rules.engine.corrections.plan import Plan


class Corrections(Kept):
    """Later declarations are resolved again with the dice they had. What the corrected fight needs beyond that can be
    decided beforehand: `dice` for faces that were never rolled, `later_replies` to windows that were not there before,
    and with `impossible` what to do with declarations that are no longer legal (`drop`, `keep` as a ruling, or `stop`).
    With `stop`, a plan that has any is `undecided`: it shows them, and cannot be applied.

    A plan that needs committed dice which were never rolled says so in `needs`, and shows what happens before them.
    `apply` rolls them; `plan.complete()` then shows the rest."""

    def plan(self, correction: Correction, *, command_id: UUID | None = None) -> Plan:
        """What a correction would do: `Undo`, `Redo`, `Amend` or `Insert`. Nothing is recorded."""
        plan: Plan = self.send(correction, command_id=command_id, dry_run=True)
        return plan

    def plan_as(self, correction: Correction, command: UUID | None) -> Plan:
        """The plan of a correction that will be recorded under this id."""
        plan = self._plan(lambda fight: correction.plan(fight, command), command)
        plan.message = correction
        return plan

    def plan_undo(self, seq: int | None = None, *, command_id: UUID | None = None, **what: Any) -> Plan:
        """Plan an `Undo`: of the declaration that event `seq` belongs to, or of the last one."""
        from combatlog.messages.corrections import Undo
        from combatlog.messages.message import message

        return self.plan(message(Undo, seq=seq, **what), command_id=command_id)

    def plan_redo(self, *, command_id: UUID | None = None, **what: Any) -> Plan:
        """Plan a `Redo`: to take back the last correction."""
        from combatlog.messages.corrections import Redo
        from combatlog.messages.message import message

        return self.plan(message(Redo, **what), command_id=command_id)

    def plan_amend(
        self, seq: int, *, target: str | Sequence[str] | None = None, command_id: UUID | None = None, **what: Any
    ) -> Plan:
        """Plan an `Amend` of the declaration that event `seq` belongs to. What is not given stays as it was."""
        from combatlog.messages.corrections import Amend
        from combatlog.messages.message import message

        return self.plan(message(Amend, seq=seq, targets=target, **what), command_id=command_id)

    def plan_insert(
        self,
        actor: str,
        action: str,
        *,
        target: str | Sequence[str] | None = None,
        command_id: UUID | None = None,
        **what: Any,
    ) -> Plan:
        """Plan an `Insert` of what was forgotten, `before` or `after` an event. It is said as in `do`."""
        from combatlog.messages.corrections import Insert
        from combatlog.messages.message import message

        said = message(Insert, who=actor, action=action, targets=target, **what)
        return self.plan(said, command_id=command_id)
