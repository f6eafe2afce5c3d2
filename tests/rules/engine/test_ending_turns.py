"""Whoever ends a turn says whose, so that nobody ends another one by mistake."""

from __future__ import annotations

import gzip
from io import BytesIO
from pathlib import Path

import pytest

from combatlog.rules.exchange.importing import import_events
from combatlog.rules.verification.verify import verify
from combatlog.testing import Drill
from ledger.store.ledger import LedgerStore

V3 = Path(__file__).parents[2] / "old_ledgers/v3/ledger.jsonl.gz"


@pytest.fixture
def duel() -> Drill:
    drill = Drill()
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.join("fighter", "Sir Rurik", (1, 1))
    drill.start(dice=[20, 1])
    return drill


def test_a_turn_that_is_not_named_does_not_end(duel: Drill) -> None:
    refused = duel.refusal("gm", "end-turn")
    assert (refused.code, refused.sentence) == ("turn/whose", "Say whose turn ends: it is Snig's turn.")
    assert refused.facts == {"turn": "snig"}


def test_a_turn_ends_once(duel: Drill) -> None:
    duel.end_turn("snig")
    refused = duel.refusal("snig", "end-turn")
    assert (refused.code, refused.sentence) == ("turn/other", "It is Sir Rurik's turn, not Snig's.")


def test_the_gm_ends_the_turn_of_another(duel: Drill) -> None:
    duel.end_turn("snig", by="gm")
    assert duel["turn"] == "sir-rurik"


def test_where_no_turn_is_in_progress_none_is_asked_for() -> None:
    drill = Drill()
    drill.join("fighter", "Rurik")
    assert drill.refusal("gm", "end-turn").code == "turn/not-started"


def test_turns_that_older_versions_ended_without_a_name_still_verify(ledger: LedgerStore) -> None:
    recorded = gzip.decompress(V3.read_bytes())
    assert b'"actor":"gm","action":"core:time:end-turn"' in recorded.replace(b"\\", b"")
    import_events(ledger, BytesIO(recorded))
    assert verify(ledger, "Old bridge").findings == []
