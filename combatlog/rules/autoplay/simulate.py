"""Simulation: play the same fight many times with different dice, in several processes, and summarise the results.

Each fight is played in memory by the same code as any other. Its dice depend only on the seed and its number, so it is
the same fight, event by event, in every process.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from statistics import fmean, median

from pydantic import BaseModel

from combatlog.rules.autoplay.player import PlayLimits, check_playable, play, sides_left
from combatlog.rules.content.packs import Pack
from combatlog.rules.content.scenario import Scenario, join_all, opening_of
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import GM, Declaration
from combatlog.rules.engine.declarations.notes_and_rolls import LABEL
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from ledger.errors import Conflict, name_taken
from ledger.events import Damaged, EncounterOpened, Event, ResourceChanged
from ledger.json_shapes import Documented
from ledger.registry import GENESIS
from ledger.store.encounters import PRACTICE
from ledger.store.ledger import LedgerStore
from projections.battle.event_history import actor_behind
from projections.battle.fold import Battle
from projections.processes import in_processes

START = "core:time:start"


Record = Callable[[Sequence[Event]], None]
"""Records or refuses a whole fight. It is called in other processes, so it has to be picklable."""


@dataclass(frozen=True)
class SimulationPlan:
    """What to play, how often, and how to record it, if at all."""

    scenario: Scenario
    runs: int
    seed: int
    packs: Sequence[Pack] = ()
    record: Record | None = None


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """The result of one fight, by side where applicable."""

    number: int
    winner: str | None
    rounds: int
    events: int
    digest: str
    """A hash of all events without their times and command ids."""
    damage: dict[str, int] = field(default_factory=dict)
    standing: dict[str, int] = field(default_factory=dict)
    left: dict[str, dict[str, int]] = field(default_factory=dict)
    """What each combatant has left of its vitals and of resources that do not recover by themselves."""


def run_all(plan: SimulationPlan, jobs: int | None = None) -> Iterator[SimulationResult]:
    """The result of every fight, in order. A plan that cannot be played is refused before the first fight.

    Each process gets one fight at a time, so an interrupt only waits for the fights in progress.
    """
    check_playable(begin(plan, 0).battle, ())
    jobs = min(jobs or os.cpu_count() or 1, plan.runs)
    if jobs == 1:
        yield from map(partial(run_one, plan), range(plan.runs))
        return
    yield from in_processes(partial(run_one, plan), range(plan.runs), jobs)


def run_one(plan: SimulationPlan, number: int) -> SimulationResult:
    """Play one fight. If it is recorded, it is labelled as practice, because it says nothing about how people play."""
    fight = play_one(plan, number)
    result = _result(number, fight)
    if plan.record is not None:
        fight.declare(Declaration(actor=GM, action=LABEL, options={"add": [PRACTICE]}))
        plan.record(fight.events)
    return result


def play_one(plan: SimulationPlan, number: int) -> FightEngine:
    """Play one fight to its end, in memory."""
    fight = begin(plan, number)
    for _ in play(fight, PlayLimits(to_end=True)):
        pass
    return fight


def begin(plan: SimulationPlan, number: int) -> FightEngine:
    name = f"{plan.scenario.encounter}, seed {plan.seed} fight {number + 1}"
    seeded = plan.scenario.model_copy(update={"dice": f"seed:{plan.seed}/{number}"})
    fight = FightEngine.open(opening_of(seeded, name, plan.packs))
    join_all(seeded, fight, plan.packs)
    fight.declare(Declaration(actor=GM, action=START))
    return fight


def record_in(database: str, events: Sequence[Event]) -> None:
    """Record a whole fight with one append."""
    with LedgerStore.open(database) as ledger:
        try:
            ledger.append(events, GENESIS)
        except Conflict as conflict:
            raise name_taken(name_in(events)) from conflict


def name_in(events: Sequence[Event]) -> str:
    opened = events[0]
    assert isinstance(opened, EncounterOpened)
    return opened.name


def _result(number: int, fight: FightEngine) -> SimulationResult:
    battle = fight.battle
    left = sides_left(battle)
    return SimulationResult(
        number,
        winner=left[0] if len(left) == 1 else None,
        rounds=battle.clock.round,
        events=len(fight.events),
        digest=digest(fight.events),
        damage=damage_by_side(battle, fight.events),
        standing=_standing(battle),
        left=_left(battle),
    )


def digest(events: Sequence[Event]) -> str:
    whole = hashlib.sha256()
    for event in events:
        whole.update(event.model_dump_json(exclude={"recorded_at", "command"}).encode())
    return whole.hexdigest()


def damage_by_side(battle: Battle, events: Sequence[Event]) -> dict[str, int]:
    """The damage that each side dealt, including damage that waits in a pool."""
    dealt = dict.fromkeys(_sides(battle), 0)
    delayed = rulesets.find(battle.encounter.ruleset).delayed_damage
    for event in events:
        who, amount = _dealt(event, events, delayed)
        if who in battle.combatants:
            dealt[battle.combatants[who].side] += amount
    return dealt


def _dealt(event: Event, events: Sequence[Event], delayed: Collection[str]) -> tuple[str | None, int]:
    """The source and the amount of the damage in an event."""
    if isinstance(event, Damaged):
        return event.source, event.amount
    if isinstance(event, ResourceChanged) and event.resource in delayed:
        return actor_behind(event, events), max(0, event.after - event.before)
    return None, 0


def _standing(battle: Battle) -> dict[str, int]:
    standing = rulesets.find(battle.encounter.ruleset).in_the_fight(battle)
    return {side: sum(combatant.side == side for combatant in standing) for side in _sides(battle)}


def _left(battle: Battle) -> dict[str, dict[str, int]]:
    left: dict[str, dict[str, int]] = {}
    lasting = rulesets.find(battle.encounter.ruleset).lasting_resources
    for combatant in battle.combatants.values():
        pools = {name: vital.current for name, vital in combatant.vitals.items() if vital.maximum is not None}
        pools |= {name: combatant.economy.left(name) for name in lasting(combatant)}
        left[combatant.id] = pools
    return left


def _sides(battle: Battle) -> list[str]:
    return sorted({combatant.side for combatant in battle.combatants.values()})


Z = 1.959963984540054
"""The number of standard deviations around the mean that contain 95%."""
NOBODY = "nobody"


class WinRate(BaseModel):
    side: str
    fights: int
    share: float
    low: float
    high: float


class SpreadOfValues(BaseModel):
    mean: float
    least: float
    middle: float
    most: float


class SimulationSummary(Documented, BaseModel):
    fights: int
    wins: list[WinRate]
    figures: dict[str, SpreadOfValues]


def summarize(results: Sequence[SimulationResult]) -> SimulationSummary:
    return SimulationSummary(fights=len(results), wins=_wins(results), figures=_figures(results))


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95% confidence interval of a share (Wilson score interval)."""
    share = successes / trials
    centre = share + Z**2 / (2 * trials)
    spread = Z * sqrt(share * (1 - share) / trials + Z**2 / (4 * trials**2))
    scale = 1 + Z**2 / trials
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def _wins(results: Sequence[SimulationResult]) -> list[WinRate]:
    sides = sorted({side for result in results for side in result.standing})
    counted = Counter(result.winner or NOBODY for result in results)
    names = [*sides, NOBODY] if counted[NOBODY] else sides
    return [_win(name, counted[name], len(results)) for name in names]


def _win(side: str, fights: int, of: int) -> WinRate:
    low, high = wilson(fights, of)
    return WinRate(side=side, fights=fights, share=fights / of, low=low, high=high)


def _figures(results: Sequence[SimulationResult]) -> dict[str, SpreadOfValues]:
    columns: dict[str, list[float]] = {
        "rounds": [result.rounds for result in results],
        "events": [result.events for result in results],
    }
    for side in sorted(results[0].damage):
        columns[f"damage by {side}"] = [result.damage[side] for result in results]
    for side in sorted(results[0].standing):
        columns[f"{side} standing"] = [result.standing[side] for result in results]
    for name, pools in results[0].left.items():
        for pool in pools:
            columns[f"{name}'s {pool} left"] = [result.left[name][pool] for result in results]
    return {title: _range(values) for title, values in columns.items()}


def _range(values: Sequence[float]) -> SpreadOfValues:
    return SpreadOfValues(mean=fmean(values), least=min(values), middle=median(values), most=max(values))
