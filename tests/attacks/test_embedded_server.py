"""Nobody but the user whose data folder it is connects to the embedded server, however long the folder's path is."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from ledger.errors import Problem
from ledger.store.database import EmbeddedPostgres
from ledger.store.ledger import LedgerStore

TRUST = "local all all trust\n"


@pytest.fixture(params=["short", "long" * 30, "it's my (data) & más"])
def server(request: pytest.FixtureRequest, own_folder: Path) -> Iterator[EmbeddedPostgres]:
    server = EmbeddedPostgres(own_folder / request.param / "postgres")
    yield server
    server.stop()


def require_a_password(server: EmbeddedPostgres, url: str) -> None:
    socket_folder = Path(str(conninfo_to_dict(url)["host"]))
    assert stat.S_IMODE(socket_folder.stat().st_mode) == 0o700
    for wrong in ("", "wrong"):
        with pytest.raises(psycopg.OperationalError, match="password"):
            psycopg.connect(make_conninfo(url, password=wrong), passfile="/dev/null")
    assert stat.S_IMODE((server.folder / "combatlog.password").stat().st_mode) == 0o600
    LedgerStore.open(url).close()


@pytest.mark.slow
def test_it_listens_in_a_private_folder_and_asks_for_a_password(server: EmbeddedPostgres) -> None:
    require_a_password(server, server.start())
    assert server.start() == server.running_url()


@pytest.mark.slow
def test_one_that_was_set_up_without_a_password_gets_one(server: EmbeddedPostgres) -> None:
    make_as_before(server)
    server.stop()
    require_a_password(server, server.start())


@pytest.mark.slow
def test_one_that_is_running_without_a_password_gets_one(server: EmbeddedPostgres) -> None:
    make_as_before(server)
    require_a_password(server, server.start())


def make_as_before(server: EmbeddedPostgres) -> None:
    """A running server as earlier versions left it."""
    with psycopg.connect(server.start(), autocommit=True) as conn:
        (server.folder / "pg_hba.conf").write_text(TRUST)
        conn.execute("SELECT pg_reload_conf()")
        conn.execute("ALTER ROLE postgres PASSWORD NULL")
    (server.folder / "combatlog.password").unlink()


@pytest.mark.parametrize("char", list('"$`\\,\n\udcff'))
def test_a_path_that_postgresql_cannot_take_is_refused_at_once(server_folder: Path, char: str) -> None:
    folder = server_folder / f"my{char}data" / "postgres"
    with pytest.raises(Problem, match="choose another folder") as caught:
        EmbeddedPostgres(folder).start()
    assert caught.value.code == "database/folder"
    assert not folder.parent.exists()
