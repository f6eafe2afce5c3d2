"""A battle as bytes and back, so that a state can be kept instead of folded again.

A test freezes and thaws the states of whole fights. Nothing but plain data is read back: whoever may write snapshots
must not be able to run code where they are read.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import TypeAdapter

from ledger.events import EncounterOpened, Forked, ManualResolutionNeeded, Ref
from ledger.upcasts import UPCASTS
from projections.battle import Battle
from projections.clock import Clock
from projections.combatant import Combatant
from projections.course import Course
from projections.economy import Economy
from projections.journal import JournaledBattle
from projections.links import Links
from projections.order import Order
from projections.roll_numbers import RollNumbers
from projections.timeline import Timeline
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


_FOLDING = (Battle, Clock, Combatant, Course, Economy, Links, Order, RollNumbers, Timeline, Window, _State)
"""Something from each module that folds. Events and their upcasts count as well."""


@cache
def fold_version() -> str:
    """A version that changes with the code that folds: a digest of its source."""
    folding = {one.__module__ for one in (*_FOLDING, *UPCASTS.values())}
    events = sorted(files("ledger.events").iterdir(), key=lambda file: file.name)
    sources = [_source(name) for name in sorted(folding)]
    sources += [file.read_bytes() for file in events if file.name.endswith(".py")]
    return hashlib.sha256(b"".join(sources)).hexdigest()


def _source(module: str) -> bytes:
    return Path(str(sys.modules[module].__file__)).read_bytes()
