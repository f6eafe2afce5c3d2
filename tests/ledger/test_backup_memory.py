"""A backup and restoring it take the same memory, however large the ledger is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from combatlog.rules.engine.commands import Opening
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from ledger.events import Ruled
from ledger.registry import GENESIS, chained_hash, encode
from ledger.store.ledger import LedgerStore, encounter_id

pytestmark = pytest.mark.slow

PEAK = """
import re, sys
from pathlib import Path
from ledger.exchange.backup import restore_backup
from ledger.exchange.backup import back_up
{"backup": back_up, "restore": restore_backup}[sys.argv[1]](sys.argv[2], Path(sys.argv[3]))
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""
MOST_GROWTH = 3_000
"""KiB. The rows of the larger ledger alone are more than four times as much."""
COPY = "COPY combatlog.ledger_events (originator_id, originator_version, topic, state, hash) FROM STDIN"


def fill(url: str, encounters: int) -> None:
    """Encounters of 100 events, each event of about a thousand bytes."""
    LedgerStore.open(url).close()
    with psycopg.connect(url) as conn, conn.cursor() as cursor, cursor.copy(COPY) as stream:
        for _ in range(encounters):
            name, head = f"fight {uuid4()}", GENESIS
            opened = FightEngine.open(Opening(name=name)).events[0]
            said = {"encounter": encounter_id(name), "ruling": "x", "reason": "x" * 800}
            notes = (
                Ruled.model_validate({**said, "seq": seq, "declaration": seq, "recorded_at": opened.recorded_at})
                for seq in range(2, 101)
            )
            for event in (opened, *notes):
                topic, state = encode(event)
                head = chained_hash(head, event.encounter, event.seq, topic, state)
                stream.write_row((event.encounter, event.seq, topic, state, head))


def peak(what: str, url: str, file: Path) -> int:
    """The most memory of a process that does it, in KiB."""
    command = [sys.executable, "-c", PEAK, what, url, str(file)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def test_memory_does_not_grow_with_the_ledger(
    embedded: str, make_database: Callable[[str], str], tmp_path: Path
) -> None:
    peaks: dict[str, list[int]] = {"backup": [], "restore": []}
    for encounters in (40, 160):
        source, target, file = make_database(embedded), make_database(embedded), tmp_path / f"{encounters}.jsonl"
        fill(source, encounters)
        peaks["backup"].append(peak("backup", source, file))
        peaks["restore"].append(peak("restore", target, file))
        with LedgerStore.open(target) as restored:
            assert restored.facts()["events"] == encounters * 100
    for what, (small, large) in peaks.items():
        assert large < small + MOST_GROWTH, what
