"""The store's tests run on the newest PostgreSQL that is supported, the embedded one, and on the oldest."""

from __future__ import annotations

import pytest

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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    module = metafunc.module.__name__.rpartition(".")[2]
    if module in ON_OLDEST_TOO and "server" in metafunc.fixturenames:
        newest = getattr(metafunc.module, "NEWEST", ("embedded",))
        metafunc.parametrize("server", (*newest, "oldest_server"), indirect=True)
