"""`hurt` and `heal` from the command line."""

from __future__ import annotations

import json

from tests.cli.conftest import Run


def hp(run: Run, who: str) -> int:
    state = json.loads(run("status", "bridge", "--json").out)
    return int(state["combatants"][who]["vitals"]["hp"]["current"])


def test_hurt_and_heal(bridge: Run) -> None:
    """Rurik has 12 hit points: 12 - 6 + 4."""
    shown = bridge("hurt", "bridge", "rurik", "6", "fire", "--reason", "the floor burns")
    assert "The GM hurts Rurik (the floor burns)" in shown.out
    assert hp(bridge, "rurik") == 6
    assert bridge("heal", "bridge", "rurik", "4", "--reason", "a potion").status == 0
    assert hp(bridge, "rurik") == 10
    events = json.loads(bridge("hurt", "bridge", "rurik", "1", "--also", "osric", "--json").out)
    assert [event["target"] for event in events if event["kind"] == "damaged"] == ["rurik", "osric"]
    assert "The GM hurts Rurik (the floor burns)" in bridge("log", "bridge").out
    (taken,) = json.loads(bridge("sql", "SELECT sum(amount)::bigint AS taken FROM damage", "--json").out)
    assert taken == {"taken": 8}
    assert bridge("verify", "bridge").status == 0


def test_what_cannot_hurt(bridge: Run) -> None:
    refused = bridge("hurt", "bridge", "rurik", "6", "fie")
    assert (refused.status, refused.code) == (1, "damage/unknown-type")
    assert "Did you mean fire?" in refused.err
    assert bridge("hurt", "bridge", "rurik", "0").status == 2
