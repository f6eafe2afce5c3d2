"""An import that skips existing fights: what conflicts is left out with its forks, and the rest arrives."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from io import BytesIO

import pytest

from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.exchange.importing import ImportedEvents, import_events
from combatlog.rules.verification.verify import verify
from ledger.errors import Problem
from ledger.exchange.export import export_lines
from ledger.exchange.import_checks import LeftOutReason
from ledger.registry import chained_hash
from ledger.store.ledger import LedgerStore, encounter_id

NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "wet", "reason": "rain"})
"""Two events: the declaration and the ruling."""


@pytest.fixture
def other(embedded: str, make_database: Callable[[str], str]) -> Iterator[LedgerStore]:
    with LedgerStore.open(make_database(embedded)) as ledger:
        yield ledger


def play(ledger: LedgerStore, name: str, notes: int) -> None:
    referee = Referee(ledger)
    if not ledger.recorder.has(encounter_id(name)):
        referee.open(Opening(name=name))
    for _ in range(notes):
        referee.declare(name, NOTE)


def fork(ledger: LedgerStore, parent: str, at: int, name: str) -> None:
    Referee(ledger).fork(parent, at, name, by="gm")


def exported(ledger: LedgerStore, *fights: str) -> list[str]:
    return list(export_lines(ledger, fights))


def take(ledger: LedgerStore, lines: list[str], *, skip_existing: bool = True) -> ImportedEvents:
    return import_events(ledger, BytesIO("\n".join(lines).encode()), skip_existing=skip_existing)


def reasons(done: ImportedEvents) -> dict[str, LeftOutReason]:
    return {left.name: left.why for left in done.left_out}


def names(ledger: LedgerStore) -> set[str]:
    return {listed.name for listed in ledger.list_encounters()}


def check_whole(ledger: LedgerStore, *expected: str) -> None:
    """The ledger has these fights and no other, and each of them verifies."""
    assert names(ledger) == set(expected)
    for name in expected:
        assert verify(ledger, name).findings == []


def test_a_fight_whose_name_is_taken_is_left_out_with_its_forks(ledger: LedgerStore, other: LedgerStore) -> None:
    play(ledger, "bridge", 2)
    fork(ledger, "bridge", 3, "what if")
    fork(ledger, "what if", 4, "what if not")
    play(ledger, "tavern", 1)
    play(other, "bridge", 0)
    before = other.find("bridge")
    done = take(other, exported(ledger, "bridge", "what if", "what if not", "tavern"))
    assert reasons(done) == {
        "bridge": LeftOutReason.NAME_TAKEN,
        "what if": LeftOutReason.PARENT_LEFT_OUT,
        "what if not": LeftOutReason.PARENT_LEFT_OUT,
    }
    assert (done.encounters, done.events, done.known) == (1, 3, 0)
    assert other.find("bridge") == before
    assert other.find("tavern") == ledger.find("tavern")
    check_whole(other, "bridge", "tavern")


@pytest.mark.parametrize("order", [("bridge", "what if", "tavern"), ("what if", "tavern", "bridge")])
def test_a_fight_that_went_on_differently_is_left_out_in_whatever_order_it_comes(
    ledger: LedgerStore, other: LedgerStore, order: tuple[str, ...]
) -> None:
    """The fork was made where both ledgers agree. It is left out all the same, because its parent is."""
    play(ledger, "bridge", 1)
    take(other, exported(ledger, "bridge"))
    for one in (ledger, other):
        play(one, "bridge", 1)
    fork(ledger, "bridge", 3, "what if")
    play(ledger, "tavern", 0)
    done = take(other, exported(ledger, *order))
    assert reasons(done) == {"bridge": LeftOutReason.DIVERGED, "what if": LeftOutReason.PARENT_LEFT_OUT}
    assert (done.encounters, done.events, done.known) == (1, 1, 3)
    check_whole(other, "bridge", "tavern")


def test_a_fork_is_left_out_though_only_its_grandparent_is_in_the_file(ledger: LedgerStore, other: LedgerStore) -> None:
    """Forged: the fork claims a parent that this ledger has, but follows the file's version of the grandparent."""
    for one in (ledger, other):
        play(one, "bridge", 1)
    fork(other, "bridge", 3, "what if")
    fork(ledger, "bridge", 1, "what if not")
    first, last = map(json.loads, exported(ledger, "what if not"))
    state = last["state"].replace(str(encounter_id("bridge")), str(encounter_id("what if")))
    hashed = chained_hash(bytes.fromhex(first["hash"]), encounter_id("what if not"), 2, "forked", state.encode())
    done = take(other, [json.dumps(first), json.dumps({**last, "state": state, "hash": hashed.hex()})])
    assert reasons(done) == {"bridge": LeftOutReason.NAME_TAKEN, "what if not": LeftOutReason.PARENT_LEFT_OUT}
    check_whole(other, "bridge", "what if")


@pytest.mark.parametrize("forked_here", [True, False])
def test_a_fork_and_a_fight_of_the_same_name_conflict(
    ledger: LedgerStore, other: LedgerStore, forked_here: bool
) -> None:
    forking, opening = (other, ledger) if forked_here else (ledger, other)
    play(forking, "bridge", 1)
    fork(forking, "bridge", 3, "cave")
    play(opening, "cave", 3)
    play(ledger, "tavern", 0)
    lines = exported(ledger, "cave", "tavern")
    with pytest.raises(Problem) as refused:
        take(other, lines, skip_existing=False)
    assert refused.value.code == "import/differs"
    assert reasons(take(other, lines)) == {"cave": LeftOutReason.NAME_TAKEN}
    check_whole(other, "bridge", "cave", "tavern")


def test_nothing_is_left_out_where_nothing_conflicts(ledger: LedgerStore, other: LedgerStore) -> None:
    play(ledger, "bridge", 1)
    take(other, exported(ledger, "bridge"))
    play(ledger, "bridge", 1)
    done = take(other, exported(ledger, "bridge"))
    assert (done.events, done.known, done.left_out) == (2, 3, [])
    assert other.find("bridge") == ledger.find("bridge")


def test_a_fight_that_is_left_out_is_checked_like_any_other(ledger: LedgerStore, other: LedgerStore) -> None:
    play(ledger, "tavern", 0)
    play(ledger, "bridge", 1)
    play(other, "bridge", 0)
    lines = exported(ledger, "tavern", "bridge")
    last = json.loads(lines[-1])
    lines[-1] = json.dumps({**last, "state": last["state"].replace("rain", "snow")})
    with pytest.raises(Problem) as refused:
        take(other, lines)
    assert refused.value.code == "import/damaged"
    assert names(other) == {"bridge"}


def test_a_file_that_contradicts_itself_is_refused(
    ledger: LedgerStore, other: LedgerStore, embedded: str, make_database: Callable[[str], str]
) -> None:
    for one in (ledger, other):
        play(one, "bridge", 0)
    lines = [*exported(ledger, "bridge"), *exported(other, "bridge")]
    with LedgerStore.open(make_database(embedded)) as third:
        for here in ([], ["bridge"]):
            for name in here:
                play(third, name, 0)
            with pytest.raises(Problem) as refused:
                take(third, lines)
            assert refused.value.code == "import/differs"
            assert names(third) == set(here)
