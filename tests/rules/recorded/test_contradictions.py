"""What cannot be right in a log, whatever the rules: numbers before a change, the change, and the numbers after it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from combatlog.rules.recorded import contradictions
from ledger.events import (
    CombatantJoined,
    Controller,
    Damaged,
    EncounterOpened,
    Event,
    Gauge,
    Healed,
    ResourceChanged,
)

THEN = datetime(2026, 1, 7, tzinfo=UTC)


def happened(*said: tuple[type[Event], dict[str, Any]]) -> list[Event]:
    """Snig joins with 7 of 7 hit points; then this happens."""
    opened = {"name": "log", "ruleset": "recorded", "ruleset_version": "1", "dice": "table", "command": UUID(int=1)}
    joined = {
        "combatant": "snig",
        "name": "Snig",
        "side": "foes",
        "controller": Controller.GM,
        "sheet": {},
        "vitals": {"hp": Gauge(current=7, maximum=7)},
        "resources": {},
    }
    events = ((EncounterOpened, opened), (CombatantJoined, joined), *said)
    return [
        kind(encounter=UUID(int=2), seq=seq, recorded_at=THEN, declaration=seq, **fields)
        for seq, (kind, fields) in enumerate(events, start=1)
    ]


def damaged(amount: int, left: int) -> tuple[type[Event], dict[str, Any]]:
    return Damaged, {"target": "snig", "pool": "hp", "amount": amount, "left": left, "overkill": 0, "parts": ()}


def healed(amount: int, left: int) -> tuple[type[Event], dict[str, Any]]:
    return Healed, {"target": "snig", "pool": "hp", "amount": amount, "left": left, "why": "a potion"}


def changed(before: int, after: int) -> tuple[type[Event], dict[str, Any]]:
    fields = {"owner": "snig", "resource": "hp", "before": before, "after": after, "source": "recorded:log:state"}
    return ResourceChanged, {**fields, "why": "as the log says"}


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (damaged(5, 2), None),
        (damaged(5, 3), "snig had 7 hp before, and a change of -5 does not leave 3"),
        (healed(2, 9), None),
        (healed(2, 8), "snig had 7 hp before, and a change of +2 does not leave 8"),
        (changed(7, 4), None),
        (changed(6, 4), "snig had 7 hp before, not 6"),
    ],
)
def test_hit_points_before_and_after(said: tuple[type[Event], dict[str, Any]], problem: str | None) -> None:
    assert list(contradictions(happened(said))) == ([] if problem is None else [(3, problem)])


def test_what_follows_is_judged_by_what_the_log_says() -> None:
    """7 less 5 is not 3; but once the log says 3, a loss of 3 leaves 0."""
    assert [seq for seq, _ in contradictions(happened(damaged(5, 3), damaged(3, 0)))] == [3]
