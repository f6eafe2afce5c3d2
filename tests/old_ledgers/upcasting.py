"""Pretending that kinds of events have one version more than they have, with upcasts from the one before."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from ledger import registry
from ledger.events import Data
from projections.battle import snapshots
from projections.battle.fold import STATEFUL


def raise_version(monkeypatch: pytest.MonkeyPatch, kind: str, upcast: Callable[[Data], Data]) -> int:
    """From now on the model of a kind is its next version, and every stored version is upcast to it. That version."""
    cls = registry.KINDS[kind]
    last, following = cls.class_version, cls.class_version + 1
    monkeypatch.setattr(cls, "class_version", following)
    monkeypatch.setitem(registry.UPCASTS, (kind, last), upcast)
    current = registry.stored_name(kind, following)
    monkeypatch.setitem(registry._CURRENT_NAME, cls, current)
    monkeypatch.setitem(registry._DECODERS, current, cls.__pydantic_validator__.validate_json)
    for version in range(1, following):
        old = partial(registry.decode_old, cls, kind, version)
        monkeypatch.setitem(registry._DECODERS, registry.stored_name(kind, version), old)
    monkeypatch.setattr(snapshots, "_NAMES", registry.stored_names(STATEFUL))
    return following
