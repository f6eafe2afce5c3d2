"""Automatic play: whole fights that play themselves, and one decision on a large map.

Against the same commands made again with nothing chosen, and fights that are recorded against fights in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, cycle
from time import process_time
from uuid import uuid4

from benchmarks.measure import BenchmarkResult, compare
from combatlog.rules.autoplay.player import PlayLimits, choose, play
from combatlog.rules.autoplay.simulate import SimulationPlan, begin, play_one
from combatlog.rules.content.scenario import Scenario
from combatlog.rules.dnd5e.autoplay.estimate_cache import clear_estimates
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Opening, Reply
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from ledger.events import Event, Face
from ledger.registry import GENESIS
from ledger.store.ledger import LedgerStore
from projections.battle.fold import Battle

PLAYING = 0.15
CHOOSING = 0.02
_AGAIN = 8
"""Fights whose commands are made again."""
_HEROES = ("wizard", "fighter", "cleric", "rogue", "barbarian")
_FOES = ("orc", "goblin", "hobgoblin", "ogre", "wolf")
_AMBUSH = (
    {"sheet": "fighter", "as": "Rurik", "at": [2, 3]},
    {"sheet": "cleric", "as": "Ana", "at": [1, 4]},
    {"sheet": "orc", "as": "Gash", "side": "foes", "at": [10, 3]},
    {"sheet": "goblin", "as": "Snig", "side": "foes", "at": [12, 4]},
)


def run_simulate(url: str, seconds: float) -> Iterator[BenchmarkResult]:
    yield _playing(seconds)
    yield _choosing(seconds)
    yield _recording(url, seconds)


def _playing(seconds: float) -> BenchmarkResult:
    """Every fight is another one, as in a simulation."""
    plan, numbers = _ambush(), count(_AGAIN)
    again = cycle([(number, _commands(plan, number)) for number in range(_AGAIN)])

    def play_itself() -> int:
        return len(play_one(plan, next(numbers)).events)

    def make_again() -> int:
        number, commands = next(again)
        fight = begin(plan, number)
        for command in commands:
            fight.declare(command) if isinstance(command, Declaration) else fight.answer(command)
        return len(fight.events)

    ours, bare = compare(play_itself, make_again, seconds, process_time)
    return BenchmarkResult(
        "fights that play themselves, against the same commands made again", "events", ours, bare, PLAYING
    )


def _choosing(seconds: float) -> BenchmarkResult:
    """Nothing is known from before."""
    fight = _large_fight()
    chosen = choose(fight.battle)
    assert chosen is not None

    def decide() -> int:
        clear_estimates()
        choose(fight.battle)
        return 1

    def declare() -> int:
        FightEngine(fight.events).declare(chosen.declaration)
        return 1

    ours, bare = compare(decide, declare, seconds, process_time)
    what = "a wizard's first decision, 40 x 40 squares with ten creatures, against declaring it"
    return BenchmarkResult(what, "decisions", ours, bare, CHOOSING)


def _recording(url: str, seconds: float) -> BenchmarkResult:
    plan, numbers = _ambush(), count()
    with LedgerStore.open(url) as ledger:

        def record() -> int:
            fight = play_one(plan, next(numbers))
            ledger.append(fight.events, GENESIS)
            return len(fight.events)

        ours, bare = compare(record, lambda: len(play_one(plan, next(numbers)).events), seconds)
    return BenchmarkResult(
        "  fights that play themselves and are recorded, against in memory only", "events", ours, bare, 0
    )


class _Noted:
    """A fight that remembers the commands it was given."""

    def __init__(self, fight: FightEngine) -> None:
        self.fight = fight
        self.commands: list[Declaration | Reply] = []

    @property
    def battle(self) -> Battle:
        return self.fight.battle

    def declare(
        self, declaration: Declaration, *, dice: Sequence[Face] | None = None, replies: Sequence[Reply] = ()
    ) -> Sequence[Event]:
        self.commands.append(declaration)
        return self.fight.declare(declaration, dice=dice, replies=replies)

    def answer(self, reply: Reply, *, dice: Sequence[Face] | None = None) -> Sequence[Event]:
        self.commands.append(reply)
        return self.fight.answer(reply, dice=dice)


def _commands(plan: SimulationPlan, number: int) -> list[Declaration | Reply]:
    noted = _Noted(begin(plan, number))
    for _ in play(noted, PlayLimits(to_end=True)):
        pass
    return noted.commands


def _ambush() -> SimulationPlan:
    return SimulationPlan(Scenario.model_validate({"encounter": f"ambush {uuid4()}", "combatants": _AMBUSH}), 1, 7)


def _large_fight() -> FightEngine:
    rows = tuple("".join("#" if (x * 7 + y * 3) % 23 == 0 else "." for x in range(40)) for y in range(40))
    fight = FightEngine.open(Opening(name="large", dice="seed:1", map=rows))
    for side, sheets, column in (("heroes", _HEROES, 10), ("foes", _FOES, 26)):
        for number, sheet in enumerate(sheets):
            _join(fight, sheet, f"{side} {number}", side, (column, 11 + 3 * number))
    fight.declare(Declaration(actor="gm", action="core:time:start"), dice=[20, *[1] * 9])
    return fight


def _join(fight: FightEngine, sheet: str, name: str, side: str, place: tuple[int, int]) -> None:
    options = {"sheet": rulesets.find("dnd5e").sheet(sheet), "name": name, "side": side, "position": place}
    fight.declare(Declaration(actor="gm", action="core:time:join", options=options))
