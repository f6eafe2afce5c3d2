"""A projection runner that is killed: whoever carries on brings in every event once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.resolution.referee import Referee
from ledger.store.ledger import LedgerStore
from projections.readmodels.rebuild import rebuild
from projections.readmodels.recorder import ReadModels
from tests.projections.readmodels.support import dump

pytestmark = pytest.mark.slow

_FOLLOWING = """
import sys
from projections.readmodels.runner import ReadModelFollower

with ReadModelFollower(sys.argv[1]) as follower:
    print("following", flush=True)
    follower.run_forever()
"""
NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "rain", "reason": "weather"})


def follower(url: str) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", _FOLLOWING, url], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "following\n"
    return process


@pytest.mark.parametrize("declared_before_death", [1, 5, 15])
def test_killed_while_events_come_in_nothing_is_missing_or_there_twice(
    ledger: LedgerStore, database: str, declared_before_death: int
) -> None:
    referee = Referee(ledger)
    referee.open(Opening(name="fight"))
    process = follower(database)
    for number in range(30):
        referee.declare("fight", NOTE)
        if number == declared_before_death:
            os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    with ReadModels.open(database) as view:
        view.catch_up(ledger)
    carried_on = dump(database)
    assert len(carried_on["declarations"]) == 30
    rebuild(database)
    assert dump(database) == carried_on
