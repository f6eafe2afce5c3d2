"""Insert: make a forgotten declaration at the point of the fight where it belongs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from uuid import UUID, uuid4

from combatlog.rules.engine.commands import Declaration, Reply
from combatlog.rules.engine.corrections.correction_events import stamped
from combatlog.rules.engine.corrections.plan import Plan
from combatlog.rules.engine.corrections.rebase import Insertion, Rebase, Remedies
from combatlog.rules.engine.corrections.segments import Cluster, clusters
from combatlog.rules.engine.corrections.undo import declaration_of, standing_declaration
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from ledger.events import EncounterOpened, Forked, Inserted
from projections.battle.event_history import EarlierEvents


def before(fight: FightEngine, seq: int) -> int:
    """The first event of the declaration that an event belongs to; the insertion comes before it."""
    declared = standing_declaration(fight, seq)
    here = next(group for group in _groups(fight) if any(one.declaration == declared.seq for one in group))
    first = here[0].declaration
    if first != declared.seq:
        raise Refusal(
            "insert/while-waiting",
            f"Declaration {declared.seq} was made while declaration {first} waited for an answer; "
            f"choose a point before or after declaration {first}.",
            declaration=declared.seq,
            waiting=first,
        )
    return first


def after(fight: FightEngine, seq: int) -> int | None:
    """The first event after the declaration that an event belongs to; None: nothing was declared after it."""
    declaration_of(fight, seq)  # refuses a number that no event has
    place = fight.course.place(seq)
    firsts = (group[0].events[0].seq for group in _groups(fight))
    following = next((first for first in firsts if fight.course.place(first) > place), None)
    if following is not None:
        standing_declaration(fight, following)  # refuses the past that a fork shares
    return following


def plan_insert(
    fight: FightEngine,
    first: int | None,
    said: Declaration,
    *,
    by: str,
    reason: str,
    replies: Sequence[Reply] = (),
    remedies: Remedies | None = None,
    command: UUID | None = None,
) -> Plan:
    """The plan for declaring something before the event `first`, or at the end if that is None."""
    inserted = stamped(
        fight,
        Inserted,
        after=_preceding(fight, first),
        retracts=(),
        reason=reason,
        by=by,
        command=command or uuid4(),
    )
    rebase = Rebase(fight, inserted, remedies or Remedies(), insertion=Insertion(said, tuple(replies)))
    return rebase.run(first, (), {})


def _groups(fight: FightEngine) -> list[Cluster]:
    """The standing events by declaration, without the events that begin an encounter."""
    return clusters(e for e in fight.course.standing if not isinstance(e, EncounterOpened | Forked))


def _preceding(fight: FightEngine, first: int | None) -> int:
    """The last standing event before the point of insertion."""
    found = 0
    for event in takewhile(lambda event: event.seq != first, fight.course.standing):
        found = event.seq
    if not found:
        raise EarlierEvents
    return found
