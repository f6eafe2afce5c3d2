"""The tables are the same however they came to be, and no event is ever missing from them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from threading import Thread
from uuid import uuid4

import psycopg
import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st

from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.errors import Problem
from ledger.events import Declared
from ledger.store.ledger import LedgerStore
from projections.readmodels.catalogue import FACTS, TABLES
from projections.readmodels.reading import ask, describe
from projections.readmodels.rebuild import rebuild
from projections.readmodels.recorder import ReadModels
from projections.readmodels.runner import ReadModelFollower
from projections.readmodels.session import session
from tests.effort import examples
from tests.projections.readmodels.support import History, dump


@examples(12, phases=[Phase.explicit, Phase.reuse, Phase.generate])  # a smaller seed is no simpler fight
@given(seed=st.integers(0, 1_000_000))
def test_kept_step_by_step_equals_rebuilt(seed: int, ledger: LedgerStore, database: str) -> None:
    chance = Random(seed)
    history = History(ledger, f"fight {uuid4()}", chance)
    with ReadModels.open(database) as view:
        for _ in range(chance.randrange(1, 8)):
            history.grow()
            while chance.random() < 0.7 and view.bring_in(ledger, limit=chance.choice([1, 7, 100, 1000])):
                """Batches end anywhere, also in the middle of a command."""
        view.catch_up(ledger)
    kept = dump(database)
    rebuild(database)
    assert dump(database) == kept


@pytest.mark.slow
def test_the_mix_of_the_property_has_every_sort_of_correction(ledger: LedgerStore, database: str) -> None:
    """So that the property above is not true for want of cases."""
    history = History(ledger, "mix", Random(3))
    for _ in range(40):
        history.grow()
    rebuild(database)
    rows = dump(database)
    kinds = {row[list(TABLES["corrections"].column_names).index("kind")] for row in rows["corrections"]}
    assert kinds == {"undone", "redone", "amended", "forked"}
    assert {row[5] for row in rows["declarations"]} == {True, False}


def test_every_fact_names_an_event_that_is_in_the_ledger(ledger: LedgerStore, database: str) -> None:
    history = History(ledger, "names", Random(5))
    for _ in range(10):
        history.grow()
    rebuild(database)
    with psycopg.connect(database) as conn:
        for table in FACTS:
            orphans = conn.execute(
                f"SELECT count(*) FROM combatlog_read.{table.name} f LEFT JOIN combatlog.ledger_events e"  # type: ignore[call-overload]
                " ON (e.originator_id, e.originator_version) = (f.encounter, f.seq) WHERE e.topic IS NULL"
            ).fetchone()
            assert orphans == (0,), table.name


def test_the_shared_past_of_a_fork_is_counted_once(ledger: LedgerStore, referee: Referee, database: str) -> None:
    note = Declaration(actor="gm", action="core:ruling:rule", options={"note": "rain", "reason": "it rains"})
    referee.open(Opening(name="past"))
    for _ in range(3):
        referee.declare("past", note)
    referee.fork("past", None, "other past", by="gm")
    referee.declare("other past", note)
    with ReadModels.open(database) as view:
        view.catch_up(ledger)
    rows = dump(database)
    assert len(rows["declarations"]) == 4
    own = {row[1]: row[TABLES["encounters"].column_names.index("events")] for row in rows["encounters"]}
    assert own == {"past": 7, "other past": 3}


def test_what_is_undone_stays_and_is_marked_and_stands_again_when_redone(
    ledger: LedgerStore, referee: Referee, database: str
) -> None:
    from combatlog.rules.engine.corrections import undo

    note = Declaration(actor="gm", action="core:ruling:rule", options={"note": "rain", "reason": "it rains"})
    referee.open(Opening(name="marks"))
    referee.declare("marks", note)
    with ReadModels.open(database) as view:
        view.catch_up(ledger)
        assert [row[5] for row in dump(database)["declarations"]] == [False]
        referee.apply(referee.plan("marks", lambda f: undo.plan_undo(f, undo.last(f), by="gm", reason="wrong")))
        view.catch_up(ledger)
        assert [row[5] for row in dump(database)["declarations"]] == [True]
        referee.apply(referee.plan("marks", lambda f: undo.plan_redo(f, by="gm", reason="right after all")))
        view.catch_up(ledger)
    rows = dump(database)
    assert [row[5] for row in rows["declarations"]] == [False]
    kind = TABLES["corrections"].column_names.index("kind")
    assert [(row[kind], row[5]) for row in rows["corrections"]] == [("undone", True), ("redone", False)]


def write_notes(url: str, name: str, count: int) -> None:
    with LedgerStore.open(url) as ledger:
        referee = Referee(ledger)
        referee.open(Opening(name=name))
        note = Declaration(actor="gm", action="core:ruling:rule", options={"note": name, "reason": "x"})
        for _ in range(count):
            referee.declare(name, note)


def test_with_writers_at_work_the_follower_misses_nothing(ledger: LedgerStore, database: str) -> None:
    with ReadModelFollower(database) as follower:
        writers = [Thread(target=write_notes, args=(database, f"fight {number}", 40)) for number in range(4)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        follower.wait_for(ledger.recorder.head(), timeout=60)
    declared = [
        (event.encounter, event.seq)
        for listed in ledger.list_encounters()
        for event in ledger.find(listed.name).events
        if isinstance(event, Declared)
    ]
    assert len(declared) == 160
    followed = dump(database)
    assert sorted(row[:2] for row in followed["declarations"]) == sorted(declared)
    rebuild(database)
    assert dump(database) == followed


@pytest.mark.slow
def test_a_rebuild_while_others_write_follow_and_catch_up(ledger: LedgerStore, database: str) -> None:
    with ReadModelFollower(database) as follower, ReadModels.open(database) as other:
        writers = [Thread(target=write_notes, args=(database, f"fight {number}", 40)) for number in range(2)]
        for writer in writers:
            writer.start()
        for _ in range(3):
            rebuild(database)
            other.catch_up(ledger)
        for writer in writers:
            writer.join()
        follower.wait_for(ledger.recorder.head(), timeout=60)
    followed = dump(database)
    assert len(followed["declarations"]) == 80
    rebuild(database)
    assert dump(database) == followed


def test_tables_of_another_form_are_refused_until_they_are_rebuilt(ledger: LedgerStore, database: str) -> None:
    rebuild(database)
    with psycopg.connect(database) as conn:
        conn.execute("UPDATE combatlog_read.read_model_form SET fingerprint = 'older'")
    with pytest.raises(Problem) as caught:
        ReadModels.open(database)
    assert caught.value.code == "projections/other-form"
    rebuild(database)
    ReadModels.open(database).datastore.close()


def test_every_table_and_column_has_a_comment_in_the_database(ledger: LedgerStore, database: str) -> None:
    rebuild(database)
    with session(ledger) as opened:
        described = {table.table: table for table in describe(opened.conn)}
    assert set(described) == set(TABLES)
    for name, table in TABLES.items():
        assert described[name].meaning == table.meaning
        assert [(column.name, column.meaning) for column in described[name].columns] == [
            (column.name, column.meaning) for column in table.columns
        ]


def test_on_a_server_with_a_password_as_well(tcp_server: str, make_database: Callable[[str], str]) -> None:
    url = make_database(tcp_server)
    write_notes(url, "fight", 5)
    with LedgerStore.open(url) as ledger, ReadModelFollower(url) as follower:
        follower.wait_for(ledger.recorder.head(), timeout=60)
    followed = dump(url)
    assert len(followed["declarations"]) == 5
    rebuild(url)
    assert dump(url) == followed
    with LedgerStore.open(url) as ledger, session(ledger) as opened:
        assert ask(opened.conn, "SELECT count(*) FROM declarations").rows == [(5,)]
