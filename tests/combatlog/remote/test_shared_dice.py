"""A player who takes part over a network keeps the chain at home."""

from __future__ import annotations

from pathlib import Path

import combatlog
from combatlog.testing import all_of
from ledger.events import LinkRevealed, Rolled
from tests.combatlog.remote.conftest import QUICK, Sit
from tests.service.conftest import Service


def test_a_player_sits_down_and_answers_from_home(service: Service, sit: Sit, tmp_path: Path) -> None:
    gm = sit("host").new("duel", dice="shared")
    gm.join("fighter", "Rurik")
    token = gm.ledger.seats.invite("player:rurik", gm, name="Anna").token
    with combatlog.connect(service.url, token, patience=QUICK) as ledger:
        anna = ledger.fight("duel")
        keeper = combatlog.Keeper(tmp_path)
        keeper.sit(anna, "rurik")
        gm.roll("1d20", "luck", who="rurik")
        assert gm.seen_by().shared_dice()["waiting"] is not None
        outcome = keeper.answer(anna)[-1]
        assert len(all_of(outcome.events, Rolled)) == 1
    assert all_of(gm.history(), LinkRevealed)[-1].by == "Anna"
    assert gm.verify().findings == []
