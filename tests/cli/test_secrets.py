"""Revealing and concealing combatants on the command line."""

from __future__ import annotations

import json

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


def from_the_dark(run: Run, ruleset: str = "dnd5e") -> None:
    """Grak, whom the players do not see, hits Rurik with a javelin."""
    run("new", "Bridge", "--dice", "table", "--ruleset", ruleset)
    run("join", "Bridge", "fighter", "--as", "Rurik", "--at", "3,2")
    run("join", "Bridge", "goblin", "--as", "Snig", "--side", "foes", "--at", "4,2")
    run("join", "Bridge", "ogre", "--as", "Grak", "--side", "foes", "--at", "8,2", "--hidden")
    if ruleset != "dnd5e":
        assert run("rule", "Bridge", "grak", "--add", "veiled", "--reason", "grak is in the mist").status == 0
        assert run("reveal", "Bridge", "grak").status == 0
    run("start", "Bridge", "--dice", "5,4,20")
    run("do", "Bridge", "grak", "attack")
    struck = run("do", "Bridge", "grak", "strike", "--target", "rurik", "--with", "javelin", "--dice", "17,1,1")
    assert (struck.status, struck.err) == (0, "")


def test_status_shows_players_what_they_may_see(run: Run) -> None:
    from_the_dark(run)
    shown = run("status", "Bridge", "--as", "players").out
    assert "Grak" not in shown
    assert "6/12 hp" in shown
    assert "unhurt" in shown
    assert "Grak" in run("status", "Bridge").out
    state = json.loads(run("status", "Bridge", "--as", "players", "--json").out)
    assert state["order"] == ["rurik", "snig"]
    assert [entry["combatant"] for entry in state["initiative"]] == ["rurik"]
    assert state["combatants"]["snig"]["health"] == "unhurt"
    assert state["combatants"]["snig"]["vitals"] == {}


def test_the_log_tells_players_what_they_may_know(run: Run) -> None:
    from_the_dark(run)
    told = run("log", "Bridge", "--as", "players").out
    assert told.splitlines()[-1].endswith("Someone unseen attacks Rurik (hit); Rurik loses 6 hp (6 left)")
    assert "Grak" not in told
    everything = run("log", "Bridge", "--as", "players", "--all").out
    assert "Rurik loses 6 hp, 6 left" in everything
    assert "grak" not in everything.lower()
    assert "grak" not in run("log", "Bridge", "--as", "players", "--json").out.lower()


def test_an_event_that_is_not_seen_is_one_that_there_is_not(run: Run) -> None:
    from_the_dark(run)
    seen = len(json.loads(run("log", "Bridge", "--as", "players", "--json").out))
    assert run("log", "Bridge", str(seen + 1), "--as", "players").code == "explain/no-event"
    assert run("log", "Bridge", str(seen), "--as", "players").status == 0
