"""The report of one fight, from one pass over the events that stand."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import EncounterClosed, Event, Redone, Ruled
from projections.report.balance import Shifts
from projections.report.falls import Falls
from projections.report.followed import Followed, Judge
from projections.report.luck import Chances
from projections.report.models import Correction, FightReport, Result, Ruling
from projections.report.pools import Pools
from projections.report.reactions import Reactions
from projections.report.shares import Shares
from projections.timeline import Correction as Correcting
from projections.timeline import is_correction, standing, timeline_of


def report_of(events: Sequence[Event], judge: Judge) -> FightReport:
    """What happened in a fight. What was taken back does not count, except among the corrections."""
    fight = Followed(events, judge)
    shares, falls, reactions, chances, shifts, pools = Shares(), Falls(), Reactions(), Chances(), Shifts(), Pools()
    counting = [event for event in standing(events) if not is_correction(event)]
    for event in counting:
        fight.feed(event)
        for part in (shares, falls, reactions, chances, shifts, pools):
            part.take(event, fight)
    battle = fight.battle
    return FightReport(
        fight=battle.name,
        id=battle.id,
        ruleset=battle.encounter.ruleset,
        opened=battle.encounter.recorded_at,
        forked=battle.fork is not None,
        rounds=battle.clock.round,
        events=len(events),
        result=_result(fight, counting),
        shares=shares.rows(fight, falls.counts()),
        falls=falls.rows(fight),
        reactions=reactions.rows(fight),
        luck=chances.rows(fight),
        attacks_without_odds=chances.without_odds,
        turning_points=shifts.turning_points(fight),
        corrections=_corrections(events),
        rulings=[_ruling(event) for event in counting if isinstance(event, Ruled)],
        balance=shifts.balance,
        pools=pools.rows(fight),
        round_starts=_round_starts(counting),
    )


def _result(fight: Followed, counting: Sequence[Event]) -> Result:
    closed = next((event for event in reversed(counting) if isinstance(event, EncounterClosed)), None)
    return Result(
        sides=sorted({combatant.side for combatant in fight.battle.combatants.values()}),
        winner=fight.judge.winner(fight.battle),
        closed=fight.battle.clock.closed,
        how=closed.why if closed is not None else None,
    )


def _corrections(events: Sequence[Event]) -> list[Correction]:
    taken_back = timeline_of(events).taken_back
    return [_correction(event, event.seq in taken_back) for event in events if isinstance(event, Correcting)]


def _correction(event: Correcting, taken_back: bool) -> Correction:
    return Correction(
        seq=event.seq,
        kind=event.kind,
        by=event.by,
        reason=event.reason,
        declarations=0 if isinstance(event, Redone) else len(event.retracts),
        taken_back=taken_back,
    )


def _ruling(event: Ruled) -> Ruling:
    return Ruling(seq=event.seq, round=event.round, by=event.by, ruling=event.ruling, reason=event.reason)


def _round_starts(counting: Sequence[Event]) -> dict[int, int]:
    starts: dict[int, int] = {}
    for at, event in enumerate(counting, 1):
        if event.round > 0:
            starts.setdefault(event.round, at)
    return starts
