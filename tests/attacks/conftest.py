"""Attacks from the command line use it as the tests of the command line do."""

from __future__ import annotations

from tests.attacks.committed import ledger_at as ledger_at
from tests.attacks.committed import recorded as recorded
from tests.cli.conftest import run as run
