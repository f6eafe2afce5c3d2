"""Shells and a screen at a service: a GM and a player, each seeing what their seat may see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

import combatlog
from ledger.events import ReactionChosen
from tests.cli.play.conftest import Open
from tests.service.conftest import BOUNDLESS, listening

Invite = Callable[..., str]


@pytest.fixture
def invite(cli_database: str, open_ledger: combatlog.Ledger) -> Iterator[Invite]:
    """The link of an invitation to a seat."""
    with listening(replace(BOUNDLESS, database=cli_database)) as url:
        yield lambda seat: f"{url}/join?token={open_ledger.seats.invite(seat, 'Bridge').token}"


@pytest.mark.slow
def test_a_gm_and_a_player_play(bridge: combatlog.RecordedFight, sit_down: Open, invite: Invite) -> None:
    with (
        sit_down("Bridge", link=invite("gm")) as gm,
        sit_down("Bridge", link=invite("player:rurik,osric")) as player,
        sit_down("Bridge", command="watch", link=invite("spectator")) as screen,
    ):
        gm.sees("7/7", "Snig>")
        assert "7/7" not in player.sees("Snig", "unhurt", "(Snig)>")
        assert "7/7" not in screen.sees("unhurt", "Snig's turn", "seen as spectator")
        player.types("dodge").sees("It is Snig's turn, who is not played here. [play/not-yours]")
        shown = gm.types("hit rurik 15 4").sees("Osric: protection or pass?")
        assert "[" not in shown
        player.sees("Meanwhile:", "Osric may use protection", "Osric: protection or pass?")
        player.types("prot").sees("Snig: 2d20", "with disadvantage")
        player.types("15 8").sees("Osric uses protection; miss", "(Snig)>")
        gm.sees("Meanwhile:", "12 against AC 16, miss", "Snig>")
        gm.types("").sees("End Snig's turn?")
        gm.types("").sees("Rurik>")
        player.sees("Rurik's turn", "Rurik>")
        hit = player.types("hit snig 15 1").sees("Rurik hits Snig", "Rurik>")
        assert "AC 15" not in hit
        gm.sees("20 against AC 15, hit")
        player.types("move 3,1").sees("Rurik moves from 3,2 to 3,1")
        player.types("?").sees("Rurik can", "second wind", "Rurik>")
        player.types("").sees("End Rurik's turn?")
        player.types("").sees("Osric>")
        player.types("cast cure wounds rurik").sees("Osric")
        player.types("nonsense").sees("means nothing here", "Osric>")
        player.types("quit").ends()
        screen.sees("bloodied", "Osric's turn")
    assert len([event for event in bridge.events() if isinstance(event, ReactionChosen)]) == 1
    assert bridge.verify().stands


def test_a_spectator_plays_nobody(bridge: combatlog.RecordedFight, sit_down: Open, invite: Invite) -> None:
    before = len(bridge.events())
    with sit_down("Bridge", link=invite("spectator")) as spectator:
        spectator.sees("(Snig)>")
        spectator.types("end").sees("[play/not-yours]", "(Snig)>")
        spectator.types("why").sees("(Snig)>")
    assert len(bridge.events()) == before
