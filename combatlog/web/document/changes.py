"""What changes from one state to the next: paths into the state, each with the value that is there now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from combatlog.web.document.tables import Table
from ledger.events import Data

Path = tuple[str, ...]


class Changes:
    """Writes changes as `[path, value, path, value ...]`, with paths by number. A value of null: it is gone."""

    def __init__(self) -> None:
        self.paths: Table[Path] = Table()

    def between(self, before: Data, after: Data) -> list[Any]:
        flat: list[Any] = []
        for path, value in _differences((), before, after):
            flat += (self.paths.number(path), value)
        return flat


def _differences(path: Path, before: Data, after: Data) -> Iterator[tuple[Path, Any]]:
    for name in before:
        if name not in after:
            yield (*path, name), None
    for name, value in after.items():
        old = before.get(name)
        if old == value and type(old) is type(value):
            continue
        if isinstance(old, dict) and isinstance(value, dict):
            yield from _differences((*path, name), old, value)
        else:
            yield (*path, name), value


def applied(state: Data, changes: list[Any], paths: list[Path]) -> Data:
    """The state after the changes, as a page works it out: what is not on a path stays as it is."""
    for number, value in zip(changes[::2], changes[1::2], strict=True):
        state = _with(state, paths[number], value)
    return state


def _with(state: Data, path: Path, value: Any) -> Data:
    name, rest = path[0], path[1:]
    if rest:
        return {**state, name: _with(state.get(name, {}), rest, value)}
    if value is None:
        return {key: kept for key, kept in state.items() if key != name}
    return {**state, name: value}
