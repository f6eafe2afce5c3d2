"""The report of a fight from a seat that does not see everything, based only on what the seat saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ledger.events import AttackResolved, CombatantLeft, Damaged, Event, Healed, Redone, Ruled
from projections.battle.combatant import Combatant
from projections.battle.timeline import Correction as Correcting
from projections.battle.timeline import is_correction, standing, timeline_of
from projections.report.models import (
    FightResult,
    ReportCorrection,
    ReportPool,
    ReportRuling,
    SeenFall,
    SeenReport,
    SeenShare,
)
from projections.views import ApparentHealth, CombatantOutline, SeatView
from projections.views.redacted_events import SeenAttack, SeenHurt, health_of


def seat_report(seen: SeatView) -> SeenReport:
    battle = seen.battle
    counting = [event for event in standing(seen.seen) if not is_correction(event)]
    return SeenReport(
        seat=seen.seat.words,
        fight=battle.name,
        id=battle.id,
        ruleset=battle.encounter.ruleset,
        opened=battle.encounter.recorded_at.replace(microsecond=0),
        rounds=battle.clock.round,
        events=len(seen.seen),
        result=_result(list(battle.combatants.values()), closed=battle.clock.closed),
        shares=list(_shares(seen, counting)),
        falls=list(_falls(seen, counting)),
        corrections=_corrections(seen.seen),
        rulings=[_ruling(event) for event in counting if isinstance(event, Ruled)],
    )


def _result(combatants: Sequence[Combatant], *, closed: bool) -> FightResult:
    """Who is still up, as far as the seat can tell."""
    sides = sorted({one.side for one in combatants})
    left = {one.side for one in combatants if _is_up(one)}
    winner = next(iter(left)) if closed and len(left) == 1 and len(sides) > 1 else None
    return FightResult(sides=sides, winner=winner, closed=closed, how=None)


def _is_up(combatant: Combatant) -> bool:
    return combatant.present and looks_of(combatant) is not ApparentHealth.DOWN


def looks_of(combatant: Combatant) -> ApparentHealth | None:
    return combatant.health if isinstance(combatant, CombatantOutline) else health_of(combatant)


def _shares(seen: SeatView, counting: Sequence[Event]) -> Iterator[SeenShare]:
    attacks: Counter[str | None] = Counter()
    hits: Counter[str | None] = Counter()
    taken: Counter[str] = Counter()
    recovered: Counter[str] = Counter()
    for event in counting:
        if isinstance(event, AttackResolved | SeenAttack):
            attacks[event.attacker] += 1
            hits[event.attacker] += event.hit
        elif isinstance(event, Damaged):
            taken[event.target] += event.amount
        elif isinstance(event, Healed):
            recovered[event.target] += event.amount
    for one in seen.battle.combatants.values():
        in_numbers = bool(one.vitals)
        yield SeenShare(
            id=one.id,
            name=one.name,
            side=one.side,
            attacks=attacks[one.id],
            hits=hits[one.id],
            taken=taken[one.id] if in_numbers else None,
            recovered=recovered[one.id] if in_numbers else None,
            pools={name: ReportPool(current=pool.current, maximum=pool.maximum) for name, pool in one.pools().items()},
            looks=looks_of(one),
            in_the_fight=_is_up(one),
        )


def _falls(seen: SeatView, counting: Sequence[Event]) -> Iterator[SeenFall]:
    for event in counting:
        who = _who_fell(event)
        if who is not None:
            left = isinstance(event, CombatantLeft)
            yield SeenFall(who=who, name=seen.cast.name(who), seq=event.seq, round=event.round, left=left)


def _who_fell(event: Event) -> str | None:
    if isinstance(event, CombatantLeft):
        return event.combatant
    if isinstance(event, SeenHurt) and event.health is ApparentHealth.DOWN:
        return event.target
    return event.target if isinstance(event, Damaged) and event.left == 0 and event.amount else None


def _corrections(events: Sequence[Event]) -> list[ReportCorrection]:
    taken_back = timeline_of(events).taken_back
    return [
        ReportCorrection(
            seq=event.seq,
            kind=event.kind,
            by=event.by,
            reason=event.reason,
            declarations=0 if isinstance(event, Redone) else len(event.retracts),
            taken_back=event.seq in taken_back,
        )
        for event in events
        if isinstance(event, Correcting)
    ]


def _ruling(event: Ruled) -> ReportRuling:
    return ReportRuling(seq=event.seq, round=event.round, by=event.by, ruling=event.ruling, reason=event.reason)
