"""Looking after the ledger from the command line."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from ledger.store.database import URL_VARIABLE
from ledger.store.schema import SCHEMA_VERSION, upgrade
from tests.cli.conftest import Run


def test_an_older_ledger_names_the_command_that_helps(
    run: Run, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(URL_VARIABLE, empty_database)
    with psycopg.connect(empty_database, autocommit=True) as conn:
        upgrade(conn, upto=1)
    refused = run("list")
    assert refused.code == "database/older-schema"
    assert "combatlog db upgrade" in refused.err
    assert f"was upgraded from schema version 1 to schema version {SCHEMA_VERSION}" in run("db", "upgrade").out
    assert "is up to date" in run("db", "upgrade").out
    assert run("list").status == 0


def test_a_ledger_on_a_server_without_citus_is_not_distributed(bridge: Run, cli_database: str) -> None:
    for options in ([], ["--dry-run"], ["--yes"], ["--yes", "--json"]):
        refused = bridge("db", "distribute", *options)
        assert refused.status == 1
        assert "citus/missing" in refused.err
    assert bridge("status", "bridge").status == 0


def test_backup_and_restore(
    bridge: Run, tmp_path: Path, make_database: object, embedded: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ledger.jsonl"
    assert f"events to {file}" in bridge("db", "backup", str(file)).out
    assert bridge("db", "restore", str(file)).code == "restore/not-empty"
    assert callable(make_database)
    monkeypatch.setenv(URL_VARIABLE, make_database(embedded))
    assert "Restored " in bridge("db", "restore", str(file)).out
    assert bridge("verify", "--all").status == 0


def test_roles_are_printed_and_applied(bridge: Run) -> None:
    assert "CREATE ROLE combatlog_writer NOLOGIN" in bridge("db", "roles").out
    assert "combatlog works as combatlog_writer" in bridge("db", "roles", "--apply").out
