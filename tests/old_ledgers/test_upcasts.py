"""When a kind gets a new version, what was stored under the old one is read through its upcast, and nothing is lost."""

from __future__ import annotations

import json
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from combatlog.rules.content.scenario import look_up
from combatlog.rules.exchange.importing import import_events
from combatlog.rules.verification.verify import verify
from ledger.events import Damaged, Data
from ledger.registry import KINDS, decode, stored_name
from ledger.store.ledger import LedgerStore
from projections.battle.fold import fold
from projections.readmodels.session import catch_up
from tests.fuzz.exports import forged
from tests.old_ledgers.record import recorded_versions
from tests.old_ledgers.test_generations import GENERATIONS, exported, names, undo_first_action
from tests.old_ledgers.upcasting import raise_version

FIRST = exported(GENERATIONS[0])


@pytest.mark.parametrize("generation", GENERATIONS, ids=lambda folder: folder.name)
def test_a_ledger_of_every_generation_under_the_next_version_of_every_kind(
    ledger: LedgerStore, database: str, monkeypatch: pytest.MonkeyPatch, generation: Path
) -> None:
    upcast: Counter[str] = Counter()

    def count(payload: Data) -> Data:
        upcast[payload["kind"]] += 1
        return payload

    following = {stored_name(kind, raise_version(monkeypatch, kind, count)) for kind in KINDS}
    import_events(ledger, BytesIO(exported(generation)))
    assert set(upcast) == set(recorded_versions(generation))
    assert [finding for name in names(ledger) for finding in verify(ledger, name).findings] == []
    new = undo_first_action(ledger, "Old duel")
    assert set(new) <= following
    assert verify(ledger, "Old duel").findings == []
    assert catch_up(ledger)


def as_before(line: bytes) -> bytes:
    """An event as an earlier version might have had it: `left` under another name, nothing about overkill."""
    row: dict[str, Any] = json.loads(line)
    if row["name"] != "damaged":
        return line
    state = json.loads(row["state"])
    state["remaining"] = state.pop("left")
    assert state.pop("overkill") == 0
    return json.dumps({**row, "state": json.dumps(state)}).encode()


def upcast_damaged(payload: Data) -> Data:
    return {**{key: value for key, value in payload.items() if key != "remaining"}, "left": payload["remaining"]}


@pytest.mark.parametrize(("name", "path", "value"), [("Old duel", "bor.vit", 18), ("Old skirmish", "first.health", 2)])
def test_a_shape_that_has_changed_since(
    ledger: LedgerStore, database: str, monkeypatch: pytest.MonkeyPatch, name: str, path: str, value: int
) -> None:
    """Hashes are those of what is stored; the fold, the rules and the read models see the new shape."""
    raise_version(monkeypatch, "damaged", upcast_damaged)
    import_events(ledger, BytesIO(b"\n".join(forged([as_before(line) for line in FIRST.splitlines()]))))
    old = [row for _, row in ledger.history(ledger.find(name).events[0].encounter) if row.name == "damaged"]
    assert old
    assert all(b"remaining" in row.state and isinstance(decode(row.name, row.state), Damaged) for row in old)
    assert look_up(fold(ledger.find(name).events), path) == value
    assert verify(ledger, name).findings == []
    undo_first_action(ledger, name)
    assert verify(ledger, name).findings == []
    assert catch_up(ledger)
