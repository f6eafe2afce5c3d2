"""Deciding: strikes declared in memory, with rules, dice and fold.

Against building and encoding the very same events with nothing decided.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from time import process_time

from benchmarks.duel import STRIKE, TIRELESS
from benchmarks.measure import Result, compare
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.fight import Fight
from ledger.events import Event
from ledger.registry import encode

AIM = 0.35
_STRIKES = 150
_SAMPLE = 5
"""Fights whose events are built again: one may have more hits than the next, and a hit has more events than a miss."""
_FIGHTS = 60
"""For each second: more than can be used up. They are opened before, since opening is no strike."""


def run_strikes(url: str, seconds: float) -> Iterator[Result]:
    events = [event for _ in range(_SAMPLE) for event in _strike(_ready())]
    fields = [(type(event), event.model_dump()) for event in events]
    fights = [_ready() for _ in range(int(_FIGHTS * seconds) + 2)]
    gc.freeze()  # what was made ready is not garbage; what a strike leaves behind is collected on its account

    def decide() -> int:
        _strike(fights.pop())
        return _STRIKES

    def build() -> int:
        for kind, payload in fields:
            encode(kind(**payload))
        return _SAMPLE * _STRIKES

    ours, bare = compare(decide, build, seconds, process_time)
    gc.unfreeze()
    yield Result(f"strikes in memory, {len(events) / (_SAMPLE * _STRIKES):.0f} events each", "strikes", ours, bare, AIM)


def _strike(fight: Fight) -> Sequence[Event]:
    return [event for _ in range(_STRIKES) for event in fight.declare(STRIKE)]


def _ready() -> Fight:
    """A goblin next to a fighter, with attacks and hit points that do not run out."""
    fight = Fight.open(Opening(name="strikes"))  # with random dice, as most fights
    sheets = rulesets.find("dnd5e")
    for sheet, name, side, place in (("goblin", "Snig", "foes", (2, 1)), ("fighter", "Rurik", "heroes", (1, 1))):
        known = {"sheet": sheets.sheet(sheet), "name": name, "side": side, "position": place}
        options = {**known, "overrides": {"hp": 1000}}
        fight.declare(Declaration(actor="gm", action="core:time:join", options=options))
    fight.declare(Declaration(actor="gm", action="core:time:start"), dice=[20, 1])
    fight.declare(TIRELESS)
    return fight
