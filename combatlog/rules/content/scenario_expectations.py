"""What a step of a scenario file expects: values of the state, events that must occur, and events that must not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from combatlog.rules.engine.refusal import Refusal
from ledger.events import Data, Event
from projections.battle import Battle
from projections.combatant import Combatant


def compare_state(expected: Data, battle: Battle) -> list[str]:
    differences = []
    for path, value in expected.items():
        found = look_up(battle, path)
        if _plain(found) != _plain(value):
            differences.append(f"{path}: expected {_shown(value)}, found {_shown(found)}")
    return differences


def look_up(battle: Battle, path: str) -> Any:
    """A value of the state by its path.

    It is `round`, `turn`, `order`, `waiting`, `labels`, or one of `NAME.hp`, `NAME.attacks`, `NAME.position`,
    `NAME.conditions`, `NAME.granted`, `NAME.POOL.spent`, `NAME.pile.PILE` ...
    """
    match path.split("."):
        case ["round"]:
            return battle.clock.round
        case ["turn"]:
            return battle.clock.turn
        case ["order"]:
            return [entry.combatant for entry in battle.clock.order]
        case ["waiting"]:
            return battle.window.waiting.reactor if battle.window and battle.window.waiting else None
        case ["labels"]:
            return list(battle.labels)
        case [name, what] if name in battle.combatants:
            return _value(battle.combatants[name], what, path)
        case [name, "pile", pile] if name in battle.combatants:
            return battle.combatants[name].pile(pile)
        case [name, pool, part] if name in battle.combatants and pool in battle.combatants[name].economy:
            return getattr(battle.combatants[name].economy[pool], part, None)
    raise _unknown_path(path)


def _value(combatant: Combatant, what: str, path: str) -> Any:
    if what == "position":
        return combatant.position
    if what == "conditions":
        return sorted(condition.name for condition in combatant.conditions.values())
    if what == "granted":
        return sorted(grant.action.rsplit(":", 1)[1] for grant in combatant.granted.values())
    if what in combatant.vitals:
        return combatant.vitals[what].current
    if what in combatant.economy:
        return combatant.economy[what].current
    raise _unknown_path(path)


def _unknown_path(path: str) -> Refusal:
    return Refusal("scenario/unknown-value", f"The state has no value {path!r}.", name=path)


def compare_events(expected: Sequence[Data], events: Sequence[Event]) -> list[str]:
    """Each expected event must be among the new ones, in order. Only the fields that are given are compared."""
    differences = []
    rest = [event.model_dump(mode="json") for event in events]
    for pattern in expected:
        at = next((i for i, event in enumerate(rest) if _matches(pattern, event)), None)
        if at is None:
            kinds = [event["kind"] for event in rest if event["kind"] == pattern.get("kind")]
            hint = _nearest(pattern, rest) if kinds else f"no {pattern.get('kind')} among them"
            differences.append(f"expected the event {_shown(pattern)}, but {hint}")
            break
        rest = rest[at + 1 :]
    return differences


def compare_absent(unwanted: Sequence[Data], events: Sequence[Event]) -> list[str]:
    """No new event may match any of these. Only the fields that are given are compared."""
    found = [event.model_dump(mode="json") for event in events]
    return [
        f"expected no event {_shown(pattern)}, but event {event['seq']} is one"
        for pattern in unwanted
        for event in found
        if _matches(pattern, event)
    ]


def _matches(pattern: Data, event: Data) -> bool:
    return all(_plain(event.get(key)) == _plain(value) for key, value in pattern.items())


def _nearest(pattern: Data, events: list[Data]) -> str:
    event = next(event for event in events if event["kind"] == pattern["kind"])
    return "found " + _shown({key: event.get(key) for key in pattern})


def _shown(value: Any) -> str:
    """As JSON writes it, for a sentence."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _plain(value: Any) -> Any:
    """Tuples as lists, as files have them."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
