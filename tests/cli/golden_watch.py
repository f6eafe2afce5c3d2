"""The watching screen at 60, 80 and 120 columns, kept in files: as the GM and as the players see it.

`python -m tests.cli.golden_watch` writes the files again. Look at what changed before you commit it.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from textual.pilot import Pilot

import combatlog
from cli.render.full_screens import WatchScreen
from combatlog import Ledger, RecordedFight
from ledger.store.database import URL_VARIABLE, EmbeddedPostgres

FOLDER = Path(__file__).parent / "golden" / "watch"
ROWS = 32
Look = Callable[[WatchScreen, Pilot[None]], Awaitable[None]]


def bridge(ledger: Ledger) -> RecordedFight:
    """Rurik has hit Snig, and Snig has hit back; an ogre waits where the players do not see it."""
    fight = ledger.new("Bridge ambush", dice="table")
    fight.join("fighter", "Rurik", (3, 2))
    fight.join("paladin", "Osric", (3, 4), reactions={"*": "never"})
    fight.join("goblin", "Snig", (4, 2), side="foes")
    fight.join("ogre", "Grak", (9, 2), side="foes", hidden=True)
    fight.start(dice=[20, 7, 10, 5])
    fight.do("rurik", "attack")
    fight.do("rurik", "strike", target="snig", dice=[15, 1])
    fight.end_turn("rurik")
    fight.do("snig", "attack")
    fight.do("snig", "strike", target="rurik", dice=[19, 3])
    return fight


def text_of(screen: WatchScreen) -> str:
    root = screen.screen_stack[0]
    lines = ("".join(segment.text for segment in strip).rstrip() for strip in root._compositor.render_strips())
    return "".join(f"{line}\n" for line in lines)


def watched(fight: RecordedFight, seat: str, columns: int, look: Look) -> None:
    """Watch a fight on a screen of so many columns, and look at it once it shows the whole past."""

    async def run() -> None:
        screen = WatchScreen(fight.seen_by(seat).watch(), seat)
        async with screen.run_test(size=(columns, ROWS)) as pilot:
            last = fight.backend.latest(1)[0].seq
            await until(pilot, lambda: screen.watching.onlooker.whole.seq >= last)
            await look(screen, pilot)

    asyncio.run(run())


async def until(pilot: Pilot[None], is_so: Callable[[], bool]) -> None:
    """Wait until something is on the screen; whoever runs the tests ends a wait that takes for ever."""
    while not is_so():
        await pilot.pause(0.02)
    await pilot.pause()


def screens(fight: RecordedFight) -> Iterator[tuple[Path, str]]:
    for seat in ("gm", "players"):
        for columns in (60, 80, 120):
            found: list[str] = []

            async def look(screen: WatchScreen, pilot: Pilot[None], found: list[str] = found) -> None:
                found.append(text_of(screen))

            watched(fight, seat, columns, look)
            yield FOLDER / f"{seat}-{columns}.txt", found[0]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="combatlog-", ignore_cleanup_errors=True) as folder:
        server = EmbeddedPostgres(Path(folder) / "postgres")
        os.environ[URL_VARIABLE] = server.start()
        with combatlog.open() as opened:
            for path, screen in screens(bridge(opened)):
                path.write_text(screen, "utf-8")
        server.stop()
