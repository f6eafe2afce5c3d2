"""A replay of 5,000 events: how large the file is, how fast it opens, and how fluently a browser scrubs through it.

Each figure is beside the limit that it has to keep: 1.5 MB, 2 seconds, 30 frames per second. A ratio of 1 or more keeps
it. A browser is needed for the last two; without chromium and playwright, they are not measured.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measure import Result
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


def run_replay_file(url: str, seconds: float) -> Iterator[Result]:
    page = long_fight().seen_by().replay_page()
    yield Result(
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


def _in_browser(path: Path) -> Iterator[Result]:
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
        yield Result("  opening it: the limit against the time it takes", "", SECONDS, opened, 1)
        scrubbed, own = zip(*(_scrubbed(page) for _ in range(_SCRUBS)), strict=True)
        yield Result("  scrubbing: the frames that are drawn against the limit", "frames", max(scrubbed), FRAMES, 1)
        yield Result("  the same by the time that the page itself takes", "frames", max(own), FRAMES, 1)
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
