"""Two shells and a watch on one fight: all see everything, nothing is lost, and a stale line is not carried out."""

from __future__ import annotations

import pytest

import combatlog
from ledger.events import Declared, ReactionChosen
from tests.cli.play.conftest import Open


@pytest.mark.slow
def test_all_see_what_the_others_do(bridge: combatlog.RecordedFight, sit_down: Open) -> None:
    with (
        sit_down("Bridge") as gm,
        sit_down("Bridge", "--as", "rurik", "--as", "osric") as player,
        sit_down("Bridge", command="watch") as screen,
    ):
        gm.sees("Snig>")
        player.sees("(Snig)>")
        screen.sees("Snig's turn")
        gm.types("hit rurik 15 4").sees("Osric: protection or pass?")
        player.sees("Meanwhile:", "Osric may use protection", "Osric: protection or pass?")
        player.types("prot").sees("Snig: 2d20+4 with disadvantage, attack on Rurik with a scimitar:")
        player.types("15 8").sees("12 against AC 16, miss", "(Snig)>")
        gm.sees("Meanwhile:", "12 against AC 16, miss", "Snig>")
        gm.types("").sees("End Snig's turn?")
        gm.types("").sees("Rurik>")
        player.sees("Rurik's turn", "Rurik>")
        player.types("hit snig 15 1").sees("20 against AC 15, hit")
        gm.sees("20 against AC 15, hit")
        screen.sees("12 against AC 16, miss", "20 against AC 15, hit")
    events = bridge.events()
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert len([event for event in events if isinstance(event, ReactionChosen)]) == 1
    assert bridge.verify().stands


def test_a_stale_line_says_what_happened_and_does_nothing(bridge: combatlog.RecordedFight, sit_down: Open) -> None:
    with sit_down("Bridge") as gm:
        gm.sees("Snig>")
        gm.presses("dodge")
        gm.sees("dodge")
        bridge.end_turn("snig")
        gm.sees("Meanwhile:", "Rurik's turn")
        gm.presses("\r")
        gm.sees("Nothing was done: it is Rurik's turn now.", "Your line is back", "Rurik> dodge")
        gm.presses("\r")
        gm.sees("Rurik dodges")
    assert [event.actor for event in bridge.events() if isinstance(event, Declared)][-1] == "rurik"


def test_only_ones_own_combatants_can_be_played(bridge: combatlog.RecordedFight, sit_down: Open) -> None:
    before = len(bridge.events())
    with sit_down("Bridge", "--as", "rurik") as player:
        player.sees("(Snig)>")
        player.types("dodge").sees("It is Snig's turn, who is not played here. [play/not-yours]", "(Snig)>")
        player.types("").sees("(Snig)>")
    assert len(bridge.events()) == before
