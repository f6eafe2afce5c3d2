"""Every golden screen is what its command prints now."""

from __future__ import annotations

import pytest

from tests.cli.golden import FOLDER, screens
from tests.cli.golden_fights import play

pytestmark = pytest.mark.slow


@pytest.mark.usefixtures("cli_database")
def test_every_screen_is_the_one_that_was_looked_at() -> None:
    play()
    kept = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.txt")}
    assert {path.name: screen for path, screen in screens()} == kept
