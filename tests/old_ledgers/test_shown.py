"""What a seat was shown by an older release still agrees with the log, or is refused as what cannot be compared."""

from __future__ import annotations

import json

import pytest

import combatlog
from combatlog.rules.verification.seals_and_seat_records import SeatRecord
from projections.views.seat_view import VERSION
from tests.old_ledgers.shown import SEATS, file_of, stored, take_in


def test_what_was_kept_agrees_with_the_log(database: str) -> None:
    """If this fails, what is shown has changed: raise `VERSION`, and run `python -m tests.old_ledgers.shown`."""
    with combatlog.open(database) as ledger:
        take_in(ledger)
        kept = stored(VERSION)
        assert len(kept) == len(ledger.begun()) * len(SEATS)
        for lines in kept:
            about = json.loads(lines[0])
            report = ledger.fight(about["encounter"]).seen_by().verify_shown(lines)
            assert (report.stands, report.shown) == (True, len(lines) - 1), (about, report.findings)


def test_proofs_hold_whatever_the_rules_say_today(database: str) -> None:
    """A fight that resolves differently by now is still compared."""
    with combatlog.open(database) as ledger:
        take_in(ledger)
        lines = next(lines for lines in stored(VERSION) if len(lines) > 20 and '"proof"' in lines[-1])
        changed = json.loads(lines[-1])
        lines[-1] = json.dumps({**changed, "proof": "0" * 64})
        fight = ledger.fight(json.loads(lines[0])["encounter"])
        assert not fight.seen_by().verify_shown(lines).stands


def test_there_is_a_file_of_every_version() -> None:
    assert all(file_of(version).exists() for version in range(1, VERSION + 1))
    for version in range(1, VERSION):
        with pytest.raises(combatlog.Problem) as refused:
            SeatRecord.read(stored(version)[0])
        assert refused.value.code == "shown/other-version"
