"""Plug-ins: what any installed package can provide through an entry point."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any


def names(group: str) -> list[str]:
    """The names of all that are installed."""
    return sorted(entry.name for entry in entry_points(group=group))


def load(group: str, name: str) -> Any:
    """What the entry point of this name leads to; None if there is none."""
    found = next((entry for entry in entry_points(group=group) if entry.name == name), None)
    return found.load() if found is not None else None
