"""Seats: who may take part over a network. A token is shown once, and only its hash is kept."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any

import psycopg
import pytest

import combatlog
from projections.views import Role
from tests.cases import each

Fight = combatlog.RecordedFight


@pytest.mark.parametrize(
    ("seat", "role", "combatants"),
    [
        ("gm", Role.GM, set()),
        ("player:rurik", Role.PLAYER, {"rurik"}),
        ("player:Osr, RURIK", Role.PLAYER, {"rurik", "osric"}),
        ("spectator", Role.SPECTATOR, set()),
        ("auditor", Role.AUDITOR, set()),
    ],
)
def test_a_token_finds_its_seat(fight: Fight, seat: str, role: Role, combatants: set[str]) -> None:
    seats = fight.ledger.seats
    made = seats.invite(seat, fight, name="Anna")
    found = seats.find(made.token)
    assert found == made.seat
    assert found is not None
    assert (found.seat.role, found.seat.combatants, found.name) == (role, combatants, "Anna")
    assert seats.find_at(made.token, fight.id) == (found, fight.battle.seq)


def test_tokens_have_256_bits_and_only_their_hash_is_kept(fight: Fight, database: str) -> None:
    tokens = [fight.ledger.seats.invite("gm", fight).token for _ in range(3)]
    assert len(set(tokens)) == 3
    assert all(re.fullmatch(r"[\w-]{43}", token) for token in tokens)  # 43 characters of 6 bits hold 256
    with psycopg.connect(database) as conn:
        kept = conn.execute("SELECT token_hash FROM combatlog.seats").fetchall()
        rows = str(conn.execute("SELECT seats::text FROM combatlog.seats AS seats").fetchall())
    assert {bytes(row[0]) for row in kept} == {sha256(token.encode()).digest() for token in tokens}
    assert not any(token in rows for token in tokens)


def test_nobody_sits_down_with_another_token(fight: Fight) -> None:
    made = fight.ledger.seats.invite("gm", fight)
    for token in ("", made.token[:-1], made.token + "x", made.token.swapcase(), "\udcff", "\0"):
        assert fight.ledger.seats.find(token) is None
        assert fight.ledger.seats.find_at(token, fight.id) is None


def test_a_revoked_seat_is_worth_nothing_at_once(fight: Fight) -> None:
    seats = fight.ledger.seats
    kept, lost = seats.invite("gm", fight), seats.invite("spectator", fight, delay=60)
    assert seats.revoke(str(lost.seat.id)[:13], fight).revoked_at is not None
    assert seats.revoke(lost.seat.id, fight).id == lost.seat.id
    assert (seats.find(lost.token), seats.find(kept.token)) == (None, kept.seat)
    assert [one.revoked_at is not None for one in seats.list(fight)] == [False, True]


def test_an_expired_seat_is_worth_nothing(fight: Fight, database: str) -> None:
    made = fight.ledger.seats.invite("gm", fight, days=1)
    assert (made.seat.expires_at - made.seat.created_at).days == 1
    with psycopg.connect(database) as conn:
        conn.execute("SET session_replication_role = replica")
        conn.execute("ALTER TABLE combatlog.seats DISABLE TRIGGER append_only")
        conn.execute("UPDATE combatlog.seats SET expires_at = now() - interval '1 second'")
    assert fight.ledger.seats.find(made.token) is None


def test_seats_at_all_fights_are_for_those_who_run_the_server(fight: Fight) -> None:
    seats = fight.ledger.seats
    everywhere, here = seats.invite("gm"), seats.invite("gm", fight)
    other = fight.ledger.new("another")
    assert everywhere.seat.is_at(fight.id)
    assert everywhere.seat.is_at(other.id)
    assert here.seat.is_at(fight.id)
    assert not here.seat.is_at(other.id)
    assert [one.id for one in seats.list(other)] == [everywhere.seat.id]


@each(
    ("arguments", "code"),
    [
        ({"seat": "player:nobody"}, "declaration/unknown-combatant"),
        ({"seat": "judge"}, "view/unknown-seat"),
        ({"seat": "players"}, "seat/role"),
        ({"seat": "player:rurik", "fight": None}, "seat/role"),
        ({"seat": "spectator", "fight": None}, "seat/role"),
        ({"seat": "gm", "delay": 5}, "seat/delay"),
        ({"seat": "spectator", "delay": -1}, "seat/delay"),
        ({"seat": "spectator", "delay": 24 * 3600 + 1}, "seat/delay"),
        ({"seat": "gm", "days": 0}, "seat/days"),
        ({"seat": "gm", "days": 3651}, "seat/days"),
        ({"seat": "gm", "name": " "}, "seat/name"),
        ({"seat": "gm", "name": "a\nb"}, "seat/name"),
        ({"seat": "gm", "name": "a" * 81}, "seat/name"),
        ({"seat": "gm", "fight": "nothing"}, "ledger/unknown-encounter"),
    ],
)
def test_what_is_refused(fight: Fight, arguments: dict[str, Any], code: str) -> None:
    given = {"fight": fight, **arguments}
    with pytest.raises(combatlog.Problem) as refused:
        fight.ledger.seats.invite(**given)
    assert refused.value.code == code
    assert fight.ledger.seats.list(fight) == []


@pytest.mark.parametrize("seat", ["", "zzz", "00000000-0000-0000-0000-000000000000"])
def test_only_seats_that_there_are_can_be_taken_away(fight: Fight, seat: str) -> None:
    fight.ledger.seats.invite("gm", fight)
    with pytest.raises(combatlog.Problem) as refused:
        fight.ledger.seats.revoke(seat, fight)
    assert refused.value.code == "seat/unknown"


@pytest.mark.parametrize("change", ["UPDATE {} SET seat = seat", "DELETE FROM {}", "TRUNCATE {} CASCADE"])
@pytest.mark.parametrize("table", ["combatlog.seats", "combatlog.revoked_seats"])
def test_nothing_about_seats_is_ever_changed(fight: Fight, database: str, change: str, table: str) -> None:
    with psycopg.connect(database) as conn, pytest.raises(psycopg.errors.RaiseException):
        conn.execute(change.format(table))  # type: ignore[call-overload]
