"""Attacks from the command line use it as the tests of the command line do."""

from __future__ import annotations

from tests.cli.conftest import run as run
