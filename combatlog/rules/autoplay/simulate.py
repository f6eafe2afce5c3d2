"""Simulation: plays the same fight many times, each time with its own dice, in several processes.

Each fight is played in memory by the same code as any other. Its dice follow only from the seed and its number, so that
it is the same fight, event by event, whichever process plays it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from combatlog.rules.autoplay.auto import Limits, check_playable, play, sides_left
from combatlog.rules.content.packs import Pack
from combatlog.rules.content.scenario import Scenario, join_all, opening_of
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import GM, Declaration
from combatlog.rules.engine.fight import Fight
from combatlog.rules.engine.labelling import LABEL
from ledger.errors import Conflict, name_taken
from ledger.events import Damaged, EncounterOpened, Event, ResourceChanged
from ledger.hashing import GENESIS
from ledger.labels import PRACTICE
from ledger.processes import in_processes
from projections.battle import Battle
from projections.origins import actor_behind

START = "core:time:start"


Record = Callable[[Sequence[Event]], None]
"""Records a whole fight, or refuses. It is called in other processes, so it has to be picklable."""


@dataclass(frozen=True)
class Plan:
    """What is played, how often, and where it is recorded, if it is."""

    scenario: Scenario
    runs: int
    seed: int
    packs: Sequence[Pack] = ()
    record: Record | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one fight, by side where that makes sense."""

    number: int
    winner: str | None
    rounds: int
    events: int
    digest: str
    """Different for fights that differ in any event, apart from the time and the command that recorded it."""
    damage: dict[str, int] = field(default_factory=dict)
    standing: dict[str, int] = field(default_factory=dict)
    left: dict[str, dict[str, int]] = field(default_factory=dict)
    """What is left of each resource that does not come back by itself, and of each vital."""


def run_all(plan: Plan, jobs: int | None = None) -> Iterator[Result]:
    """The result of every fight, in order. Whatever can be refused is refused before the first.

    Each process gets one fight at a time, so an interrupt waits only for the fights in progress.
    """
    check_playable(begin(plan, 0).battle, ())
    jobs = min(jobs or os.cpu_count() or 1, plan.runs)
    if jobs == 1:
        yield from map(partial(run_one, plan), range(plan.runs))
        return
    yield from in_processes(partial(run_one, plan), range(plan.runs), jobs)


def run_one(plan: Plan, number: int) -> Result:
    """A fight that is recorded is labelled as practice: it says nothing about how people play."""
    fight = play_one(plan, number)
    result = _result(number, fight)
    if plan.record is not None:
        fight.declare(Declaration(actor=GM, action=LABEL, options={"add": [PRACTICE]}))
        plan.record(fight.events)
    return result


def play_one(plan: Plan, number: int) -> Fight:
    """Play one of the fights to its end, in memory."""
    fight = begin(plan, number)
    for _ in play(fight, Limits(to_end=True)):
        pass
    return fight


def begin(plan: Plan, number: int) -> Fight:
    name = f"{plan.scenario.encounter}, seed {plan.seed} fight {number + 1}"
    seeded = plan.scenario.model_copy(update={"dice": f"seed:{plan.seed}/{number}"})
    fight = Fight.open(opening_of(seeded, name, plan.packs))
    join_all(seeded, fight, plan.packs)
    fight.declare(Declaration(actor=GM, action=START))
    return fight


def record_in(database: str, events: Sequence[Event]) -> None:
    """Record a whole fight in one append."""
    from ledger.store import Ledger

    with Ledger.open(database) as ledger:
        try:
            ledger.append(events, GENESIS)
        except Conflict as conflict:
            raise name_taken(name_in(events)) from conflict


def name_in(events: Sequence[Event]) -> str:
    opened = events[0]
    assert isinstance(opened, EncounterOpened)
    return opened.name


def _result(number: int, fight: Fight) -> Result:
    battle = fight.battle
    left = sides_left(battle)
    return Result(
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
    """The damage that each side dealt, whether it took effect at once or waits in a pool."""
    dealt = dict.fromkeys(_sides(battle), 0)
    delayed = rulesets.find(battle.encounter.ruleset).delayed_damage
    for event in events:
        who, amount = _dealt(event, events, delayed)
        if who in battle.combatants:
            dealt[battle.combatants[who].side] += amount
    return dealt


def _dealt(event: Event, events: Sequence[Event], delayed: Collection[str]) -> tuple[str | None, int]:
    """Who dealt damage with an event, and how much."""
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
