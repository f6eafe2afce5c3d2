"""Imports at and beyond their limits, and files made by somebody who can compute hashes."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from io import BytesIO
from types import ModuleType
from typing import Any
from uuid import UUID

import psycopg
import pytest

from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.exchange import import_folding, importing
from combatlog.rules.exchange.importing import ImportedEvents, import_events
from combatlog.rules.verification.verify import verify
from ledger.errors import Problem
from ledger.exchange import export
from ledger.store.ledger import MAX_FORKS_DEEP, LedgerStore, encounter_id
from projections.readmodels.session import catch_up
from tests.cases import each
from tests.fuzz.exports import fights, forged

NOW = "2026-01-01T00:00:00Z"


def line(kind: str, where: str, seq: int, /, **payload: Any) -> bytes:
    encounter = str(encounter_id(where))
    state = {"kind": kind, "encounter": encounter, "seq": seq, "recorded_at": NOW, "declaration": seq, **payload}
    row = {"encounter": encounter, "seq": seq, "name": kind, "state": json.dumps(state), "hash": "00" * 32}
    return json.dumps(row).encode()


def opened(name: str, **payload: Any) -> bytes:
    said = {"command": str(UUID(int=1)), "name": name, "ruleset": "dnd5e", "ruleset_version": "1", "dice": "table"}
    return line("encounter_opened", name, 1, **{**said, **payload})


def second_beginning(name: str) -> bytes:
    return line("encounter_opened", name, 2, **{**json.loads(json.loads(opened(name))["state"]), "seq": 2})


def ruled(name: str, seq: int, **payload: Any) -> bytes:
    return line("ruled", name, seq, **{"ruling": "x", "reason": "x", **payload})


def forked(name: str, seq: int, parent: str, at: int) -> bytes:
    said = {"command": str(UUID(int=seq)), "parent": str(encounter_id(parent)), "at": at, "name": name}
    return line("forked", name, seq, **said)


def take(ledger: LedgerStore, *lines: bytes) -> importing.ImportedEvents:
    return import_events(ledger, BytesIO(b"\n".join(forged(list(lines)))))


@each(
    ("lines", "code"),
    [
        ([opened("a"), opened("a", dice="random")], "import/differs"),
        ([opened("a"), ruled("a", 3)], "import/damaged"),
        ([ruled("a", 1)], "import/damaged"),
        ([opened("a"), second_beginning("a")], "import/damaged"),
        ([forked("b", 2, "a", 1)], "import/damaged"),
        ([opened("a"), forked("b", 2, "a", 99)], "import/damaged"),
        ([opened("a"), forked("a", 2, "a", 1)], "import/damaged"),
        ([opened("a"), opened("b"), forked("b", 2, "a", 1)], "import/damaged"),
        ([opened("a"), ruled("a", 2, declaration=3)], "import/damaged"),
        ([opened("a"), ruled("a", 2, cause=2)], "import/damaged"),
        ([opened("a"), ruled("a", 2, declaration=1), ruled("a", 3, declaration=2)], "import/senseless"),
        ([opened("a"), ruled("a", 2, reason="x\0")], "import/beyond-limits"),
        ([opened("a", options={"campaign": 2**41})], "import/beyond-limits"),
        ([opened("x" * 101)], "import/beyond-limits"),
        ([opened("a\x1b[31m")], "import/beyond-limits"),
        ([opened("a", map=["...", "."])], "import/beyond-limits"),
        ([opened("a"), line("combatant_left", "a", 2, combatant="nobody", why="x")], "import/senseless"),
        (
            [opened("a"), line("reaction_declined", "a", 2, window=99, reactor="x", decided_by="policy")],
            "import/senseless",
        ),
    ],
    ids=[
        "two different first events",
        "a gap",
        "no beginning",
        "two beginnings",
        "a fork without its parent",
        "a fork of what is not there",
        "a fork of itself",
        "opened and forked",
        "of a later declaration",
        "its own cause",
        "of no declaration",
        "NUL",
        "a number beyond all others",
        "a name too long",
        "a name with control codes",
        "a map that is none",
        "nobody leaves",
        "no such window",
    ],
)
def test_forged_files_are_refused_with_nothing_written(ledger: LedgerStore, lines: list[bytes], code: str) -> None:
    with pytest.raises(Problem) as caught:
        take(ledger, *lines)
    assert caught.value.code == code
    assert ledger.recorder.select_encounters() == []


def test_encounters_may_be_interleaved(ledger: LedgerStore) -> None:
    lines = [opened("a"), opened("b"), ruled("a", 2), forked("c", 3, "a", 2), ruled("b", 2), ruled("a", 3)]
    assert take(ledger, *lines) == ImportedEvents(3, 6, 0, [], [])
    assert [len(ledger.find(name).events) for name in "abc"] == [3, 2, 3]


NOBODY = {"combatant": "nobody", "why": "x"}


@pytest.mark.parametrize(
    ("lines", "encounter", "seq"),
    [
        ([opened("a"), opened("b"), line("combatant_left", "a", 2, **NOBODY)], "a", 2),
        ([opened("a"), forked("b", 2, "a", 1), line("combatant_left", "b", 3, **NOBODY), ruled("a", 2)], "b", 3),
        ([opened("b"), ruled("b", 2), line("combatant_left", "b", 3, **NOBODY), opened("a")], "b", 3),
    ],
    ids=["returned to", "in a fork", "at its end"],
)
def test_what_makes_no_sense_is_found_wherever_it_stands(
    ledger: LedgerStore, lines: list[bytes], encounter: str, seq: int
) -> None:
    with pytest.raises(Problem) as caught:
        take(ledger, *lines)
    assert caught.value.code == "import/senseless"
    assert caught.value.facts == {"encounter": str(encounter_id(encounter)), "seq": seq}
    assert ledger.recorder.select_encounters() == []


def test_what_continues_a_fight_of_this_ledger_is_checked_on_top_of_it(ledger: LedgerStore) -> None:
    lines = forged([opened("a"), ruled("a", 2), line("combatant_left", "a", 3, **NOBODY)])
    import_events(ledger, BytesIO(b"\n".join(lines[:2])))
    with pytest.raises(Problem) as caught:
        import_events(ledger, BytesIO(b"\n".join(lines)))
    assert (caught.value.code, caught.value.facts["seq"]) == ("import/senseless", 3)


def test_a_line_that_is_there_twice_counts_once(ledger: LedgerStore) -> None:
    done = take(ledger, opened("a"), opened("a"), ruled("a", 2), ruled("a", 2))
    assert done == ImportedEvents(1, 2, 2, [], [])


def forks_of_forks(count: int) -> list[bytes]:
    return [opened("0"), *(forked(str(deep), deep + 1, str(deep - 1), deep) for deep in range(1, count + 1))]


def test_forks_of_forks_end_somewhere(ledger: LedgerStore) -> None:
    with pytest.raises(Problem) as caught:
        take(ledger, *forks_of_forks(MAX_FORKS_DEEP + 1))
    assert caught.value.code == "import/damaged"
    take(ledger, *forks_of_forks(MAX_FORKS_DEEP))
    assert len(ledger.find(str(MAX_FORKS_DEEP)).events) == MAX_FORKS_DEEP + 1
    with pytest.raises(Problem) as caught:
        Referee(ledger).fork(str(MAX_FORKS_DEEP), None, "one more", by="gm")
    assert caught.value.code == "fork/too-deep"


class Endless:
    """A file without an end and without a line's end."""

    def seekable(self) -> bool:
        return False

    def readline(self, most: int) -> bytes:
        return b"x" * most


@pytest.mark.parametrize(
    ("where", "limit", "most"),
    [
        (importing, "MAX_IMPORT_LINE", 400),
        (importing, "MAX_IMPORT", 1_000),
        (importing, "MAX_IMPORT_EVENTS", 2),
        (import_folding, "MAX_IMPORT_FOLDED", 3),
    ],
)
def test_a_file_beyond_a_limit_is_refused(
    ledger: LedgerStore, monkeypatch: pytest.MonkeyPatch, where: ModuleType, limit: str, most: int
) -> None:
    monkeypatch.setattr(where, limit, most)
    with pytest.raises(Problem) as caught:
        take(ledger, opened("a"), ruled("a", 2), ruled("a", 3), ruled("a", 4))
    assert caught.value.code == "import/too-large"
    assert ledger.recorder.select_encounters() == []


@pytest.mark.parametrize(("limit", "most"), [("MAX_EVENTS", 2), ("MAX_BYTES", 500)])
def test_a_fight_beyond_a_limit_is_refused(
    ledger: LedgerStore, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    monkeypatch.setattr(export, limit, most)
    with pytest.raises(Problem) as caught:
        take(ledger, opened("a"), ruled("a", 2), ruled("a", 3))
    assert caught.value.code == "import/too-large"


def test_a_ledger_with_a_gap_is_not_mended_by_an_import(ledger: LedgerStore, database: str) -> None:
    lines = [opened("a"), ruled("a", 2), ruled("a", 3)]
    take(ledger, *lines)
    with psycopg.connect(database, autocommit=True) as conn:
        conn.execute("ALTER TABLE combatlog.ledger_events DISABLE TRIGGER append_only")
        conn.execute("DELETE FROM combatlog.ledger_events WHERE originator_version = 2")
    with pytest.raises(Problem) as caught:
        take(ledger, *lines)
    assert caught.value.code == "import/gap"


def test_a_line_without_an_end_is_not_read_to_its_end(ledger: LedgerStore) -> None:
    with pytest.raises(Problem) as caught:
        import_events(ledger, Endless())  # type: ignore[arg-type]
    assert caught.value.code == "import/too-large"


def many_fights(count: int) -> Iterator[bytes]:
    for number in range(count):
        name = f"fight {number}"
        yield from forged([opened(name), *(ruled(name, seq, reason="x" * 4_000) for seq in range(2, 30))])


def test_memory_does_not_grow_with_the_file(ledger: LedgerStore) -> None:
    peaks = []
    for count in (15, 60):
        file = BytesIO(b"\n".join(many_fights(count)))
        tracemalloc.start()
        import_events(ledger, file)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]


def test_the_largest_numbers_get_into_the_read_models(ledger: LedgerStore, database: str) -> None:
    most = 2**40
    modifiers = [{"source": "x", "amount": most}] * 500
    roll = {"purpose": "x", "roller": "x", "notation": "1d6", "faces": [1], "kept": [1], "dice_source": "table"}
    take(ledger, opened("a"), line("rolled", "a", 2, **roll, modifiers=modifiers, total=most))
    assert catch_up(ledger) == 2


def test_every_ruleset_is_among_what_is_spoilt(ledger: LedgerStore, database: str) -> None:
    import_events(ledger, BytesIO(b"\n".join(line for lines in fights().values() for line in lines)))
    listed = ledger.list_encounters()
    assert {entry.ruleset for entry in listed} == {"dnd5e", "action_points", "skirmish"}
    assert [finding for entry in listed for finding in verify(ledger, entry.name).findings] == []
    assert catch_up(ledger)
