"""How two states of battle differ, value by value."""

from __future__ import annotations

from typing import Any, NamedTuple

from projections.battle import Battle
from projections.snapshot import describe

_BOOKKEEPING = {"seq", "encounter", "name", "since", "grant"}
"""What says where a state is recorded, not what it is."""


class Difference(NamedTuple):
    path: str
    before: Any
    after: Any


def differences(before: Battle, after: Battle) -> list[Difference]:
    old, new = values(before), values(after)
    paths = dict.fromkeys([*old, *new])
    return [Difference(path, old.get(path), new.get(path)) for path in paths if old.get(path) != new.get(path)]


def values(battle: Battle) -> dict[str, Any]:
    """The state as paths and plain values: `combatants.rurik.vitals.hp.current` is 12."""
    return dict(_flatten(describe(battle), ""))


def _flatten(value: Any, path: str) -> list[tuple[str, Any]]:
    if isinstance(value, dict) and value:
        return [
            leaf
            for key, inner in value.items()
            if key not in _BOOKKEEPING or path.count(".") == 1
            for leaf in _flatten(inner, f"{path}.{key}" if path else key)
        ]
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [leaf for number, inner in enumerate(value) for leaf in _flatten(inner, f"{path}.{number}")]
    return [(path, value)]
