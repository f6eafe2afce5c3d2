"""An interrupted simulation reports the fights that it has finished. With real signals, to a real process."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import combatlog
from ledger.store.database import URL_VARIABLE

pytestmark = pytest.mark.slow

SCENARIO = Path(__file__).parents[1] / "scenarios" / "dnd5e" / "full_combat_turn.yaml"
RUNS = 1_000_000


def simulated_until(sent: signal.Signals, url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Simulate far more fights than there is time for, and interrupt when some of them are in the ledger."""
    command = [sys.executable, "-m", "cli.app", "simulate", str(SCENARIO), "--runs", str(RUNS), "--record", *arguments]
    environment = {**os.environ, URL_VARIABLE: url}
    process = subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with combatlog.open(url) as ledger, ledger.follow(after=0) as events:
        closed = 0
        for event in events:
            closed += event.kind == "encounter_closed"
            if closed == 6:
                break
    process.send_signal(sent)
    out, errors = process.communicate()
    return subprocess.CompletedProcess(command, process.returncode, out, errors)


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_it_sums_up_what_is_finished(database: str, sent: signal.Signals, status: int, jobs: str) -> None:
    done = simulated_until(sent, database, "--jobs", jobs)
    assert done.returncode == status
    said = re.search(rf"Interrupted after (\d+) of {RUNS} fights", done.stderr)
    assert said is not None
    assert "Traceback" not in done.stderr
    assert done.stdout.startswith(f"{said[1]} fights")
    assert "won by" in done.stdout


def test_in_json_as_well(database: str) -> None:
    done = simulated_until(signal.SIGINT, database, "--json")
    assert json.loads(done.stdout)["fights"] >= 1
