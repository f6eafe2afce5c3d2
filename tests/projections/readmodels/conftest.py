"""What the read models need from PostgreSQL is tested on the newest that is supported, the embedded, and the oldest."""

from __future__ import annotations

import pytest

ON_OLDEST_TOO = (
    "test_a_reader_",
    "test_a_rebuild_while_",
    "test_every_statistic_",
    "test_every_table_",
    "test_killed_",
    "test_readers_read_on_",
    "test_two_rebuilds_",
    "test_what_is_undone_",
    "test_with_writers_",
)
"""How the names of these tests begin. The others are about what is in the tables, which no version changes."""


ON_CITUS_TOO = (
    "test_a_reader_",
    "test_a_rebuild_while_",
    "test_killed_",
    "test_readers_read_on_",
    "test_two_rebuilds_",
    "test_what_is_undone_",
    "test_with_writers_",
)
"""The same; on a cluster, tests/citus says more."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.function.__name__.startswith(ON_OLDEST_TOO) and "server" in metafunc.fixturenames:
        cluster = ("citus",) if metafunc.function.__name__.startswith(ON_CITUS_TOO) else ()
        metafunc.parametrize("server", ("embedded", "oldest_server", *cluster), indirect=True)
