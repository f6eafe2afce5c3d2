"""Exports as nobody made them: refused in a sentence with nothing written, or here as the file says and readable."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from io import BytesIO
from random import Random
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.render.fight_log import print_explanation, print_log
from cli.render.fight_state import print_state
from combatlog.rules.engine.menu import menu_of
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.status import status_of
from combatlog.rules.exchange.importing import import_events
from combatlog.rules.verification.verify import check_rows, verify
from ledger.errors import Problem
from ledger.events import CombatantJoined, Event
from ledger.registry import decode
from ledger.store.ledger import LedgerStore
from projections.battle.fold import fold
from projections.readmodels.recorder import ReadModels
from projections.review.audit import audit
from projections.review.explanation import explain
from projections.views.state import battle_state
from tests.effort import examples
from tests.fuzz.exports import SPOILS, fights, forged, some_lines


class Target:
    """A ledger that imports are tried on, emptied after each one that was taken."""

    def __init__(self, url: str, ledger: LedgerStore) -> None:
        self.url, self.ledger = url, ledger
        self._admin = psycopg.connect(url, autocommit=True)

    def rows(self) -> list[tuple[Any, ...]]:
        return self._admin.execute("SELECT * FROM combatlog.ledger_events ORDER BY notification_id").fetchall()

    def empty(self) -> None:
        self._admin.execute("ALTER TABLE combatlog.ledger_events DISABLE TRIGGER append_only")
        self._admin.execute("TRUNCATE combatlog.ledger_events")
        self._admin.execute("ALTER TABLE combatlog.ledger_events ENABLE ALWAYS TRIGGER append_only")
        self._admin.execute("DROP SCHEMA IF EXISTS combatlog_read CASCADE")

    def close(self) -> None:
        self._admin.close()


@pytest.fixture
def target(database: str) -> Iterator[Target]:
    with LedgerStore.open(database) as ledger:
        target = Target(database, ledger)
        yield target
        target.close()


def spoilt(seed: int) -> bytes:
    chance = Random(seed)
    lines = list(some_lines(chance))
    for _ in range(chance.choice([0, 1, 1, 1, 2, 3])):
        lines = chance.choice(SPOILS)(lines, chance) or [b""]
        if chance.random() < 0.7:
            lines = forged(lines)
    return b"\n".join(lines)


@examples(40, soak=4_000)
@given(seed=st.integers(0, 2**64))
def test_a_spoilt_export_is_refused_whole_or_taken_as_it_is(target: Target, seed: int) -> None:
    file = spoilt(seed)
    try:
        import_events(target.ledger, BytesIO(file))
    except Problem as problem:
        assert problem.sentence.endswith((".", "`", "?"))
        assert target.rows() == []
        assert target.ledger.recorder.select_oldest_writer() is None
    else:
        try:
            check_taken(target, file)
        finally:
            target.empty()


WHOLE = [encounter for encounter, lines in fights().items() if b'"forked' not in lines[0]]
"""Those that do not share the past of another."""


@pytest.mark.parametrize("encounter", WHOLE)
def test_a_fight_whose_sheets_no_ruleset_can_read_can_still_be_looked_at(encounter: str) -> None:
    """A file may hold any sheet, and the hashes in it tell nothing: its author computes them."""
    events = [with_odd_sheet(decode_line(line)) for line in fights()[encounter]]
    show(events)
    fight = FightEngine(events)
    assert status_of(fight.battle)["combatants"]
    with pytest.raises(Problem, match=r"recorded sheet: [\w.]+ is not valid") as refusal:
        menu_of(fight, next(iter(fight.battle.combatants)))
    assert refusal.value.code == "sheet/unreadable"


def decode_line(line: bytes) -> Event:
    data = json.loads(line)
    return decode(data["name"], data["state"].encode())


def with_odd_sheet(event: Event) -> Event:
    if not isinstance(event, CombatantJoined):
        return event
    return event.model_copy(update={"sheet": dict.fromkeys(event.sheet, "character")})


def check_taken(target: Target, file: bytes) -> None:
    told = {
        (data["encounter"], data["seq"], data["name"], data["state"].encode(), bytes.fromhex(data["hash"]))
        for data in (json.loads(line) for line in file.splitlines() if line.strip())
    }
    assert {(str(row[0]), row[1], row[2], row[3], row[4]) for row in target.rows()} == told
    for listed in target.ledger.list_encounters():
        assert check_rows(target.ledger.history(listed.encounter)) is None
        assert isinstance(verify(target.ledger, str(listed.encounter)).findings, list)
        show(target.ledger.read(listed.encounter).events)
    with ReadModels.open(target.url) as view:
        view.catch_up(target.ledger)


def show(events: Sequence[Event]) -> None:
    """What the commands do that look at a fight."""
    battle = fold(events)
    print_state(battle)
    battle_state(battle)
    print_log(events)
    audit(events)
    for event in events[:: max(1, len(events) // 10)]:
        print_explanation(explain(events, event.seq))
