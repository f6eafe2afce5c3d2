"""Fights behind a service: opened, corrected and asked about as those in a ledger at hand."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest

import combatlog
from combatlog import Amend, carry_over
from combatlog.messages.commands import EndTurn
from combatlog.messages.fight_questions import ListCombatants
from combatlog.messages.ledger_commands import Open
from combatlog.messages.requests import Auto, Fork
from tests.combatlog.remote.conftest import Sit
from tests.service.conftest import FIGHT, Service


@pytest.mark.slow
@pytest.mark.parametrize("dice", ["random", "committed"])
def test_dice_that_were_never_rolled_are_rolled_by_the_service(sit: Sit, dice: str) -> None:
    away = sit("host").new("Mill", dice=dice)
    away.join("fighter", "Rurik", (1, 1))
    away.join("goblin", "Snig", (2, 1), side="foes")
    away.start()
    actor = away.battle.clock.turn or ""
    away.do(actor, "attack")
    strike = away.do(actor, "strike", target="snig" if actor == "rurik" else "rurik")
    forgotten = combatlog.Forgotten(what="advantage", source="high ground")
    plan = away.plan(Amend(strike[0].seq, add=[forgotten], reason="from above", impossible="drop"))
    assert plan.needs is not None
    assert plan.needs.purpose == "attack"
    outcome = away.apply(plan)
    assert outcome.events[0].kind == "amended"
    assert any(event.kind == "rolled" and len(event.faces) == 2 for event in outcome)  # type: ignore[attr-defined]
    assert away.verify().findings == []
    assert away.apply(plan).repeated


def test_packs_and_maps_are_read_where_they_are(sit: Sit, tmp_path: Path) -> None:
    (tmp_path / "map.txt").write_text("....\n.##.\n....\n")
    away = sit("host").new("Mill", map=tmp_path / "map.txt", dice="table", labels=["practice"])
    assert away.state().map == ("....", ".##.", "....")
    assert away.state().labels == ("practice",)


def test_a_fork_and_somebody_who_comes_along(sit: Sit, gm: combatlog.RecordedFight) -> None:
    fork = gm.fork("What if")
    assert fork.history()[:-1] == gm.history()
    later = sit("host").new("Later", dice="table")
    carry_over(gm, later, "rurik", at=(1, 1))
    assert later.state().combatants["rurik"].vitals["hp"].current == 12


def test_messages_that_open_fork_and_play_are_sent_as_they_are(sit: Sit) -> None:
    ledger = sit("host")
    fight = ledger.send(Open("Duel", dice="seed:7"))
    fight.join("fighter", "Rurik", (1, 1), overrides={"hp": 500})
    fight.join("ogre", "Oog", (2, 1), side="foes", overrides={"hp": 500})
    fight.start()
    key = uuid4()
    first = fight.send(Auto(turns=2), command_id=key)
    assert [event for step in first for event in step.events] == fight.history()[first[0].events[0].seq - 1 :]
    assert fight.send(Auto(turns=2), command_id=key) == first
    with pytest.raises(combatlog.Refusal) as caught:
        fight.send(Auto(turns=1), command_id=key)
    assert caught.value.code == "command/key-reused"
    assert ledger.send(Fork("What if", at=3), fight="Duel").history() == [
        *fight.history(3),
        *ledger.fight("What if").history()[3:],
    ]


def test_names_pages_and_what_there_is_not(sit: Sit) -> None:
    ledger = sit("host")
    assert sorted(ledger.names("br")) == [FIGHT]
    assert (ledger.has(FIGHT), ledger.has("no such")) == (True, False)
    assert [one.name for one in ledger.list(1)] == ["elsewhere"]
    page = ledger.list(1)
    assert [one.name for one in ledger.list(1, after=str(page.next))] == [FIGHT]


def test_seats_are_given_and_taken_away(sit: Sit, service: Service) -> None:
    ledger = sit("host")
    made = ledger.seats.invite("player:rurik", FIGHT, name="Ben")
    with combatlog.connect(service.url, made.token) as bens:
        assert bens.seat.name == "Ben"
        ledger.seats.revoke(str(made.seat.id)[:8], FIGHT)
        with pytest.raises(combatlog.Problem) as refused:
            bens.fight(FIGHT)
    assert refused.value.code == "seat/no-token"


@pytest.mark.parametrize("seat", ["gm", "rurik"])
def test_a_seat_at_one_fight_opens_no_other(sit: Sit, seat: str) -> None:
    ledger = sit(seat)
    for attempt in (lambda: ledger.new("Mill"), lambda: ledger.fight("elsewhere")):
        with pytest.raises(combatlog.Problem) as refused:
            attempt()
        assert refused.value.code in ("seat/not-here", "seat/not-allowed")


def test_what_reaches_for_the_ledger_itself_is_refused(sit: Sit, tmp_path: Path) -> None:
    ledger = sit("host")
    assert ledger.has(FIGHT)
    attempts = (
        lambda: ledger.sql("SELECT 1"),
        lambda: ledger.tables(),
        lambda: ledger.follow(),
        lambda: ledger.write_lake(tmp_path),
        lambda: ledger.store.url,
        lambda: ledger.seats.invite("gm"),
    )
    for attempt in attempts:
        with pytest.raises(combatlog.Problem) as refused:
            attempt()
        assert refused.value.code == "server/local-only"


def test_what_a_player_cannot_look_ahead_to(sit: Sit) -> None:
    away = sit("rurik").fight(FIGHT)
    with pytest.raises(combatlog.Problem) as refused:
        away.seen_by().way_to_move((1, 0))
    assert refused.value.code == "view/whole-only"


def test_a_dry_run_of_a_command_records_nothing(gm: combatlog.RecordedFight, fight: combatlog.RecordedFight) -> None:
    before = fight.history()
    foreseen = gm.send(EndTurn("snig"), dry_run=True)
    assert any(event.kind == "turn_ended" for event in foreseen.events)
    assert fight.history() == before


def test_the_ledger_takes_what_is_said_in_a_fight(sit: Sit, fight: combatlog.RecordedFight) -> None:
    for ledger in (fight.ledger, sit("host")):
        assert ledger.send(ListCombatants(), fight=FIGHT, seat="player:rurik").keys() == {"snig", "rurik", "osric"}
        with pytest.raises(combatlog.Problem) as refused:
            ledger.send(ListCombatants())
        assert refused.value.code == "message/no-fight"
