"""The read models are tested on the newest PostgreSQL, the embedded one, and on Citus; in part on the oldest, too."""

from __future__ import annotations

import pytest

from tests.clusters import servers

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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "server" in metafunc.fixturenames:
        oldest = metafunc.function.__name__.startswith(ON_OLDEST_TOO)
        metafunc.parametrize("server", servers("embedded", oldest=oldest, cluster=True), indirect=True)
