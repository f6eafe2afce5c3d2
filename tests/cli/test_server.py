"""Commands with --server: what they print is what they print beside the ledger, byte by byte."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ran, Run

SCENARIOS = Path(__file__).parents[1] / "scenarios"
FIGHTS = {
    "dnd5e": ("dnd5e/full_combat_turn.yaml", "goblin"),
    "action_points": ("action_points/five_rounds.yaml", "ana"),
    "skirmish": ("skirmish/three_rounds.yaml", "{first}"),
}
"""By ruleset: a scenario that plays a fight, and somebody in it."""

READING: tuple[tuple[str, ...], ...] = (
    ("status", "Fight"),
    ("status", "Fight", "--json"),
    ("status", "Fight", "--at", "9"),
    ("status", "Fight", "--as", "players"),
    ("status", "Fight", "--as", "spectator", "--json"),
    ("log", "Fight"),
    ("log", "Fight", "--all"),
    ("log", "Fight", "--json"),
    ("log", "Fight", "--last", "3"),
    ("log", "Fight", "--actor", "{who}", "--kind", "rolled"),
    ("log", "Fight", "--as", "players", "--all"),
    ("log", "Fight", "--standing", "--json"),
    ("explain", "Fight", "20"),
    ("explain", "Fight", "20", "--json"),
    ("explain", "Fight", "20", "--as", "players"),
    ("explain", "Fight", "9999"),
    ("explain", "Fight", "20", "--why-not", "luck"),
    ("actions", "Fight", "{who}"),
    ("actions", "Fight", "{who}", "--json"),
    ("actions", "Fight", "{who}", "--options"),
    ("actions", "Fight", "nobody"),
    ("advise", "Fight", "{who}"),
    ("advise", "Fight", "{who}", "--json"),
    ("economy", "Fight", "{who}"),
    ("economy", "Fight", "{who}", "--json"),
    ("difficulty", "Fight"),
    ("replay", "Fight", "--plain"),
    ("replay", "Fight", "--plain", "--all", "--as", "players"),
    ("report", "Fight"),
    ("report", "Fight", "--json"),
    ("report", "Fight", "--as", "players"),
    ("report", "Fight", "--format", "html"),
    ("corrections", "Fight"),
    ("corrections", "Fight", "--json"),
    ("diff", "Fight", "--at", "9"),
    ("diff", "Fight", "Fork", "--json"),
    ("reference", "strike"),
    ("proposal", "Fight"),
    ("undo", "Fight", "--dry-run", "--reason", "a test"),
    ("undo", "Fight", "--turn", "--dry-run", "--reason", "a test"),
    ("undo", "Fight", "9999", "--dry-run", "--reason", "a test"),
    ("move", "Fight", "1,1", "--dry-run"),
)
"""What depends on the rules of a fight."""
OF_RULES = tuple(line for line in READING if "--json" not in line and "--dry-run" not in line)
"""Enough to see that the words of a ruleset arrive; the documents are made by the same code for all of them."""

ANYWHERE: tuple[tuple[str, ...], ...] = (
    ("export", "Fight"),
    ("export", "Fight", "--as", "players"),
    ("export", "Fight", "--format", "markdown"),
    ("webhook", "Fight"),
    ("webhook", "Fight", "--remove", "3f2a"),
    ("webhook", "Fight", "--add", "ftp://example.org"),
    ("seat", "Fight"),
    ("export", "Fight", "--format", "markdown", "--as", "players"),
    ("verify", "Fight"),
    ("verify", "Fight", "--json"),
    ("list",),
    ("list", "--json"),
    ("list", "--all", "--archived"),
    ("list", "--limit", "1", "--ids"),
    ("stats", "hits"),
    ("stats", "damage", "--by", "round", "--json"),
    ("stats", "hits", "--fight", "Fight"),
    ("stats", "luck"),
    ("stats", "corrections"),
    ("status", "Figth"),
    ("status", "no/such fight"),
    ("react", "Fight", "{who}", "pass"),
    ("end-turn", "Fight", "nobody"),
    ("do", "Fight", "{who}", "no-such-action"),
    ("join", "Fight", "no-such-sheet"),
    ("fork", "Fight", "--as", "Fork"),
    ("new", "Fight"),
    ("rule", "Fight", "{who}", "--set", "no_such=1", "--reason", "a test"),
    ("redo", "Fight", "--yes"),
)
"""What does not."""


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", FIGHTS)
def test_what_is_read_is_the_same_here_and_there(run: Run, away: Run, ruleset: str) -> None:
    file, who = FIGHTS[ruleset]
    assert run("run", str(SCENARIOS / file), "--as", "Fight", "--quiet").status == 0
    first = next(iter(json.loads(run("status", "Fight", "--json").out)["combatants"]))
    assert run("fork", "Fight", "--as", "Fork").status == 0
    assert run("label", "Fork", "a-label").status == 0
    wanted = (*READING, *ANYWHERE) if ruleset == "dnd5e" else OF_RULES
    lines = [[part.format(who=who.format(first=first)) for part in arguments] for arguments in wanted]
    assert {shlex.join(line): away(*line) for line in lines} == {shlex.join(line): run(*line) for line in lines}


Change = Callable[[Any], Any]
PLAYED: dict[str, tuple[tuple[str, ...], ...]] = {
    "dnd5e": (
        ("new", "{name}", "--dice", "table", "--option", "campaign=Reeds"),
        ("join", "{name}", "fighter", "--as", "Rurik", "--at", "3,2"),
        ("join", "{name}", "paladin", "--as", "Osric", "--at", "3,3", "--json"),
        ("join", "{name}", "goblin", "--as", "Snig", "--side", "foes", "--at", "4,2"),
        ("join", "{name}", "goblin", "--count", "2", "--side", "foes", "--at", "9,9", "--hidden"),
        ("start", "{name}", "--dice", "11,6,17,2,1"),
        ("do", "{name}", "rurik", "attack"),
        ("do", "{name}", "snig", "attack"),
        ("do", "{name}", "snig", "strike", "--target", "rurik"),
        ("do", "{name}", "snig", "dash"),
        ("react", "{name}", "osric", "protection", "--dice", "15,8", "--json"),
        ("amend", "{name}", "30", "--target", "osric", "--reason", "it was Osric", "--yes", "--dice", "9"),
        ("undo", "{name}", "--reason", "Snig only feints", "--yes"),
        ("redo", "{name}", "--yes"),
        ("reveal", "{name}", "goblin"),
        ("conceal", "{name}", "goblin"),
        ("note", "{name}", "The bridge creaks."),
        ("roll", "{name}", "1d20+3", "--secret", "--dice", "4"),
        ("hurt", "{name}", "rurik", "3", "--type", "fire"),
        ("heal", "{name}", "rurik", "2"),
        ("rule", "{name}", "rurik", "--set", "hp=9", "--reason", "the bridge gave way"),
        ("initiative", "{name}", "osric=18"),
        ("reactions", "{name}", "rurik", "opportunity_attack=never"),
        ("label", "{name}", "tense"),
        ("end-turn", "{name}", "snig"),
        ("hit", "{name}", "snig", "15", "6"),
        ("move", "{name}", "3,1"),
        ("leave", "{name}", "goblin-2", "--reason", "fled"),
        ("insert", "{name}", "snig", "dash", "--after", "21", "--reason", "forgotten", "--yes"),
        ("conclude", "{name}", "--reason", "a truce"),
        ("rest", "short", "{name}"),
        ("rest", "long", "{name}"),
        ("status", "{name}"),
        ("corrections", "{name}"),
    ),
    "action_points": (
        ("new", "{name}", "--ruleset", "action_points", "--dice", "seed:7"),
        ("join", "{name}", "duelist", "--as", "Ana"),
        ("join", "{name}", "brigand", "--as", "Bor", "--side", "foes"),
        ("start", "{name}"),
        ("auto", "{name}", "--rounds", "1"),
        ("auto", "{name}", "--json"),
        ("undo", "{name}", "--reason", "a test", "--yes"),
        ("status", "{name}"),
    ),
    "skirmish": (
        ("new", "{name}", "--ruleset", "skirmish", "--dice", "seed:7"),
        ("join", "{name}", "no-such-figure"),
        ("start", "{name}"),
        ("status", "{name}"),
    ),
}

_UNIQUE = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z"
    r"|\"salt\": \"[^\"]*\"|  \(declared by the GM\)|\d{4}-\d\d-\d\d \d\d:\d\d UTC"
)
"""Ids, times and salts, which no two fights share. And the service knows that it is the GM who speaks."""


def told(ran: Ran, name: str) -> Ran:
    """What was printed, without what has to differ between two fights."""
    out = _UNIQUE.sub("-", ran.out).replace(name, "Fight")
    out = re.sub(r'"by": "[^"]*"', '"by": -', out)
    return Ran(ran.status, re.sub(r"\s*-$", "", out, flags=re.M), ran.err.replace(name, "Fight"))


@pytest.mark.parametrize("ruleset", PLAYED)
def test_what_is_recorded_is_the_same_here_and_there(run: Run, away: Run, ruleset: str) -> None:
    for line in PLAYED[ruleset]:
        here = run(*(part.format(name="Reeds here") for part in line))
        there = away(*(part.format(name="Reeds away") for part in line))
        assert told(there, "Reeds away") == told(here, "Reeds here"), line
