"""What a command would do, as the plan that those see who are asked to agree to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import takewhile
from uuid import UUID

from combatlog.rules.engine.commands import GM
from combatlog.rules.engine.corrections.plan import DiceNeeded, Entry, Plan, Verdict
from combatlog.rules.engine.dice import parse
from combatlog.rules.engine.refusal import Refusal
from ledger.events import AreaAffected, Commanded, Declared, Event, Rolled
from projections.battle import Battle
from projections.consent import PROPOSE
from projections.difference import differences
from projections.journal import copy_of

_NEVER = datetime(1, 1, 1, tzinfo=UTC)


def plan_of_command(before: Battle, imagined: Sequence[Event], named: frozenset[str]) -> Plan:
    """From the events that were imagined with assumed dice: what comes after the first dice is not shown.

    It affects the combatants that the command names, those that it would change, and those in its area.
    """
    new = [event for event in imagined if event.seq > before.seq]
    certain = list(takewhile(lambda event: not isinstance(event, Rolled), new))
    changed = {change.who for change in differences(before, _after(before, new)) if change.who is not None}
    caught = {who for event in new if isinstance(event, AreaAffected) for who in event.caught}
    root = next((event for event in imagined if isinstance(event, Commanded)), None) or nothing(before, before.seq)
    return Plan(
        root,
        [_entry(event, before) for event in imagined if isinstance(event, Declared)],
        certain,
        before,
        _after(before, certain),
        needs=_dice(new),
        affects=named | changed | caught,
    )


def plan_of_nothing(before: Battle, refusal: Refusal) -> Plan:
    """Of a command that is not possible now."""
    return Plan(nothing(before, before.seq), [], [], before, before, undecided=refusal)


def _entry(declared: Declared, before: Battle) -> Entry:
    """An answer belongs to a declaration that was made before."""
    return Entry(declared, Verdict.PROPOSED if declared.seq > before.seq else Verdict.CHANGED)


def _after(before: Battle, events: Sequence[Event]) -> Battle:
    battle = copy_of(before)
    for event in events:
        battle.apply(event)
    return battle


def _dice(events: Sequence[Event]) -> DiceNeeded | None:
    roll = next((event for event in events if isinstance(event, Rolled)), None)
    if roll is None:
        return None
    return DiceNeeded(roll.declaration, roll.purpose, tuple(die.name for die in parse(roll.notation).dice))


def nothing(before: Battle, last: int) -> Declared:
    """In place of what is not known: it says nothing but that something is proposed."""
    seq = last + 1
    return Declared(
        encounter=before.id, seq=seq, declaration=seq, recorded_at=_NEVER, command=UUID(int=0), actor=GM, action=PROPOSE
    )
