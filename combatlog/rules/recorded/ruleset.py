"""The ruleset of fights that another tool recorded. It has no rules: what the log says happened is what happened.

A declaration of such a fight comes from a line of the log, and what followed from it is on record. Resolved
again, it leads to just that. So the hashes can be verified, later declarations stay as they are when one is
taken back, and no other declaration can be made, except those that every ruleset has: labels, rulings, closing.
Verification names dice that do not add up, and damage that does not fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.ruleset import Enlistment, Recruit, Ruleset
from combatlog.rules.engine.table import Table
from combatlog.rules.recorded.contradictions import contradictions
from ledger.events import Data, Declared, Event
from projections.combatant import Combatant


class Recorded(Ruleset):
    name = "recorded"
    version = "1"

    def settle(self, options: Data) -> Data:
        raise Refusal(
            "recorded/opened-by-import",
            "Fights without rules come from the logs of other tools; they are not opened by hand.",
            ruleset=self.name,
        )

    def sheets(self) -> dict[str, Data]:
        return {}

    def recruit(self, enlistment: Enlistment) -> Recruit:
        raise _no_rules("nobody can join")

    def action_refs(self, actor: Combatant | None = None) -> dict[str, str]:
        return {}

    def reaction_refs(self) -> dict[str, str]:
        return {}

    def action_ref(self, name: str, actor: Combatant | None = None) -> str:
        raise _no_rules("nothing can be declared")

    def resolve(self, table: Table, declared: Declared) -> None:
        if not table.is_on_record:
            raise _no_rules("nothing can be declared or changed")
        while (event := table.unmatched) is not None and event.declaration == declared.seq:
            self._let_happen(table, event)

    def _let_happen(self, table: Table, event: Event) -> None:
        try:
            table.record(type(event), **event.__dict__)
        except LookupError as error:  # of a fold: whoever it is about never joined
            raise Refusal(
                "recorded/out-of-context",
                f"Event {event.seq} is about somebody or something that is not in the fight any more.",
                seq=event.seq,
            ) from error

    def start(self, table: Table) -> None:
        raise _no_rules("nobody can start it")

    def end_turn(self, table: Table, combatant: Combatant) -> None:
        raise _no_rules("no turn can be ended")

    def contradictions(self, events: Sequence[Event]) -> Iterable[tuple[int, str]]:
        return contradictions(events)


def _no_rules(what: str) -> Refusal:
    sentence = f"This fight was recorded by another tool, and there are no rules to go on with: {what}."
    return Refusal("recorded/no-rules", sentence)
