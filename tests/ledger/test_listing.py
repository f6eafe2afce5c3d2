"""Encounters are listed page by page, and found by how their names begin, without reading all of them."""

from __future__ import annotations

import psycopg
import pytest
from psycopg.sql import Composed

from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.errors import Problem
from ledger.events import Forked
from ledger.store import encounters as beginnings
from ledger.store import encounters as labels
from ledger.store.encounters import Page
from ledger.store.ledger import LedgerStore, encounter_id
from tests.attacks.damage import plant, unguarded

NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "rain", "reason": "it rains"})


def open_all(referee: Referee, *names: str) -> None:
    for name in names:
        referee.open(Opening(name=name))


def names(page: Page) -> list[str]:
    return [listed.name for listed in page]


def test_pages_follow_each_other_from_the_newest_on(ledger: LedgerStore, referee: Referee) -> None:
    open_all(referee, "a", "b", "c", "d", "e")
    referee.declare("b", NOTE)
    first = ledger.page(2)
    second = ledger.page(2, str(first.next))
    third = ledger.page(2, str(second.next))
    assert [names(page) for page in (first, second, third)] == [["e", "d"], ["c", "b"], ["a"]]
    assert [page.next for page in (first, second, third)] == [encounter_id("d"), encounter_id("b"), None]
    assert [page.total for page in (first, second, third)] == [5, 5, 5]
    assert [listed.events for listed in second] == [1, 3]


def test_what_is_begun_in_the_meantime_moves_no_page(ledger: LedgerStore, referee: Referee) -> None:
    open_all(referee, "a", "b", "c")
    first = ledger.page(2)
    open_all(referee, "d")
    assert names(ledger.page(2, str(first.next))) == ["a"]


def test_a_page_ends_exactly_with_the_last_encounter(ledger: LedgerStore, referee: Referee) -> None:
    open_all(referee, "a", "b")
    assert ledger.page(2).next is None
    assert names(ledger.page()) == ["b", "a"]
    assert (names(ledger.page(2, "a")), ledger.page(2, "a").total) == ([], 2)


def test_an_empty_ledger_has_an_empty_page(ledger: LedgerStore) -> None:
    assert ledger.page(10) == Page((), 0, None)


def test_a_page_goes_on_after_an_encounter_that_there_is(ledger: LedgerStore, referee: Referee) -> None:
    open_all(referee, "bridge")
    with pytest.raises(Problem) as caught:
        ledger.page(10, "bridg")
    assert (caught.value.code, caught.value.facts["suggestions"]) == ("ledger/unknown-encounter", ["bridge"])


def test_a_fork_has_the_ruleset_of_a_parent_on_another_page(ledger: LedgerStore, referee: Referee) -> None:
    referee.open(Opening(name="past", ruleset="skirmish"))
    referee.fork("past", 1, "fork", by="gm")
    referee.fork("fork", 2, "fork of the fork", by="gm")
    (listed,) = ledger.page(1)
    assert (listed.name, listed.ruleset, listed.parent) == ("fork of the fork", "skirmish", encounter_id("fork"))


def test_forks_in_a_circle_are_listed(ledger: LedgerStore, referee: Referee, database: str) -> None:
    open_all(referee, "past")
    referee.fork("past", 1, "a", by="gm")
    referee.fork("a", 2, "b", by="gm")
    with unguarded(database) as conn:
        fork = ledger.find("a").events[-1]
        assert isinstance(fork, Forked)
        changed = fork.model_copy(update={"parent": encounter_id("b")}).model_dump_json().encode()
        conn.execute(
            "UPDATE combatlog.ledger_events SET state = %s WHERE originator_id = %s", (changed, fork.encounter)
        )
    assert {listed.name: bool(listed.problem) for listed in ledger.page()} == {"b": True, "a": True, "past": False}


def test_names_are_found_by_how_they_begin(ledger: LedgerStore, referee: Referee) -> None:
    open_all(referee, "Bridge ambush", "bridge", "Brücke", "50% off", "a_b", "axb")
    assert sorted(ledger.names("bri")) == ["Bridge ambush", "bridge"]
    assert sorted(ledger.names("BRIDGE")) == ["Bridge ambush", "bridge"]
    assert ledger.names("Brü") == ["Brücke"]
    assert ledger.names("50%") == ["50% off"]
    assert ledger.names("a_") == ["a_b"]
    assert ledger.names("\0") == ledger.names() == ["axb", "a_b", "50% off", "Brücke", "bridge", "Bridge ambush"]
    assert ledger.names("br", 1) == ["bridge"]
    assert ledger.names("\udc80") == []


def test_beginnings_that_cannot_be_read_have_no_name(ledger: LedgerStore, referee: Referee, database: str) -> None:
    open_all(referee, "bridge")
    for number, state in enumerate(
        (b"\xff", b"[" * 100_000, b'{"name": "\\u0000"}', b'{"name": "' + b"x" * 9_000 + b'"}')
    ):
        plant(database, f"poison {number}", "encounter_opened", state)
    assert ledger.names("b") == ["bridge"]
    assert "bridge" in ledger.names()
    assert ledger.page(10).total == 5
    assert len([listed for listed in ledger.page(10) if listed.problem]) == 4


def test_a_suggestion_is_found_among_thousands(ledger: LedgerStore, referee: Referee, database: str) -> None:
    open_all(referee, "Battle at the Ford")
    _fill(database, encounters=3_000, events=1)
    with pytest.raises(Problem) as caught:
        ledger.require("battle at teh ford")
    assert caught.value.facts["suggestions"] == ["Battle at the Ford"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "values", "index"),
    [
        (beginnings._NEWEST, (2**62, 51), "begun_idx"),
        (beginnings._NEWEST, (1_000, 51), "begun_idx"),
        (beginnings._COUNT, (), ""),
        (beginnings._BEGUN_AT, (encounter_id("a"),), "beginning_idx"),
        (beginnings._OF, ([encounter_id("a")],), "beginning_idx"),
        (beginnings._NAMES_OF_NEWEST, (100,), "begun_idx"),
        (beginnings._NAMES_FROM_TO, ("fight 1", "fight 1\U0010ffff", 100), "name_idx"),
        (labels._LABELLED, ([encounter_id("a")],), "labels_idx"),
        (labels._DECIDING, ([encounter_id("a")],), "labels_idx"),
    ],
    ids=["newest", "before", "count", "place", "ancestors", "new names", "names", "labelled", "labels"],
)
def test_an_index_answers(
    ledger: LedgerStore, database: str, query: Composed, values: tuple[object, ...], index: str
) -> None:
    _fill(database, encounters=200, events=50)
    with psycopg.connect(database) as conn:
        plan = "\n".join(row[0] for row in conn.execute("EXPLAIN " + query.as_string(conn), values))  # type: ignore[arg-type]
    assert f"ledger_events_{index}" in plan
    assert "Seq Scan" not in plan


def _fill(url: str, encounters: int, events: int) -> None:
    """Rows that look like encounters, for whoever does not look into them."""
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(
            "INSERT INTO combatlog.ledger_events (originator_id, originator_version, topic, state, hash)"
            " SELECT md5(fight::text)::uuid, seq, CASE seq WHEN 1 THEN 'encounter_opened' ELSE 'ruled' END,"
            " convert_to(json_build_object('name', 'fight ' || fight)::text, 'UTF8'), sha256('x')"
            " FROM generate_series(1, %s) fight, generate_series(1, %s) seq",
            (encounters, events),
        )
        conn.execute("VACUUM ANALYZE combatlog.ledger_events")
