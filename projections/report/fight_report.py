"""The report of one fight, from one pass over the events that stand.

For each combatant that dropped out, it lists the last three blows.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from ledger.events import (
    AttackResolved,
    CombatantLeft,
    ConditionApplied,
    ConditionRemoved,
    Damaged,
    EncounterClosed,
    Event,
    Redone,
    ResourceChanged,
    Ruled,
)
from projections.battle.timeline import Correction as Correcting
from projections.battle.timeline import is_correction, standing, timeline_of
from projections.report.fight_totals import BalanceShifts, FightJudge, FollowedFight, PoolTotals, ShareTotals
from projections.report.luck_and_reactions import HitChances, ReactionTotals
from projections.report.models import Blow, Fall, FightReport, FightResult, ReportCorrection, ReportRuling
from projections.story.text import short

RECAP = 3


@dataclass(slots=True)
class _Down:
    """A combatant that dropped out. Its conditions are followed as long as it is down."""

    who: str
    event: Event
    blows: list[Blow]
    conditions: dict[str, str] = field(default_factory=dict)
    back_in: int | None = None


class Falls:
    def __init__(self) -> None:
        self._blows: defaultdict[str, deque[Blow]] = defaultdict(lambda: deque(maxlen=RECAP))
        self._falls: list[_Down] = []
        self._down: dict[str, _Down] = {}
        self._fighting: set[str] = set()

    def take(self, event: Event, fight: FollowedFight) -> None:
        if blow := _blow(event, fight):
            self._blows[blow[0]].append(blow[1])
        now = set(fight.fighting)
        for who in sorted(self._fighting - now):
            self._falls.append(_Down(who, event, list(self._blows[who])))
            self._down[who] = self._falls[-1]
        for who in now & set(self._down):
            self._down.pop(who).back_in = event.round
        self._fighting = now
        self._follow_conditions(event)

    def _follow_conditions(self, event: Event) -> None:
        if isinstance(event, ConditionApplied) and event.target in self._down:
            self._down[event.target].conditions[event.condition] = short(event.condition)
        elif isinstance(event, ConditionRemoved) and event.target in self._down:
            self._down[event.target].conditions.pop(event.condition, None)

    def counts(self) -> Counter[str]:
        return Counter(fall.who for fall in self._falls if not isinstance(fall.event, CombatantLeft))

    def rows(self, fight: FollowedFight) -> list[Fall]:
        return [
            Fall(
                fight=fight.battle.name,
                who=fall.who,
                name=fight.name(fall.who),
                seq=fall.event.seq,
                round=fall.event.round,
                left=isinstance(fall.event, CombatantLeft),
                conditions=sorted(fall.conditions.values()),
                back_in=fall.back_in,
                blows=fall.blows,
            )
            for fall in self._falls
        ]


def _blow(event: Event, fight: FollowedFight) -> tuple[str, Blow] | None:
    """The combatant that an event hurt, and how. Delayed damage that takes effect now is not a new blow."""
    if isinstance(event, Damaged):
        delayed = event.parts and all(_last(part.source) in fight.judge.delayed_damage for part in event.parts)
        return None if delayed or not event.amount + event.overkill else (event.target, _struck(event, fight))
    if (
        isinstance(event, ResourceChanged)
        and event.resource in fight.judge.delayed_damage
        and event.after > event.before
    ):
        return event.owner, _queued(event, fight)
    return None


def _struck(event: Damaged, fight: FollowedFight) -> Blow:
    attacks = (other for other in fight.group(event) if isinstance(other, AttackResolved))
    attack = next((attack for attack in attacks if attack.hit and attack.target == event.target), None)
    weapon = attack.weapon if attack is not None and attack.attacker == event.source else None
    return Blow(
        seq=event.seq,
        round=event.round,
        by=event.source,
        by_name=fight.name(event.source) if event.source is not None else None,
        source=weapon or (event.parts[0].source if event.parts else None),
        pool=event.pool,
        amount=event.amount,
        left=event.left,
        overkill=event.overkill,
        is_ruling=fight.is_ruled(event),
    )


def _queued(event: ResourceChanged, fight: FollowedFight) -> Blow:
    doer = fight.doer(event)
    return Blow(
        seq=event.seq,
        round=event.round,
        by=doer,
        by_name=fight.name(doer) if doer is not None else None,
        source=event.source,
        pool=event.resource,
        amount=event.after - event.before,
        left=None,
    )


def _last(ref: str) -> str:
    return ref.rsplit(":", 1)[-1]


def report_of(events: Sequence[Event], judge: FightJudge) -> FightReport:
    """What happened in a fight. Events that were taken back do not count, except among the corrections."""
    fight = FollowedFight(events, judge)
    shares, falls, reactions, chances, shifts, pools = (
        ShareTotals(),
        Falls(),
        ReactionTotals(),
        HitChances(),
        BalanceShifts(),
        PoolTotals(),
    )
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


def _result(fight: FollowedFight, counting: Sequence[Event]) -> FightResult:
    closed = next((event for event in reversed(counting) if isinstance(event, EncounterClosed)), None)
    return FightResult(
        sides=sorted({combatant.side for combatant in fight.battle.combatants.values()}),
        winner=fight.judge.winner(fight.battle),
        closed=fight.battle.clock.closed,
        how=closed.why if closed is not None else None,
    )


def _corrections(events: Sequence[Event]) -> list[ReportCorrection]:
    taken_back = timeline_of(events).taken_back
    return [_correction(event, event.seq in taken_back) for event in events if isinstance(event, Correcting)]


def _correction(event: Correcting, taken_back: bool) -> ReportCorrection:
    return ReportCorrection(
        seq=event.seq,
        kind=event.kind,
        by=event.by,
        reason=event.reason,
        declarations=0 if isinstance(event, Redone) else len(event.retracts),
        taken_back=taken_back,
    )


def _ruling(event: Ruled) -> ReportRuling:
    return ReportRuling(seq=event.seq, round=event.round, by=event.by, ruling=event.ruling, reason=event.reason)


def _round_starts(counting: Sequence[Event]) -> dict[int, int]:
    starts: dict[int, int] = {}
    for at, event in enumerate(counting, 1):
        if event.round > 0:
            starts.setdefault(event.round, at)
    return starts
