"""From fight to fight on the command line."""

from __future__ import annotations

import json

from tests.cli.conftest import Run


def test_join_from_an_earlier_fight(bridge: Run) -> None:
    """Rurik has 12 hit points and loses 5; Osric the paladin comes along as he is."""
    bridge("hurt", "bridge", "rurik", "5")
    bridge("conclude", "bridge")
    bridge("new", "mill")
    joined = bridge("join", "mill", "--from", "bridge", "rurik", "osric", "--at", "2,2")
    assert joined.status == 0
    assert "Rurik joins the heroes at 2,2 with 7 hp" in joined.out
    status = json.loads(bridge("status", "mill", "--json").out)
    assert status["combatants"]["rurik"]["vitals"]["hp"] == {"current": 7, "maximum": 12}
    assert bridge("verify", "mill").status == 0
    bridge("fork", "mill", "--as", "what if")
    assert json.loads(bridge("status", "what if", "--json").out)["combatants"]["rurik"]["vitals"]["hp"]["current"] == 7


def test_rests_between_fights(bridge: Run) -> None:
    """12 hit points less 9 are 3. A hit die of 4 and constitution 14 (+2) make 9; after a long rest they are 12."""
    bridge("hurt", "bridge", "rurik", "9")
    assert bridge("rest", "long", "bridge").code == "rest/fighting"
    bridge("conclude", "bridge")
    short = ("rest", "short", "bridge", "rurik", "--hit-dice", "rurik=1")
    assert bridge(*short).code == "dice/too-few"
    rested = bridge(*short, "--dice", "4")
    assert rested.status == 0
    assert "Rurik takes a short rest" in rested.out
    bridge("new", "mill")
    assert "with 9 hp" in bridge("join", "mill", "--from", "bridge", "rurik").out
    events = json.loads(bridge("rest", "long", "mill", "--json").out)
    assert [event["kind"] for event in events] == ["declared", "healed", "resource_changed"]
    assert events[1]["left"] == 12
    assert bridge("undo", "bridge", "--yes", "--reason", "no time").status == 0
    assert json.loads(bridge("status", "bridge", "--json").out)["combatants"]["rurik"]["vitals"]["hp"]["current"] == 3
    assert bridge("verify", "--all").status == 0


def test_refusals(bridge: Run) -> None:
    bridge("new", "mill")
    bridge("new", "gate", "--ruleset", "action_points")
    bridge("hurt", "bridge", "snig", "99")
    for arguments, code in (
        (("join", "mill", "--from", "bridge", "snig"), "join/dead"),
        (("join", "mill", "--from", "bridge", "nobody"), "declaration/unknown-combatant"),
        (("join", "mill", "--from", "nowhere", "rurik"), "ledger/unknown-encounter"),
        (("join", "gate", "--from", "bridge", "rurik"), "join/other-ruleset"),
    ):
        assert bridge(*arguments).code == code
    assert "omit --as" in bridge("join", "mill", "--from", "bridge", "rurik", "--as", "X").err
    assert "one sheet" in bridge("join", "mill", "goblin", "orc").err


def test_the_roster_of_a_campaign(run: Run) -> None:
    """Rurik loses 5 of 12 hit points at the bridge and 2 more at the mill; Osric was only at the bridge. Practice and
    foes do not count."""
    for fight in ("bridge", "mill", "yard"):
        run("new", fight, "--option", "campaign=Riverlands")
    run("join", "bridge", "fighter", "--as", "Rurik")
    run("join", "bridge", "paladin", "--as", "Osric")
    run("join", "bridge", "goblin", "--as", "Snig", "--side", "foes")
    run("hurt", "bridge", "rurik", "5")
    run("join", "mill", "--from", "bridge", "rurik")
    run("hurt", "mill", "rurik", "2")
    run("join", "yard", "fighter", "--as", "Rurik")
    run("label", "yard", "practice")
    osric, rurik = json.loads(run("roster", "Riverlands", "--json").out)
    assert (osric["name"], osric["fight"], osric["vitals"]["hp"]["current"]) == ("Osric", "bridge", 20)
    assert (rurik["name"], rurik["fight"], rurik["vitals"]["hp"]) == ("Rurik", "mill", {"current": 5, "maximum": 12})
    shown = run("roster", "Riverlands")
    assert "Rurik: hp 5/12" in shown.out
    assert "last in mill" in shown.out
    assert run("roster", "Riverland").code == "stats/unknown-campaign"
