"""Read the state of an encounter from the ledger: from a stored snapshot or, without one, from its first event.

A snapshot is a battle as bytes. Only plain data is ever read back, so a snapshot that was tampered with cannot run
code.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from pydantic import TypeAdapter

from ledger.events import EncounterOpened, Forked, ManualResolutionNeeded, Ref
from ledger.registry import UPCASTS, stored_names
from ledger.store import encounters
from ledger.store.encounters import StateSnapshot
from ledger.store.ledger import EncounterStream, LedgerStore, encounter_id
from projections.battle.clock_and_map import Clock, ReactionWindow
from projections.battle.combatant import Combatant, Economy
from projections.battle.dice import Links, RollNumbers
from projections.battle.event_history import EarlierEvents, EventHistory
from projections.battle.fold import STATEFUL, Battle, fold
from projections.battle.journal import JournaledBattle
from projections.battle.timeline import EventOrder, Timeline


@dataclass(slots=True)
class _BattleParts:
    """The parts of a battle."""

    seq: int
    opened: EncounterOpened | None
    map: tuple[str, ...] | None
    fork: Forked | None
    clock: Clock
    combatants: dict[str, Combatant]
    window: ReactionWindow | None
    questions: dict[int, ManualResolutionNeeded]
    actions: dict[int, Ref]
    labels: tuple[str, ...]
    roll_numbers: RollNumbers
    links: Links


_PARTS = tuple(_BattleParts.__dataclass_fields__)
_VIEWS = {"combatants": {"__all__": {"view"}}}
"""The rulesets' parsed forms are created again when they are needed."""


def battle_to_bytes(battle: Battle) -> bytes:
    state = _BattleParts(**{part: getattr(battle, part) for part in _PARTS})
    return _adapter().dump_json(state, exclude=_VIEWS)


def battle_from_bytes(frozen: bytes) -> JournaledBattle:
    state, battle = _adapter().validate_json(frozen), JournaledBattle()
    for part in _PARTS:
        setattr(battle, part, getattr(state, part))
    return battle


@cache
def _adapter() -> TypeAdapter[_BattleParts]:
    return TypeAdapter(_BattleParts)


_FOLDING = (
    Battle,
    Clock,
    Combatant,
    EventHistory,
    Economy,
    Links,
    EventOrder,
    RollNumbers,
    Timeline,
    ReactionWindow,
    _BattleParts,
)
"""One thing from each module that folds. Events and their upcasts count as well."""


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


SPAN = 250
"""How many events lie between snapshots. Two are kept, so that most corrections find their target after one of them."""
KEPT = 2


class ResumedBattle(NamedTuple):
    """A stored snapshot, and the events recorded since."""

    snapshot: StateSnapshot
    start: JournaledBattle
    newer: EncounterStream


def resume_battle(ledger: LedgerStore, encounter: UUID, *, older: int = 0) -> ResumedBattle | None:
    """Resume from the newest usable snapshot; None if there is none."""
    snapshot = encounters.load_snapshot(ledger.recorder, encounter, fold_version(), older=older)
    if snapshot is None:
        return None
    try:
        start = battle_from_bytes(snapshot.state)
    except ValueError:
        return None  # whatever is wrong with the snapshot, the events are still there
    return ResumedBattle(snapshot, start, ledger.read_after(encounter, snapshot.seq, snapshot.hash))


_NAMES = stored_names(STATEFUL)


def read_battle(ledger: LedgerStore, reference: str, *, at: int | None = None) -> Battle:
    """The current state, or the state after the event `at`."""
    if at is None and (battle := _resumed(ledger, encounter_id(reference))) is not None:
        return battle
    events = ledger.read_kinds(encounter_id(reference), _NAMES, upto=at)
    if not events:
        raise ledger.unknown(reference)
    return fold(events)


def _resumed(ledger: LedgerStore, encounter: UUID) -> Battle | None:
    resumed = resume_battle(ledger, encounter)
    if resumed is None:
        return None
    try:
        return EventHistory(resumed.newer.events, start=resumed.start).battle
    except EarlierEvents:
        return None
