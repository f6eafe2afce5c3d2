"""`combatlog seat`: giving seats, listing them, taking them away."""

from __future__ import annotations

import json
import re

import pytest

import combatlog
from cli.sharing import described, whose
from tests.cli.conftest import Run


def test_giving_listing_and_taking_away(bridge: Run, cli_database: str) -> None:
    given = bridge("seat", "bridge", "--player", "rurik,osric", "--name", "Anna", "--url", "https://table.example/")
    token = re.search(r"token  (\S{43})\n", given.out)
    assert token is not None
    assert "A seat for Anna, player of osric and rurik, until " in given.out
    assert f"https://table.example/join?token={token[1]}\n" in given.out
    with combatlog.open(cli_database) as ledger:
        seat = ledger.seats.find(token[1])
    assert seat is not None
    listed = bridge("seat", "bridge")
    assert listed.out.startswith(f"{str(seat.id)[:8]}  Anna, player of osric and rurik, until ")
    assert token[1] not in listed.out
    taken = bridge("seat", "bridge", "--revoke", str(seat.id)[:8])
    assert taken.out == "Revoked: the seat of Anna, player of osric and rurik.\n"
    assert "revoked on" in bridge("seat", "bridge").out


def test_a_spectator_with_a_delay_for_programs(bridge: Run) -> None:
    made = json.loads(bridge("seat", "bridge", "--spectator", "--delay", "60", "--days", "2", "--json").out)
    assert (made["role"], made["delay"], made["combatants"]) == ("spectator", 60, [])
    assert made["link"] == f"http://127.0.0.1:8321/join?token={made['token']}"
    (listed,) = json.loads(bridge("seat", "bridge", "--json").out)
    assert listed == {name: value for name, value in made.items() if name not in ("token", "link")}


@pytest.mark.parametrize(
    ("asked", "given", "listed", "revoked"),
    [
        (["--gm"], "a GM", "GM", "the GM's seat"),
        (["--auditor"], "an auditor", "auditor", "the auditor's seat"),
        (["--player", "rurik"], "the player of rurik", "player of rurik", "the seat of the player of rurik"),
        (["--gm", "--name", "Ben"], "Ben, GM", "Ben, GM", "the seat of Ben, GM"),
        (
            ["--spectator", "--delay", "60"],
            "a spectator, with a delay of 60 seconds",
            "spectator, with a delay of 60 seconds",
            "the spectator's seat, with a delay of 60 seconds",
        ),
    ],
)
def test_seats_in_words(bridge: Run, asked: list[str], given: str, listed: str, revoked: str) -> None:
    assert bridge("seat", "bridge", *asked).out.startswith(f"A seat for {given}, until 2")
    line = bridge("seat", "bridge").out
    assert line[8:].startswith(f"  {listed}, until 2")
    assert bridge("seat", "bridge", "--revoke", line[:8]).out == f"Revoked: {revoked}.\n"


def test_a_seat_at_all_fights_in_words(cli_database: str) -> None:
    with combatlog.open(cli_database) as ledger:
        seat = ledger.seats.invite("gm").seat
    assert (described(seat), whose(seat)) == ("GM at all fights", "the GM's seat at all fights")


def test_what_is_refused(bridge: Run) -> None:
    assert bridge("seat", "bridge", "--gm", "--auditor").status == 2
    assert bridge("seat", "bridge", "--player", "nobody").code == "declaration/unknown-combatant"
    assert bridge("seat", "bridge", "--gm", "--delay", "5").code == "seat/delay"
    assert bridge("seat", "bridge", "--revoke", "zz").code == "seat/unknown"
    assert bridge("seat", "bridge").out.startswith("There are no seats yet.")
