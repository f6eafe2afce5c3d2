"""Encounters are kept in memory for their next events: a bounded number, and never at the price of a wrong row."""

from __future__ import annotations

from random import Random

import psycopg
import pytest
from eventsourcing.persistence import ProgrammingError

from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.store.ledger import LedgerStore, encounter_id
from projections.readmodels.rebuild import rebuild
from projections.readmodels.recorder import ReadModels
from projections.readmodels.row_projection import KeptProjections
from tests.projections.readmodels.support import History, dump

NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "rain", "reason": "it rains"})
CLOSE = Declaration(actor="gm", action="core:time:close")


def play(referee: Referee, *names: str) -> None:
    """Encounters with three events each."""
    for name in names:
        referee.open(Opening(name=name))
        referee.declare(name, NOTE)


def test_the_longest_unused_go_first(ledger: LedgerStore, referee: Referee) -> None:
    play(referee, "a", "b", "c", "d")
    kept = KeptProjections(most_events=9)
    of = {name: kept.take(ledger, encounter_id(name), 4) for name in "abcd"}
    for name in "abc":
        kept.keep(of[name])
    assert kept.take(ledger, encounter_id("a"), 4) is of["a"]
    kept.keep(of["a"])
    kept.keep(of["d"])
    assert len(kept) == 3
    assert kept.take(ledger, encounter_id("a"), 4) is of["a"]
    assert kept.take(ledger, encounter_id("b"), 4) is not of["b"]


def test_an_encounter_that_is_over_or_too_long_is_not_kept(ledger: LedgerStore, referee: Referee) -> None:
    play(referee, "a", "b")
    referee.declare("a", CLOSE)
    kept = KeptProjections(most_events=2)
    kept.keep(kept.take(ledger, encounter_id("a"), 6))
    kept.keep(kept.take(ledger, encounter_id("b"), 4))
    assert len(kept) == 0


def test_many_fights_are_followed_without_reading_their_past_again(
    ledger: LedgerStore, referee: Referee, database: str
) -> None:
    names = [f"fight {number}" for number in range(40)]
    play(referee, *names)
    with ReadModels.open(database) as view:
        view.catch_up(ledger)
        before = {name: view.kept.take(ledger, encounter_id(name), 4) for name in names}
        for projection in before.values():
            view.kept.keep(projection)
        for name in names:
            referee.declare(name, NOTE)
        view.catch_up(ledger)
        assert all(view.kept.take(ledger, encounter_id(name), 6) is before[name] for name in names)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_processes_that_take_turns_write_the_same_rows(ledger: LedgerStore, database: str, seed: int) -> None:
    chance = Random(seed)
    history = History(ledger, "turns", chance)
    with ReadModels.open(database) as one, ReadModels.open(database) as two:
        for _ in range(12):
            history.grow()
            chance.choice([one, two]).bring_in(ledger, limit=chance.choice([1, 3, 2000]))
        one.catch_up(ledger)
    kept = dump(database)
    rebuild(database)
    assert dump(database) == kept


@pytest.mark.slow
def test_a_batch_that_was_not_written_is_brought_in_again(ledger: LedgerStore, referee: Referee, database: str) -> None:
    play(referee, "a")
    with ReadModels.open(database) as view, psycopg.connect(database, autocommit=True) as conn:
        view.catch_up(ledger)
        referee.declare("a", NOTE)
        conn.execute("ALTER TABLE combatlog_read.declarations RENAME TO elsewhere")
        with pytest.raises(ProgrammingError):
            view.catch_up(ledger)
        conn.execute("ALTER TABLE combatlog_read.elsewhere RENAME TO declarations")
        assert len(view.kept) == 0
        assert view.catch_up(ledger) == 2
    kept = dump(database)
    assert len(kept["declarations"]) == 2
    rebuild(database)
    assert dump(database) == kept
