"""Fights to be played in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import combatlog
from cli.service_login import SERVER_VARIABLE
from ledger.store.database import URL_VARIABLE
from tests.cli.play.terminal import Terminal

Open = Callable[..., Terminal]


@pytest.fixture
def open_ledger(cli_database: str) -> Iterator[combatlog.Ledger]:
    with combatlog.open(cli_database) as ledger:
        yield ledger


@pytest.fixture
def sit_down(cli_database: str, tmp_path: Path) -> Iterator[Open]:
    """Opens shells, and closes them."""
    opened: list[Terminal] = []

    def sit_down(fight: str, *options: str, columns: int = 80, command: str = "play", link: str = "") -> Terminal:
        """At the ledger, or at a service with the link of an invitation."""
        place = {SERVER_VARIABLE: link} if link else {URL_VARIABLE: cli_database}
        opened.append(Terminal(place, str(tmp_path), fight, *options, columns=columns, command=command))
        return opened[-1]

    yield sit_down
    for terminal in opened:
        terminal.__exit__(None, None, None)


@pytest.fixture
def bridge(open_ledger: combatlog.Ledger) -> combatlog.RecordedFight:
    """Snig's turn; Rurik and Osric stand beside him."""
    fight = open_ledger.new("Bridge", dice="table")
    fight.join("fighter", "Rurik", (3, 2))
    fight.join("paladin", "Osric", (3, 3))
    fight.join("goblin", "Snig", (4, 2), side="foes")
    fight.start(dice=[11, 6, 17])
    return fight
