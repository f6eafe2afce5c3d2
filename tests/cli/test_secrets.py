"""Revealing and concealing combatants on the command line."""

from __future__ import annotations

import combatlog
from tests.cli.conftest import Run


def test_somebody_joins_hidden_and_is_revealed(run: Run, cli_database: str) -> None:
    run("new", "Bridge")
    run("join", "Bridge", "goblin", "--as", "Snig", "--side", "foes", "--hidden")
    with combatlog.open(cli_database) as ledger:
        assert list(ledger.fight("Bridge").seen_by("players").battle.combatants) == []
    assert "Snig comes into sight" in run("reveal", "Bridge", "snig").out
    with combatlog.open(cli_database) as ledger:
        assert list(ledger.fight("Bridge").seen_by("players").battle.combatants) == ["snig"]
    assert "Snig stays unseen by the players" in run("conceal", "Bridge", "snig").out
