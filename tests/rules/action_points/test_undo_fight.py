"""The fight for corrections is what its table says, with the costly declaration and without."""

from __future__ import annotations

import pytest

from ledger.events import Event, ResourceChanged, Rolled
from projections.battle import fold
from tests.rules.action_points.undo_fight import TOTALS_IN_ROUND_2, WITH, WITHOUT, AfterRound, play


def after_rounds(events: list[Event]) -> dict[int, AfterRound]:
    """Ana's FAT and AP at the end of each round, and what she recovered then."""
    found = {}
    for event in events:
        if event.kind == "round_started" and event.seq > 10:
            ana = fold(events[: event.seq]).combatants["ana"]
            gains = [e for e in events[: event.seq] if isinstance(e, ResourceChanged) and e.why.startswith("recovery")]
            recovery = [gain for gain in gains if gain.owner == "ana"][-1]
            found[event.round] = AfterRound(
                ana.vitals["fat"].current, ana.economy["ap"].current, recovery.after - recovery.before
            )
    return found


@pytest.mark.parametrize(("costly", "expected"), [(True, WITH), (False, WITHOUT)])
def test_pools_after_each_round(costly: bool, expected: dict[int, AfterRound]) -> None:
    drill, _ = play(costly=costly)
    assert after_rounds(drill.fight.events) == expected


@pytest.mark.parametrize(("costly", "which"), [(True, "with"), (False, "without")])
def test_totals_in_round_2(costly: bool, which: str) -> None:
    drill, _ = play(costly=costly)
    totals = [event.total for event in drill.fight.events if isinstance(event, Rolled) and event.round == 2]
    assert totals == TOTALS_IN_ROUND_2[which]
