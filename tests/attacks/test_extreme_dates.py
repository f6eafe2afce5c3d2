"""Dates that PostgreSQL, Parquet or a plot cannot express: refused on import, and harmless where a ledger has them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from uuid import UUID

import pytest

from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.exchange.importing import import_events
from ledger.errors import Problem
from ledger.exchange.export import export_lines
from ledger.registry import GENESIS, chained_hash
from ledger.store.ledger import LedgerStore
from tests.attacks.bridge import END_TURN, begin
from tests.cli.conftest import Run

EAST, WEST = timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))
DATES = {
    "year 1": datetime(1, 1, 1, tzinfo=UTC),
    "year 9999": datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    "before year 1 in UTC": datetime(1, 1, 1, tzinfo=EAST),
    "after year 9999 in UTC": datetime(9999, 12, 31, 23, tzinfo=WEST),
    "no offset": datetime(2026, 1, 1),
    "no offset in year 1": datetime(1, 1, 1),
    "before computers": datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC),
    "beyond nanoseconds in 64 bits": datetime(2262, 4, 12, tzinfo=UTC),
}


@pytest.fixture
def elsewhere(embedded: str, make_database: Callable[[str], str]) -> Iterator[LedgerStore]:
    with LedgerStore.open(make_database(embedded)) as ledger:
        yield ledger


def redated(ledger: LedgerStore, name: str, when: datetime) -> io.BytesIO:
    """An export of a fight in which every event has another date, with hashes that fit."""
    lines, head = [], GENESIS
    for text in export_lines(ledger, [name]):
        line = json.loads(text)
        line["state"] = json.dumps({**json.loads(line["state"]), "recorded_at": when.isoformat()})
        head = chained_hash(head, UUID(line["encounter"]), line["seq"], line["name"], line["state"].encode())
        lines.append(json.dumps({**line, "hash": head.hex()}).encode())
    return io.BytesIO(b"\n".join(lines))


@pytest.mark.parametrize("when", DATES.values(), ids=DATES)
def test_an_import_with_such_a_date_is_refused(
    ledger: LedgerStore, referee: Referee, elsewhere: LedgerStore, when: datetime
) -> None:
    file = redated(ledger, begin(referee), when)
    with pytest.raises(Problem, match=r"Line 1 .*1970 to 2199") as caught:
        import_events(elsewhere, file)
    assert (caught.value.code, caught.value.facts["line"]) == ("import/date", 1)
    assert elsewhere.facts()["events"] == 0


@pytest.mark.parametrize(
    "when", [datetime(1970, 1, 1, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)], ids=["first", "last"]
)
def test_every_other_date_is_imported(
    ledger: LedgerStore, referee: Referee, elsewhere: LedgerStore, when: datetime
) -> None:
    imported = import_events(elsewhere, redated(ledger, begin(referee), when))
    assert imported.events == ledger.facts()["events"]


COMMANDS = [
    ("list",),
    ("list", "--json"),
    ("status", "{}"),
    ("log", "{}"),
    ("log", "{}", "--json"),
    ("corrections", "{}"),
    ("explain", "{}", "2"),
    ("verify", "--all"),
    ("projections", "rebuild"),
    ("projections", "status"),
    ("sql", "SELECT * FROM encounters"),
    ("sql", "SELECT * FROM encounters", "--json"),
    ("sql", "SELECT * FROM encounters", "--csv"),
    ("sql", "SELECT * FROM declarations", "--json"),
    ("stats", "hits"),
    ("stats", "turns", "{}", "--plot", "{folder}/turns.svg"),
    ("stats", "luck", "--plot", "{folder}/luck.png"),
    ("stats", "luck", "--since", "0001-01-01", "--until", "9999-12-31"),
    ("stats", "corrections"),
    ("export", "--all", "--format", "csv", "--output", "{folder}/csv"),
    ("export", "--all", "--format", "parquet", "--output", "{folder}/parquet"),
    ("export", "{}", "--format", "markdown"),
    ("db", "status"),
    ("db", "backup", "{folder}/backup"),
]


@pytest.mark.slow
def test_what_a_ledger_has_already_breaks_nothing(run: Run, ledger: LedgerStore, tmp_path: Path) -> None:
    """A fight for each date, in one ledger: most commands are about all of them."""
    names = [_played(ledger, f"fight of {label}", when) for label, when in DATES.items()]
    for command in COMMANDS:
        for name in names if any("{}" in part for part in command) else [""]:
            ran = run(*(part.format(name, folder=tmp_path) for part in command))
            assert ran.status == 0, (command, name, ran.err)


def _played(ledger: LedgerStore, name: str, when: datetime) -> str:
    referee = Referee(ledger, now=lambda: when)
    begin(referee, name)
    referee.declare(name, Declaration(actor="snig", action="attack"))
    referee.declare(name, Declaration(actor="snig", action="strike", targets=("osric",)), dice=[19, 4])
    referee.declare(name, Declaration(actor="snig", action=END_TURN))
    return name
