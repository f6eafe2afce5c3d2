"""Deciding: strikes declared in memory, rules and fold included, and their events encoded.

Against building and encoding the very same events with nothing decided: each is validated from its fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.duel import STRIKE, TIRELESS
from benchmarks.measure import Result, compare
from ledger.events import Event
from ledger.registry import encode
from rules.engine import ruleset as rulesets
from rules.engine.commands import Declaration, Opening
from rules.engine.fight import Fight

AIM = 0.35
_STRIKES = 50


def run(url: str, seconds: float) -> Iterator[Result]:
    events = _strikes(_ready())
    fields = [(type(event), {name: getattr(event, name) for name in type(event).model_fields}) for event in events]
    fights = iter(_ready, None)

    def decide() -> int:
        for event in _strikes(next(fights)):
            encode(event)
        return _STRIKES

    def build() -> int:
        for kind, payload in fields:
            encode(kind.model_validate(payload))
        return _STRIKES

    ours, bare = compare(decide, build, seconds)
    yield Result(f"strikes in memory ({len(events) / _STRIKES:.1f} events each)", "strikes", ours, bare, AIM)


def _ready() -> Fight:
    """A goblin next to a fighter, with attacks and hit points that do not run out."""
    fight = Fight.open(Opening(name="strikes", dice="seed:1"))
    sheets = rulesets.find("dnd5e")
    for sheet, name, side, place in (("goblin", "Snig", "foes", (2, 1)), ("fighter", "Rurik", "heroes", (1, 1))):
        options = {"sheet": sheets.sheet(sheet), "name": name, "side": side, "position": place}
        overrides = {"overrides": {"hp": 1000}}
        fight.declare(Declaration(actor="gm", action="core:time:join", options={**options, **overrides}))
    fight.declare(Declaration(actor="gm", action="core:time:start"), dice=[20, 1])
    fight.declare(TIRELESS)
    return fight


def _strikes(fight: Fight) -> Sequence[Event]:
    return [event for _ in range(_STRIKES) for event in fight.declare(STRIKE)]
