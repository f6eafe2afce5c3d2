"""Every query of docs/analytics.md runs and finds something, and some find what was reckoned by hand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from combatlog.rules.content.scenario import play_in_memory, read_scenario
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.resolution.referee import Referee
from ledger.store.ledger import LedgerStore
from projections.readmodels.reading import ask
from projections.readmodels.session import current_session

ROOT = Path(__file__).parents[3]
COOKBOOK = dict(re.findall(r"### (.+?)\n+```sql\n(.+?)```", (ROOT / "docs" / "analytics.md").read_text(), re.DOTALL))

BY_HAND: dict[str, list[tuple[Any, ...]]] = {
    "Who hits how often, and with what": [
        ("osric", "longsword", 1, 0),
        ("rurik", "longsword", 2, 2),
        ("snig", "scimitar", 2, 1),
    ],
    "Damage per round of a fight": [
        ("bridge", 1, "rurik", 8),
        ("bridge", 2, "rurik", 12),
        ("bridge", 2, "snig", 6),
    ],
    "How often each character of a campaign hits": [
        ("riverlands", "osric", 1, 0),
        ("riverlands", "rurik", 2, 2),
        ("riverlands", "snig", 2, 1),
    ],
    "Where combatants go": [(3, 4, 1)],
    "Damage that was undone": [("bridge", 5)],
}


def test_there_are_a_dozen() -> None:
    assert len(COOKBOOK) >= 12


@pytest.fixture
def recorded(ledger: LedgerStore) -> LedgerStore:
    """The fight at the bridge, a step by ruling, and some damage that was taken back."""
    fight = play_in_memory(read_scenario(Path(__file__).parent / "bridge.yaml"))[0]
    ledger.append(fight.events)
    referee = Referee(ledger)
    shoved = {"to": [3, 4], "reason": "shoved"}
    referee.declare("bridge", Declaration(actor="gm", action="core:ruling:rule", targets=("rurik",), options=shoved))
    referee.declare("bridge", Declaration(actor="osric", action="attack"))
    strike = Declaration(actor="osric", action="strike", targets=("rurik",))
    referee.declare("bridge", strike, dice=[18, 2])  # 23 hits; 2 + 3 damage
    referee.apply(referee.plan("bridge", lambda f: undo.plan_undo(f, undo.last(f), by="gm", reason="a mistake")))
    return ledger


def test_every_query_finds_something_and_some_what_is_known(recorded: LedgerStore) -> None:
    for title, query in COOKBOOK.items():
        with current_session(recorded) as session:
            rows = ask(session.conn, query).rows
        assert rows, title
        if title == "Damage that was undone":
            assert [(row[0], row[3]) for row in rows] == BY_HAND[title]
        elif title in BY_HAND:
            assert [tuple(row) for row in rows] == BY_HAND[title]
