"""The ruleset of fights that another tool recorded. It has no rules: the events of the log are taken as they are.

Each declaration of such a fight comes from a line of the log. Resolved again, it leads to its recorded events, so the
fight can be verified. Contradictions within the log are reported: dice that do not add up, and damage that does not
fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset import Enlistment, Recruit, Ruleset
from ledger.events import Damaged, Data, Declared, Event, Healed, ResourceChanged, Rolled
from projections.battle.combatant import Combatant
from projections.battle.dice import read_notation
from projections.battle.fold import Battle
from projections.battle.timeline import standing


def contradictions(events: Sequence[Event]) -> Iterator[tuple[int, str]]:
    """The seq of each event that cannot be right, and why."""
    battle = Battle()
    for event in standing(events):
        check = _CHECKS.get(type(event))
        if check is not None and (problem := check(event, battle)):
            yield event.seq, problem
        battle.apply(event)


def _rolled(event: Rolled, battle: Battle) -> str | None:
    """Check that the total is the sum of the kept dice and the modifiers, and that the faces are possible."""
    notation = read_notation(event.notation)
    if notation is None or not event.kept or not all(isinstance(face, int) for face in event.kept):
        return None
    comes_to = sum(face for face in event.kept if isinstance(face, int)) + notation.constant
    comes_to += sum(modifier.amount for modifier in event.modifiers)
    if comes_to != event.total:
        return f"its dice and modifiers add up to {comes_to}, but its total is {event.total}"
    return _impossible_face(event)


def _impossible_face(event: Rolled) -> str | None:
    notation = read_notation(event.notation)
    for die, face in zip(notation.dice(len(event.faces)) if notation else (), event.faces, strict=False):
        if face not in die.faces:
            return f"a {die.name} does not have a {face}"
    return None


def _damaged(event: Damaged, battle: Battle) -> str | None:
    return _pool(event.target, event.pool, -event.amount, event.left, battle)


def _healed(event: Healed, battle: Battle) -> str | None:
    return _pool(event.target, event.pool, event.amount, event.left, battle)


def _pool(who: str, pool: str, change: int, left: int, battle: Battle) -> str | None:
    """Check that the value before and the change add up to what is left."""
    before = battle.combatants[who].vitals[pool].current
    if before + change != left:
        return f"{who} had {before} {pool} before, and a change of {change:+d} does not leave {left}"
    return None


def _changed(event: ResourceChanged, battle: Battle) -> str | None:
    vital = battle.combatants[event.owner].vitals.get(event.resource)
    if vital is not None and vital.current != event.before:
        return f"{event.owner} had {vital.current} {event.resource} before, not {event.before}"
    return None


_CHECKS: dict[type[Event], Callable[[Any, Battle], str | None]] = {
    Rolled: _rolled,
    Damaged: _damaged,
    Healed: _healed,
    ResourceChanged: _changed,
}


class Recorded(Ruleset):
    name = "recorded"
    version = "1"

    def settle(self, options: Data) -> Data:
        raise Refusal(
            "recorded/opened-by-import",
            "Fights of the ruleset `recorded` come from the logs of other tools; import the log instead.",
            ruleset=self.name,
        )

    def sheets(self) -> dict[str, Data]:
        return {}

    def recruit(self, enlistment: Enlistment) -> Recruit:
        raise _no_rules("no combatant can join")

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
        except LookupError as error:  # raised by a fold if the combatant never joined
            raise Refusal(
                "recorded/out-of-context",
                f"Event {event.seq} is about a combatant or thing that is no longer in the fight.",
                seq=event.seq,
            ) from error

    def start(self, table: Table) -> None:
        raise _no_rules("it cannot be started")

    def end_turn(self, table: Table, combatant: Combatant) -> None:
        raise _no_rules("no turn can be ended")

    def contradictions(self, events: Sequence[Event]) -> Iterable[tuple[int, str]]:
        return contradictions(events)


def _no_rules(what: str) -> Refusal:
    sentence = f"This fight was recorded by another tool, so it has no rules to continue with: {what}."
    return Refusal("recorded/no-rules", sentence)


RULESET = Recorded()

__all__ = ["RULESET"]
