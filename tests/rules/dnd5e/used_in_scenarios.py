"""Which pieces the scenarios put to use: declared, applied, counted in a chain, or used as a reaction."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from combatlog.rules.content.scenario import play_in_memory, read_scenario
from ledger.events import (
    ActionGranted,
    ChainModified,
    ConditionApplied,
    Damaged,
    Declared,
    Event,
    Healed,
    ReactionUsed,
    ResourceChanged,
    Rolled,
)

SCENARIOS = Path(__file__).parents[2] / "scenarios" / "dnd5e"
USING = (
    ActionGranted,
    ChainModified,
    ConditionApplied,
    Damaged,
    Declared,
    Healed,
    ReactionUsed,
    ResourceChanged,
    Rolled,
)
_REF = re.compile(r'"(dnd5e:\w+:\w+)"')


def in_scenarios(name: str) -> bool:
    """Whether a scenario uses it. That a sheet lists it, or that a note mentions it, is not enough."""
    return name in used_names()


@cache
def used_names() -> frozenset[str]:
    return frozenset(name for path in sorted(SCENARIOS.glob("*.yaml")) for name in _used_in(path))


def _used_in(path: Path) -> Iterator[str]:
    fight, _ = play_in_memory(read_scenario(path))
    for event in fight.events:
        if isinstance(event, USING):
            yield from _names_of(event)


def _names_of(event: Event) -> Iterator[str]:
    """The names of all refs of an event: `dnd5e:feature:rage` is rage. Whoever joins declares a whole sheet."""
    refs = [event.action] if isinstance(event, Declared) else _REF.findall(event.model_dump_json())
    return (ref.rsplit(":", 1)[1] for ref in refs)
