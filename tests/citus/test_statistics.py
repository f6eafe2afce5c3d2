"""Every statistic is the same on one server and on every node of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import combatlog
from combatlog.rules.content.scenario import play_in_memory, read_scenario
from ledger.store.ledger import LedgerStore
from projections.readmodels.rebuild import rebuild
from projections.statistics.statistic_names import By, Statistic
from tests.projections.lake.test_statistics import SCENARIOS, WHERES, answer
from tests.projections.readmodels.support import History, dump, renamed


def fight_everything(ledger: LedgerStore) -> None:
    """Fights of every ruleset, and two that were corrected and forked."""
    for number, path in enumerate(SCENARIOS):
        fight, _ = play_in_memory(read_scenario(path))
        ledger.append(renamed(fight.events, f"{path.stem} {number}"))
    for name in ("one", "two"):
        history = History(ledger, name, Random(name))
        for _ in range(6):
            history.grow()


def copy(source: LedgerStore, target: LedgerStore) -> None:
    for encounter in source.recorder.select_encounters():
        rows = source.recorder.select_rows(encounter)
        from ledger.store.appending import BlobArray, EventBatch, TextArray

        columns = (
            TextArray(row.name for row in rows),
            BlobArray(row.state for row in rows),
            BlobArray(row.hash for row in rows),
        )
        target.recorder.insert_batch(EventBatch(encounter, rows[0].seq, *columns), None)


def test_every_statistic_is_the_same_on_one_server_and_on_the_cluster(
    ledger: LedgerStore, database: str, nodes: list[str], embedded: str, make_database: Callable[[str], str]
) -> None:
    plain_url = make_database(embedded)
    with LedgerStore.open(plain_url) as plain:
        fight_everything(plain)
        copy(plain, ledger)
        one = combatlog.Ledger(plain)
        asked = 0
        with combatlog.open(nodes[0]) as coordinator, combatlog.open(nodes[-1]) as worker:
            for statistic in Statistic:
                for by in By:
                    for where in WHERES:
                        given = {**where, "fights": ["one", "two"]} if statistic is Statistic.COMPARE else where
                        expected = answer(one, statistic, by, given)
                        asked += expected != "stats/by"
                        assert answer(coordinator, statistic, by, given) == expected, (statistic, by, where)
                        assert answer(worker, statistic, by, given) == expected, (statistic, by, where)
        assert asked > 80
        assert dump(database) == dump(plain_url)
        rebuild(database)
        assert dump(nodes[-1]) == dump(plain_url)
