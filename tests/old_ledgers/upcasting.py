"""Pretending that kinds of events have a second version, with upcasts from the first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from ledger import registry
from ledger.events import Data
from projections import reading
from projections.battle import STATEFUL


def raise_version(monkeypatch: pytest.MonkeyPatch, kind: str, upcast: Callable[[Data], Data]) -> None:
    """From now on the model of a kind is its second version; what is stored under its name is of the first."""
    cls = registry.KINDS[kind]
    monkeypatch.setattr(cls, "class_version", 2)
    monkeypatch.setitem(registry.UPCASTS, (kind, 1), upcast)
    monkeypatch.setitem(registry._CURRENT_NAME, cls, f"{kind}.2")
    monkeypatch.setitem(registry._DECODERS, f"{kind}.2", cls.__pydantic_validator__.validate_json)
    monkeypatch.setitem(registry._DECODERS, kind, partial(registry.decode_old, cls, kind, 1))
    monkeypatch.setattr(reading, "_NAMES", registry.stored_names(STATEFUL))
