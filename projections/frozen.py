"""A battle as bytes and back, so that a state can be kept instead of folded again.

A test freezes and thaws the states of whole fights. Nothing but plain data is read back: whoever may write snapshots
must not be able to run code where they are read.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pydantic import TypeAdapter

from ledger.events import EncounterOpened, Forked, ManualResolutionNeeded, Ref
from projections.battle import Battle
from projections.clock import Clock
from projections.combatant import Combatant
from projections.journal import JournaledBattle
from projections.links import Links
from projections.roll_numbers import RollNumbers
from projections.window import Window


@dataclass(slots=True)
class _State:
    """What a battle consists of."""

    seq: int
    opened: EncounterOpened | None
    map: tuple[str, ...] | None
    fork: Forked | None
    clock: Clock
    combatants: dict[str, Combatant]
    window: Window | None
    questions: dict[int, ManualResolutionNeeded]
    actions: dict[int, Ref]
    labels: tuple[str, ...]
    roll_numbers: RollNumbers
    links: Links


_PARTS = tuple(_State.__dataclass_fields__)
_VIEWS = {"combatants": {"__all__": {"view"}}}
"""The rulesets' own views are made anew when they are needed."""


def freeze(battle: Battle) -> bytes:
    state = _State(**{part: getattr(battle, part) for part in _PARTS})
    return _adapter().dump_json(state, exclude=_VIEWS)


def thaw(frozen: bytes) -> JournaledBattle:
    state, battle = _adapter().validate_json(frozen), JournaledBattle()
    for part in _PARTS:
        setattr(battle, part, getattr(state, part))
    return battle


@cache
def _adapter() -> TypeAdapter[_State]:
    return TypeAdapter(_State)


@cache
def fold_version() -> str:
    """A version that changes with the code that folds, whoever changes it: a digest of its source."""
    digest = hashlib.sha256()
    for package in ("projections", "ledger.events", "ledger"):
        for source in sorted(files(package).iterdir(), key=lambda file: file.name):
            if source.name in _FOLDING or (package == "ledger.events" and source.name.endswith(".py")):
                digest.update(source.read_bytes())
    return digest.hexdigest()


_FOLDING = {
    *("battle.py", "clock.py", "combatant.py", "course.py", "economy.py", "frozen.py", "links.py", "order.py"),
    "roll_numbers.py",
    *("timeline.py", "window.py", "upcasts.py"),
}
