"""`initiative`, `reactions`, `aim`, late joins and departures from the command line."""

from __future__ import annotations

import json

from tests.cli.conftest import Run


def order(run: Run) -> list[str]:
    events = json.loads(run("log", "bridge", "--kind", "initiative_set", "--json").out)
    return [entry["combatant"] for entry in events[-1]["order"]]


def test_initiative_is_corrected(bridge: Run) -> None:
    first, *others = order(bridge)
    assert bridge("initiative", "bridge", f"{others[-1]}=40", "--reason", "misread").status == 0
    assert order(bridge) == [others[-1], first, *others[:-1]]
    assert bridge("initiative", "bridge", "nobody=4").code == "declaration/unknown-combatant"
    assert bridge("initiative", "bridge", "rurik").status == 2
    assert bridge("verify", "bridge").status == 0


def test_reinforcements_bring_their_dice(bridge: Run) -> None:
    grub = ("join", "bridge", "goblin", "--as", "Grub", "--side", "foes", "--at", "9,9")
    assert bridge(*grub).code == "dice/too-few"
    joined = json.loads(bridge(*grub, "--dice", "20", "--json").out)
    assert [event["kind"] for event in joined][-2:] == ["rolled", "initiative_set"]
    bridge("join", "bridge", "goblin", "--as", "Glub", "--side", "foes", "--at", "8,9", "--initiative", "50")
    assert order(bridge)[0] == "glub"


def test_reactions_change(bridge: Run) -> None:
    """Osric always protects from now on: nobody is asked. 8 + 4 misses 16."""
    assert (
        "Osric's reactions from now on: protection always"
        in bridge("reactions", "bridge", "osric", "protection=always").out
    )
    bridge("do", "bridge", "snig", "attack")
    struck = bridge("do", "bridge", "snig", "strike", "--target", "rurik", "--dice", "15,8")
    assert "misses" in struck.out
    assert bridge("reactions", "bridge", "osric", "protectoin=always").code == "declaration/unknown-reaction"


def test_leaving_on_the_own_turn(bridge: Run) -> None:
    left = bridge("leave", "bridge", "snig", "--reason", "fled")
    assert left.status == 0
    assert "Snig's turn ends" in left.out


def test_aim_draws_the_area(run: Run) -> None:
    run("new", "bridge", "--dice", "seed:3")
    run("join", "bridge", "wizard", "--as", "Mira", "--at", "1,1")
    run("join", "bridge", "fighter", "--as", "Rurik", "--at", "8,4")
    run("join", "bridge", "goblin", "--as", "Snig", "--side", "foes", "--at", "8,1")
    shown = run("aim", "bridge", "mira", "fireball", "8,3").out
    assert "Friends in it: Rurik" in shown
    assert "Foes in it: Snig" in shown
    assert "***S***" in shown
    aim = json.loads(run("aim", "bridge", "mira", "fireball", "8,3", "--json").out)
    assert [(one["who"], one["friend"]) for one in aim["caught"]] == [("rurik", True), ("snig", False)]
    assert run("aim", "bridge", "mira", "dodge", "8,3").code == "aim/no-area"
    assert run("aim", "bridge", "mira", "fireball", "here").status == 2
