"""The replay screen itself, after some keys: what Textual draws, as text."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import combatlog
from cli.render.full_screens import ReplayScreen
from projections.review.replay import Replay

ROWS = 36

REPLAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "replay-screen": ("Mill at dusk", ("r", "t", "t", "down", "down")),
    "replay-screen-crowded": ("Frozen hall", ("G",)),
    "replay-screen-action-points": ("Duel at dawn", ("G",)),
    "replay-screen-skirmish": ("Landing pad", ("G",)),
    "replay-screen-explaining": ("Mill at dusk", ("r", "t", "t", "down", "down", "e")),
    "replay-screen-going": ("Mill at dusk", ("colon", "r", "2")),
    "replay-screen-help": ("Mill at dusk", ("question_mark",)),
}
"""The fight and the keys that are pressed, by the name of the screen."""


def replayed(name: str, keys: Sequence[str], columns: int) -> str:
    with combatlog.open() as ledger:
        replay = Replay(ledger.fight(name).history())
    return asyncio.run(_pressed(ReplayScreen(replay), keys, columns))


async def _pressed(screen: ReplayScreen, keys: Sequence[str], columns: int) -> str:
    async with screen.run_test(size=(columns, ROWS)) as pilot:
        for key in keys:
            await pilot.press(key)
        await pilot.pause()
        lines = ["".join(part.text for part in strip) for strip in screen.screen._compositor.render_strips()]
    return "".join(f"{line.replace(chr(0xA0), ' ').rstrip()}\n" for line in lines)
