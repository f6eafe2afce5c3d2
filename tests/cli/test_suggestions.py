"""Whatever is mistyped, the nearest match is suggested."""

from __future__ import annotations

from pathlib import Path

from tests.cases import each
from tests.cli.conftest import Run

FROST = Path(__file__).parents[2] / "docs/examples/frost"

MISTYPED = {
    "command": (("statsu",), "'stats'"),
    "option of a command": (("do", "bridge", "snig", "strike", "--tagret", "rurik"), "--target"),
    "encounter": (("status", "brige"), "bridge"),
    "encounter to compare with": (("diff", "bridge", "brige"), "bridge"),
    "combatant": (("do", "bridge", "sng", "attack"), "snig"),
    "target": (("do", "bridge", "snig", "strike", "--target", "rurk"), "rurik"),
    "whose turn": (("end-turn", "bridge", "sngi"), "snig"),
    "who reacts": (("react", "bridge", "osirc", "protection"), "osric"),
    "who reacts, in advance": (("do", "bridge", "snig", "dash", "--reply", "osirc=pass"), "osric"),
    "owner of a modifier": (("amend", "bridge", "16", "--add", "+1", "--owner", "rurk"), "rurik"),
    "who reacted": (("amend", "bridge", "16", "--reply", "osirc=pass"), "osric"),
    "action": (("do", "bridge", "snig", "dsah"), "dash"),
    "action to look up": (("actions", "bridge", "snig", "stirke"), "strike"),
    "entry of the reference": (("reference", "stirke"), "strike"),
    "weapon": (("do", "bridge", "snig", "strike", "--target", "rurik", "--with", "scimtar"), "scimitar"),
    "sheet": (("join", "bridge", "gobln"), "goblin"),
    "field of a sheet": (("join", "bridge", "goblin", "--set", "hpp=3"), "hp"),
    "reaction": (("react", "bridge", "osric", "protecton"), "protection"),
    "reaction with a policy": (("join", "bridge", "paladin", "--reaction", "protecton=always"), "protection"),
    "option of an action": (("leave", "bridge", "snig", "--raeson", "x"), "--reason"),
    "optional rule": (("new", "x", "--option", "campain=a"), "campaign"),
    "dice": (("new", "x", "--dice", "rnadom"), "random"),
    "ruleset": (("new", "x", "--ruleset", "dnd5"), "dnd5e"),
    "ruleset of a pack": (("pack", "archetypes", "--ruleset", "skirmsh"), "skirmish"),
    "pack": (("new", "x", "--pack", str(FROST.with_name("forst"))), str(FROST)),
    "archetype": (("pack", "archetypes", "aera"), "area"),
    "scenario": (("run", str(FROST.with_name("ambsh.yaml"))), str(FROST.with_name("ambush.yaml"))),
    "condition to add": (("rule", "bridge", "rurik", "--add", "pron", "--reason", "x"), "prone"),
    "condition to end": (("rule", "bridge", "rurik", "--remove", "pron", "--reason", "x"), "prone"),
    "value to set": (("rule", "bridge", "rurik", "--set", "hpp=3", "--reason", "x"), "hp"),
    "resource": (("economy", "bridge", "snig", "--resource", "reacton"), "reaction"),
    "side": (("auto", "bridge", "--side", "heros"), "heroes"),
    "reaction that did not count": (("explain", "bridge", "16", "--why-not", "protecton"), "protection"),
    "statistic": (("stats", "damge"), "damage"),
    "grouping": (("stats", "hits", "--by", "wepon"), "weapon"),
    "encounter of a statistic": (("stats", "hits", "brige"), "bridge"),
    "figure": (("stats", "hits", "--plot", "x.svg", "--figure", "timelin"), "timeline"),
    "format": (("export", "bridge", "--format", "jsn"), "jsonl"),
    "card": (("abilities", "show", "Fous"), "Focus"),
}


@each("what", MISTYPED)
def test_the_nearest_match_is_suggested(bridge: Run, what: str) -> None:
    arguments, meant = MISTYPED[what]
    bridge("do", "bridge", "snig", "attack")
    ran = bridge(*arguments)
    assert ran.status in (1, 2)
    _, found, suggested = ran.err.partition("Did you mean ")
    assert found or "Possible options" in ran.err, ran.err
    assert meant in (suggested.partition("?")[0] if found else ran.err)


def test_the_option_of_an_action(bridge: Run) -> None:
    bridge("join", "bridge", "wizard", "--as", "Mira")
    ran = bridge("do", "bridge", "mira", "magic_missile", "--target", "snig", "--option", "slto=2")
    assert "Did you mean slot?" in ran.err
