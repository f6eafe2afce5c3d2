"""`python -m tests.browser.screenshots`: the pictures in docs/screenshots, of every view, on a desktop and a phone.

It plays the fight of `sample` in a ledger that is thrown away, exports it, and takes the pictures in chromium.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import combatlog
from ledger.database import Embedded
from ledger.events import Event
from tests.browser import sample

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
SCREENS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}},
}
VIEWS = ("log", "event", "charts", "corrections", "report")
SETTLES = 300
"""Milliseconds until nothing moves any more."""
COLOURS = 128
"""How many colours a picture has at most: enough for flat areas, and a third of the size."""


def main() -> None:
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, sync_playwright() as playwright:
        pages = exported(Path(folder))
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        FOLDER.mkdir(exist_ok=True)
        for path in taken(browser, pages):
            _make_smaller(path)
            print(path.relative_to(FOLDER.parents[1]), path.stat().st_size)
        browser.close()


def exported(folder: Path) -> dict[str, str]:
    """The addresses of the fight as the GM and as the players see it, at a moment that shows much."""
    server = Embedded(folder / "postgres")
    try:
        with combatlog.open(server.start()) as ledger:
            fight = sample.play(ledger)
            at = _moment(fight.history())
            for seat in ("gm", "players"):
                (folder / f"{seat}.html").write_text(fight.replay_page(seat), encoding="utf-8")
    finally:
        server.stop()
    return {seat: f"file://{folder / seat}.html#{at}" for seat in ("gm", "players")}


def _moment(events: list[Event]) -> int:
    """An attack in the middle of the fight."""
    attacks = [event for event in events if event.kind == "attack_resolved"]
    return attacks[len(attacks) // 2].seq


def taken(browser: Browser, pages: dict[str, str]) -> Iterator[Path]:
    for screen, options in SCREENS.items():
        for theme in ("light", "dark"):
            context = browser.new_context(color_scheme=theme, **options)  # type: ignore[arg-type]
            page = context.new_page()
            page.goto(pages["gm"])
            page.wait_for_selector(".map")
            if screen == "phone":
                yield _taken(page, f"{screen}-{theme}-map")
            for view in VIEWS:
                page.locator(f"#tab-{view}").click()
                page.locator(".tabs").evaluate("tabs => tabs.scrollIntoView()")
                yield _taken(page, f"{screen}-{theme}-{view}")
            context.close()
    yield from _others(browser, pages)


def _others(browser: Browser, pages: dict[str, str]) -> Iterator[Path]:
    """The help, the projector, and what players see."""
    for name, address, key in (("help", "gm", "?"), ("projector", "gm", "p"), ("players", "players", "Escape")):
        page = browser.new_page(**SCREENS["desktop"])
        page.goto(pages[address])
        page.wait_for_selector(".map")
        page.keyboard.press(key)
        yield _taken(page, f"desktop-light-{name}")
        page.close()


def _taken(page: Page, name: str) -> Path:
    page.wait_for_timeout(SETTLES)
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path)
    return path


def _make_smaller(path: Path) -> None:
    from PIL import Image

    with Image.open(path) as picture:
        smaller = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    smaller.save(path, optimize=True)


if __name__ == "__main__":
    main()
