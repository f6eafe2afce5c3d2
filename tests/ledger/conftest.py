"""The store's tests run on the newest PostgreSQL that is supported, the embedded one, on the oldest, and on Citus."""

from __future__ import annotations

import pytest

from tests.clusters import servers

ON_OLDEST_TOO = (
    "test_concurrency",
    "test_exchange",
    "test_following",
    "test_role_owner",
    "test_roles",
    "test_seal",
    "test_store",
    "test_tampering",
    "test_listing",
    "test_upkeep",
)

ON_CITUS_TOO = (
    "test_concurrency",
    "test_exchange",
    "test_listing",
    "test_seal",
    "test_store",
    "test_tampering",
)
"""Not `test_following`, which is about one sequence of numbers and about turns: tests/citus has one of its own. Nor
roles, which tests/citus/test_distributing.py tries on every node. Backups and older schemas are for one server."""

OF_ONE_SERVER = (
    "test_a_change_of_no_row_",
    "test_a_page_ends_",
    "test_everything_arrives_",
    "test_names_are_found_",
    "test_pages_follow_",
    "test_the_notification_log_",
    "test_thousands_of_encounters_",
    "test_what_is_begun_",
)
"""How the names of tests begin that are not for a cluster: Citus sends a change of no row to no shard, and events and
fights of different nodes have no common order (tests/citus/test_listing.py)."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    module = metafunc.module.__name__.rpartition(".")[2]
    if module in ON_OLDEST_TOO and "server" in metafunc.fixturenames:
        newest = getattr(metafunc.module, "NEWEST", ("embedded",))
        alone = metafunc.function.__name__.startswith(OF_ONE_SERVER)
        cluster = module in ON_CITUS_TOO and not alone
        metafunc.parametrize("server", servers(*newest, oldest=True, cluster=cluster), indirect=True)
