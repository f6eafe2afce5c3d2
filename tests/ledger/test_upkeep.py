"""Upgrades, backups and restoring them: all or nothing, and checked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from combatlog.rules.engine.commands import Declaration, Opening
from combatlog.rules.engine.corrections import undo
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.resolution.referee import Referee
from combatlog.rules.verification.verify import verify
from ledger.errors import Problem
from ledger.exchange import backup as backup_chain
from ledger.exchange.backup import back_up, restore_backup, upgrade_ledger
from ledger.registry import GENESIS, chained_hash, encode
from ledger.store import schema
from ledger.store.integrity_checks import check_guards
from ledger.store.ledger import LedgerStore
from ledger.store.schema import SCHEMA_VERSION, WRITER, installed_version, script, upgrade, usable_writer

CLOSE = Declaration(actor="gm", action="core:time:close")


NOTE = Declaration(actor="gm", action="core:ruling:rule", options={"note": "rain", "reason": "it rains"})


def in_version_1(url: str) -> None:
    """A ledger as the first version of the schema had it, with a fight in it."""
    fight = FightEngine.open(Opening(name="old bridge"))
    fight.declare(NOTE)
    fight.declare(NOTE)
    with psycopg.connect(url, autocommit=True) as conn:
        assert upgrade(conn, upto=1) == 1
        head = GENESIS
        for event in fight.events:
            name, state = encode(event)
            head = chained_hash(head, event.encounter, event.seq, name, state)
            conn.execute(
                "SELECT combatlog.append_events(ARRAY[%s], ARRAY[%s]::bigint[], ARRAY[%s], ARRAY[%b], ARRAY[%b])",
                (event.encounter, event.seq, name, state, head),
            )


def problem_of(action: Callable[[], object]) -> str:
    with pytest.raises(Problem) as caught:
        action()
    return caught.value.code


def test_an_older_ledger_is_refused_until_it_is_upgraded(empty_database: str) -> None:
    in_version_1(empty_database)
    assert problem_of(lambda: LedgerStore.open(empty_database)) == "database/older-schema"
    assert upgrade_ledger(empty_database) == (1, SCHEMA_VERSION)
    assert upgrade_ledger(empty_database) == (SCHEMA_VERSION, SCHEMA_VERSION)
    with LedgerStore.open(empty_database) as ledger:
        assert verify(ledger, "old bridge").findings == []
        referee = Referee(ledger)
        proposal = referee.plan(
            "old bridge", lambda fight: undo.plan_undo(fight, undo.one(fight, 2), by="gm", reason="dry")
        )
        referee.apply(proposal)
        referee.open(Opening(name="new bridge", dice="committed"))
        assert verify(ledger, "old bridge").findings == []
        assert list(check_guards(ledger)) == []


def test_the_writer_can_write_after_an_upgrade(empty_database: str) -> None:
    """The functions that it may call are other ones then."""
    makes_the_roles = script().partition("GRANT USAGE")[0]
    with psycopg.connect(empty_database, autocommit=True) as conn:
        upgrade(conn, upto=3)
        conn.execute(makes_the_roles.encode())
        assert usable_writer(conn) is None
        upgrade_ledger(empty_database)
        assert usable_writer(conn) == WRITER


def test_an_upgrade_that_fails_changes_nothing(empty_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    in_version_1(empty_database)
    monkeypatch.setattr(schema, "STEPS", ("01_ledger.sql", "02_dice_seeds.sql", "01_ledger.sql"))
    assert problem_of(lambda: upgrade_ledger(empty_database)) == "database/unusable"
    with psycopg.connect(empty_database, autocommit=True) as conn:
        assert installed_version(conn) == 1
        assert conn.execute("SELECT to_regclass('combatlog.dice_seeds')").fetchone() == (None,)


def test_a_newer_ledger_is_not_upgraded(database: str) -> None:
    with LedgerStore.open(database), psycopg.connect(database) as conn:
        conn.execute("INSERT INTO combatlog.schema_version (version) VALUES (99)")
    assert problem_of(lambda: upgrade_ledger(database)) == "database/newer-schema"


@pytest.fixture
def backup(database: str, tmp_path: Path) -> Path:
    """Of a ledger with a fight, a fork of it, a fork of that, and committed dice."""
    with LedgerStore.open(database) as ledger:
        referee = Referee(ledger)
        referee.open(Opening(name="bridge", dice="committed"))
        referee.declare("bridge", NOTE)
        referee.fork("bridge", 3, "what if", by="gm")
        referee.declare("bridge", NOTE)
        referee.declare("what if", NOTE)
        referee.fork("what if", 3, "what else", by="gm")
        referee.declare("what else", NOTE)
    file = tmp_path / "ledger.jsonl"
    assert back_up(database, file, seeds=True) == (11, [])
    return file


def test_a_backup_restores_everything(
    database: str, backup: Path, server: str, make_database: Callable[[str], str]
) -> None:
    other = make_database(server)
    assert restore_backup(other, backup) == 11
    with LedgerStore.open(database) as before, LedgerStore.open(other) as after:
        for name in ("bridge", "what if", "what else"):
            assert after.find(name) == before.find(name)
            assert verify(after, name).findings == []
            assert after.seed(after.find(name).events[-1].encounter) is not None
        assert after.list_encounters() == before.list_encounters()
        Referee(after).declare("bridge", CLOSE)
        assert verify(after, "bridge").findings == []


def test_hashes_that_are_not_remembered_are_looked_up(
    database: str,
    backup: Path,
    server: str,
    make_database: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(backup_chain, "_REMEMBERED", 0)
    again = tmp_path / "again.jsonl"
    assert back_up(database, again, seeds=True) == (11, [])
    assert again.read_bytes() == backup.read_bytes()
    assert restore_backup(make_database(server), again) == 11


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (lambda text: text[: len(text) // 2], "backup/damaged"),
        (lambda text: "\n".join(text.split("\n")[:-2]) + "\n", "backup/incomplete"),
        (lambda text: text + text, "backup/damaged"),
        (lambda text: "\n".join(line for line in text.split("\n") if '"seq": 2' not in line), "backup/not-as-recorded"),
        (lambda text: text.replace('"topic": "ruled"', '"topic": "undone"', 1), "backup/not-as-recorded"),
        (lambda text: "", "backup/incomplete"),
        (lambda text: "[]\n", "backup/damaged"),
        (lambda text: text.replace('"schema": ', '"schema": 9', 1), "backup/newer"),
        (lambda text: text.split("\n")[0] + "\n" + "[" * 100_000, "backup/damaged"),
        (lambda text: text.split("\n")[0] + '\n{"sha256": ""}\n', "backup/incomplete"),
        (lambda text: text.replace('"seq": 2', '"seq": ' + "9" * 30, 1), "backup/damaged"),
    ],
    ids=[
        "cut in a line",
        "cut",
        "twice",
        "event missing",
        "event changed",
        "empty",
        "no backup",
        "newer",
        "nested",
        "an end that says nothing",
        "a huge number",
    ],
)
def test_a_damaged_backup_is_refused_and_nothing_is_written(
    backup: Path, server: str, make_database: Callable[[str], str], damage: Callable[[str], str], code: str
) -> None:
    other = make_database(server)
    backup.write_text(damage(backup.read_text()))
    assert problem_of(lambda: restore_backup(other, backup)) == code
    with LedgerStore.open(other) as ledger:
        assert ledger.facts()["events"] == 0


def test_a_ledger_with_events_is_not_restored_into(database: str, backup: Path) -> None:
    assert problem_of(lambda: restore_backup(database, backup)) == "restore/not-empty"


def test_a_backup_is_never_written_over(database: str, backup: Path) -> None:
    before = backup.read_bytes()
    assert problem_of(lambda: back_up(database, backup)) == "backup/exists"
    assert backup.read_bytes() == before


def test_a_line_without_an_end_is_not_read_to_its_end(database: str) -> None:
    assert problem_of(lambda: restore_backup(database, Path("/dev/zero"))) == "backup/damaged"
