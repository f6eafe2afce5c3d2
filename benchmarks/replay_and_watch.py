"""How large and how fast the replay file is, and how soon a watcher sees what another process records."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from time import monotonic
from typing import Any

import combatlog
from benchmarks.measure import BenchmarkResult, empty_ledger
from cli.render.full_screens import WatchScreen
from combatlog.follow import Watching
from combatlog.testing import Drill
from tests.optional import find

EVENTS = 5000
BYTES, SECONDS, FRAMES = 1_500_000, 2.0, 30
_OPENINGS, _SCRUBS, _FRAMES = 5, 3, 300
_MAP = tuple("." * 24 if y not in range(4, 10) else "." * 11 + "#" + "." * 12 for y in range(16))
_HEROES = ("fighter", "paladin", "wizard", "rogue")
_FOES = ("Snig", "Grub", "Mok", "Yip")
_HIT_POINTS = {"hp": 400}
"""So many that nobody falls before there are enough events."""

_SCRUB = """
(frames) => new Promise((done) => {
    const slider = document.querySelector("input[type=range]");
    const last = Number(slider.max);
    const times = [];
    let frame = 0;
    const next = (now) => {
        times.push(now);
        if (frame >= frames) return done(1000 * (times.length - 1) / (times[times.length - 1] - times[0]));
        slider.value = String(Math.round((last * frame) / frames));
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        frame += 1;
        requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
})
"""


def run_replay_file(url: str, seconds: float) -> Iterator[BenchmarkResult]:
    page = long_fight().seen_by().replay_page()
    yield BenchmarkResult(
        f"size of a replay of {EVENTS} events: the limit against the bytes", "bytes", BYTES, len(page.encode()), 1
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fight.html"
        path.write_text(page, encoding="utf-8")
        yield from _in_browser(path)


def long_fight() -> Drill:
    """Eight combatants who play themselves."""
    drill = Drill(dice="seed:5", map=_MAP)
    for number, sheet in enumerate(_HEROES):
        drill.join(sheet, sheet.title(), (2, 2 + 2 * number), overrides=_HIT_POINTS)
    for number, name in enumerate(_FOES):
        drill.join("goblin", name, (20, 2 + 2 * number), side="foes", overrides=_HIT_POINTS)
    drill.start()
    for _ in drill.auto(to_end=True):
        if len(drill.history()) >= EVENTS:
            break
    return drill


def _in_browser(path: Path) -> Iterator[BenchmarkResult]:
    program = find("chromium")
    if program is None:
        print("chromium is not installed: opening and scrubbing are not measured")
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-background-networking"]
        )
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        opened = median(_opened(page, path) for _ in range(_OPENINGS))
        yield BenchmarkResult("  opening it: the limit against the time it takes", "", SECONDS, opened, 1)
        scrubbed, own = zip(*(_scrubbed(page) for _ in range(_SCRUBS)), strict=True)
        yield BenchmarkResult(
            "  scrubbing: the frames that are drawn against the limit", "frames", max(scrubbed), FRAMES, 1
        )
        yield BenchmarkResult("  the same by the time that the page itself takes", "frames", max(own), FRAMES, 1)
        browser.close()


def _scrubbed(page: Any) -> tuple[float, float]:
    """Frames in a second, and in a second of the page's own thread, where what others do does not count."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = _busy(session)
    drawn = page.evaluate(_SCRUB, _FRAMES)
    return drawn, _FRAMES / (_busy(session) - before)


def _busy(session: Any) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(float(metric["value"]) for metric in metrics if metric["name"] == "TaskDuration")


def _opened(page: Any, path: Path) -> float:
    """Seconds from the address to the first frame with a map."""
    page.goto("about:blank")
    page.goto(f"file://{path}")
    page.wait_for_selector(".map .token", state="attached")
    found: float = page.evaluate("performance.now()") / 1000
    return found


PATIENCE = 0.2
TURNS = 40

_WRITE = """
import sys, time, combatlog
with combatlog.open(sys.argv[1]) as ledger:
    fight = ledger.fight("watched")
    for _ in range(int(sys.argv[2])):
        seq = fight.end_turn("rurik").events[-1].seq
        print(seq, time.monotonic(), flush=True)
        time.sleep(0.1)
"""


class Timed(WatchScreen):
    """Notes when each event was on the screen."""

    def __init__(self, watching: Watching) -> None:
        super().__init__(watching, "gm")
        self.shown: dict[int, float] = {}

    def show(self) -> None:
        super().show()
        now, last = monotonic(), self.watching.onlooker.whole.seq
        self.shown.update(dict.fromkeys(range(len(self.shown) + 1, last + 1), now))


def run_watch(url: str, seconds: float) -> Iterator[BenchmarkResult]:
    with empty_ledger(url) as target, combatlog.open(target) as ledger:
        fight = ledger.new("watched", dice="seed:1")
        fight.join("fighter", "Rurik", (1, 1))
        fight.start()
        delays = asyncio.run(_delays(target, fight))
    slowest = quantiles(delays, n=20)[-1]
    yield BenchmarkResult(
        "from a commit in another process to the watching screen, 19 of 20 times, against what people notice",
        "times",
        1 / slowest,
        1 / PATIENCE,
        1.0,
    )


async def _delays(url: str, fight: combatlog.RecordedFight) -> list[float]:
    screen = Timed(fight.seen_by().watch())
    async with screen.run_test(size=(100, 40)) as pilot:
        command = [sys.executable, "-c", _WRITE, url, str(TURNS)]
        writing = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
        said, _ = await writing.communicate()
        written = [(int(seq), float(at)) for seq, at in (line.split() for line in said.decode().splitlines())]
        while screen.watching.onlooker.whole.seq < written[-1][0]:
            await pilot.pause(0.01)
    return [max(0.0, screen.shown[seq] - at) for seq, at in written]
