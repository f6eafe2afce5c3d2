"""The fights that the golden screens show."""

from __future__ import annotations

import combatlog
from tests.cli.golden_stories import STORIES, play_stories

SCREENS: dict[str, tuple[str, ...]] = {**STORIES}


def play() -> None:
    with combatlog.open() as ledger:
        play_stories(ledger)
