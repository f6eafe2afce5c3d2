"""`python -m tests.browser.screenshots`: the pictures in docs/screenshots, of every view, on a desktop and a phone.

It plays the fight of `sample` in a ledger that is thrown away, exports it, and takes the pictures in chromium; then it
starts a service and sits down at a table.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import combatlog
from ledger.events import Event
from ledger.store.database import EmbeddedPostgres
from tests.browser import live, sample
from tests.browser.test_play import choose, click_square, declare
from tests.optional import find

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

    program = find("chromium")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        server = EmbeddedPostgres(Path(folder) / "postgres")
        try:
            for path in _all_taken(browser, server.start(), Path(folder)):
                _make_smaller(path)
                print(path.relative_to(FOLDER.parents[1]), path.stat().st_size)
        finally:
            server.stop()
        browser.close()


def _all_taken(browser: Browser, database: str, folder: Path) -> Iterator[Path]:
    FOLDER.mkdir(exist_ok=True)
    yield from taken(browser, exported(database, folder))
    with live.served(database) as service:
        yield from at_the_table(browser, live.set_up(service, wizard="Mirel", reaction_time=90))


def exported(database: str, folder: Path) -> dict[str, str]:
    """The addresses of the fight as the GM and as the players see it, at a moment that shows much."""
    with combatlog.open(database) as ledger:
        fight = sample.play(ledger)
        at = _moment(fight.history())
        for seat in ("gm", "players"):
            (folder / f"{seat}.html").write_text(fight.seen_by(seat).replay_page(), encoding="utf-8")
    return {seat: f"file://{folder / seat}.html#{at}" for seat in ("gm", "players")}


def at_the_table(browser: Browser, house: live.House) -> Iterator[Path]:
    """The live table: what a player and a GM do, a reaction, a plan, and the pages that only show."""
    for screen, options in SCREENS.items():
        for theme in ("light", "dark"):
            page = house.enter(browser, "gm", color_scheme=theme, **options)
            page.locator(".choice").first.wait_for()
            yield _taken(page, f"table-{screen}-{theme}-actions")
            page.locator("#tab-direct").click()
            yield _taken(page, f"table-{screen}-{theme}-direct")
            page.context.close()
    gm, osric, mirel = (house.enter(browser, seat, **SCREENS["desktop"]) for seat in ("gm", "osric", "mirel"))
    choose(gm, "attack")
    declare(gm)
    choose(gm, "strike")
    click_square(gm, 3, 3)
    yield _taken(gm, "table-desktop-light-target")
    declare(gm)
    osric.locator(".countdown").wait_for()
    yield _taken(osric, "table-desktop-light-reaction")
    phone = house.enter(browser, "osric", color_scheme="dark", **SCREENS["phone"])
    phone.locator(".countdown").wait_for()
    yield _taken(phone, "table-phone-dark-reaction")
    osric.get_by_role("button", name="Let it pass").click()
    gm.get_by_role("button", name="End Snig's turn").click()
    choose(mirel, "move")
    click_square(mirel, 4, 0)
    mirel.locator(".way-there").wait_for()
    yield _taken(mirel, "table-desktop-light-move")
    mirel.keyboard.press("x")
    choose(mirel, "fireball")
    click_square(mirel, 7, 3)
    mirel.locator(".caught").wait_for()
    yield _taken(mirel, "table-desktop-light-area")
    phone = house.enter(browser, "mirel", **SCREENS["phone"])
    choose(phone, "fireball")
    click_square(phone, 7, 3)
    phone.locator(".caught").wait_for()
    yield _taken(phone, "table-phone-light-area")
    declare(mirel)
    gm.locator("#tab-direct").click()
    gm.get_by_role("button", name="Undo the last").click()
    gm.locator(".plan").wait_for()
    gm.locator(".plan").evaluate("plan => plan.scrollIntoView()")
    yield _taken(gm, "table-desktop-light-plan")
    for query in ("overlay", "screen"):
        page = house.enter(browser, "spectator", query, **SCREENS["desktop"])
        yield _taken(page, f"table-desktop-light-{query}")
    host = house.enter(browser, "host", **SCREENS["desktop"])
    host.goto(f"{house.url}/table")
    host.locator(".fights").wait_for()
    yield _taken(host, "table-desktop-light-fights")


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
