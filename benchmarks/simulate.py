"""Choosing and simulating: scoring on a large map, strikes in memory, and whole fights in memory and recorded.

Strikes are measured against the aim of 3,000 a second and core, scoring against five decisions: by the time that the
core spends on them, whatever else the machine does.
"""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

from benchmarks.duel import STRIKE
from benchmarks.measure import Result, core_rate, rate
from ledger.hashing import GENESIS
from ledger.store import Ledger
from rules.autoplay.scoring import rank
from rules.autoplay.simulate import Plan, play_one
from rules.content.scenario import Scenario
from rules.engine import ruleset as rulesets
from rules.engine.commands import Declaration, Opening
from rules.engine.fight import Fight

STRIKES_AIM = 3000
DECISIONS_AIM = 5
_PER_FIGHT = 50
_HEROES = ("wizard", "fighter", "cleric", "rogue", "barbarian")
_FOES = ("orc", "goblin", "hobgoblin", "ogre", "wolf")


def run(url: str, seconds: float) -> Iterator[Result]:
    fight = _large_fight()
    scoring = core_rate(lambda: _score(fight), seconds)
    yield Result("score all choices of a wizard, 40 x 40 with ten", "decisions", scoring, DECISIONS_AIM, 1.0)
    striking = core_rate(_strikes, seconds)
    yield Result("strikes in memory, per core", "strikes", striking, STRIKES_AIM, 1.0)
    yield from _fights(url, seconds)


def _fights(url: str, seconds: float) -> Iterator[Result]:
    """Whole fights that play themselves; recorded ones against those in memory."""
    events = len(_played().events)
    in_memory = rate(lambda: len(_played().events), seconds)
    with Ledger.open(url) as ledger:
        recorded = rate(lambda: _recorded(ledger), seconds)
    yield Result(
        f"automatic fights of {events} events, recorded against in memory "
        f"({recorded / events:.2f} and {in_memory / events:.2f} fights/s, "
        f"{1e6 / recorded:.0f} and {1e6 / in_memory:.0f} µs an event)",
        "events",
        recorded,
        in_memory,
        0,
    )


def _score(fight: Fight) -> int:
    battle = fight.battle
    assert battle.clock.turn is not None
    scores = rank(fight.ruleset.options(battle, battle.combatants[battle.clock.turn]), fight.ruleset.metrics())
    assert scores
    return 1


def _large_fight() -> Fight:
    rows = tuple("".join("#" if (x * 7 + y * 3) % 23 == 0 else "." for x in range(40)) for y in range(40))
    fight = Fight.open(Opening(name="large", dice="seed:1", map=rows))
    for side, sheets, column in (("heroes", _HEROES, 10), ("foes", _FOES, 26)):
        for number, sheet in enumerate(sheets):
            _join(fight, sheet, f"{side} {number}", side, (column, 11 + 3 * number))
    fight.declare(Declaration(actor="gm", action="core:time:start"), dice=[20, *[1] * 9])
    return fight


def _join(fight: Fight, sheet: str, name: str, side: str, place: tuple[int, int], **overrides: int) -> None:
    data = rulesets.find("dnd5e").sheet(sheet)
    options = {"sheet": data, "name": name, "side": side, "position": place, "overrides": overrides}
    fight.declare(Declaration(actor="gm", action="core:time:join", options=options))


def _strikes() -> int:
    """A goblin strikes at a fighter, in a fight of its own."""
    fight = Fight.open(Opening(name="strikes", dice="seed:1"))
    _join(fight, "goblin", "Snig", "foes", (2, 1))
    _join(fight, "fighter", "Rurik", "heroes", (1, 1), hp=1000)
    fight.declare(Declaration(actor="gm", action="core:time:start"), dice=[20, 1])
    enough = {"set": {"attacks": 1_000_000}, "reason": "so that there is always another strike"}
    fight.declare(Declaration(actor="gm", action="core:ruling:rule", targets=("snig",), options=enough))
    for _ in range(_PER_FIGHT):
        fight.declare(STRIKE)
    return _PER_FIGHT


def _ambush() -> Scenario:
    entrants = [
        {"sheet": "fighter", "as": "Rurik", "at": [2, 3]},
        {"sheet": "cleric", "as": "Ana", "at": [1, 4]},
        {"sheet": "orc", "as": "Gash", "side": "foes", "at": [10, 3]},
        {"sheet": "goblin", "as": "Snig", "side": "foes", "at": [12, 4]},
    ]
    return Scenario.model_validate({"encounter": f"ambush {uuid4()}", "combatants": entrants})


def _played() -> Fight:
    return play_one(Plan(_ambush(), 1, 7), 0)


def _recorded(ledger: Ledger) -> int:
    fight = _played()
    ledger.append(fight.events, GENESIS)
    return len(fight.events)
