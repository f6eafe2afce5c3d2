"""A real browser, and files of a real fight from a real ledger, opened without a network.

Without chromium or the tools of package.json, the tests that need them are skipped and say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import combatlog
from ledger.events import Data
from tests.browser import sample
from tests.browser.live import Service, served
from tests.combatlog.web.test_page import data_of
from tests.optional import need

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HERE = Path(__file__).parent
ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    # Fewer processes, so that the tests need less memory. None of them is about how chromium divides its work.
    "--in-process-gpu",
    "--renderer-process-limit=1",
    "--disable-extensions",
    "--disable-component-extensions-with-background-pages",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Closed after each module: Playwright keeps an event loop running, and other tests start their own."""
    path = need("chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


STATISTICS = ("taken", "healing", "luck")


class Files:
    """The fight as files, one for each seat, with the documents they were made from."""

    def __init__(self, fight: combatlog.RecordedFight, folder: Path) -> None:
        self.fight = str(fight.id)
        self.paths: dict[str, Path] = {}
        self.documents: dict[str, Data] = {}
        for seat in ("gm", "players"):
            self.paths[seat] = folder / f"{seat}.html"
            page = fight.seen_by(seat).replay_page()
            self.paths[seat].write_text(page, encoding="utf-8")
            self.documents[seat] = data_of(page)
        self.taken_back = sample.first_taken_back(fight)
        self.statistics = {name: fight.ledger.statistics(name, fights=[fight.id])[0].rows for name in STATISTICS}


@pytest.fixture(scope="session")
def service(embedded: str) -> Iterator[Service]:
    """One for all tests: each module, or test, has a fight of its own at it. Without a browser, it is not started."""
    need("chromium")
    with served(embedded) as made:
        yield made


@pytest.fixture(scope="session")
def sample_files(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The fight of `sample`, which is at the service as well."""
    with service.ledger() as ledger:
        return Files(sample.play(ledger), tmp_path_factory.mktemp("replay"))


@pytest.fixture
def files(browser: Browser, sample_files: Files) -> Files:
    return sample_files


Open = Callable[..., "Page"]


@pytest.fixture
def show(browser: Browser) -> Iterator[Open]:
    """Opens a file without a network. Whatever the page complains about, or asks the network for, fails the test."""
    contexts, complaints, asked = [], [], []

    def show(path: Path, address: str = "", **options: Any) -> Page:
        given: dict[str, Any] = {"viewport": {"width": 1400, "height": 900}, "offline": True, **options}
        context = browser.new_context(**given)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"file://{path}{address}")
        page.wait_for_selector(".page")
        return page

    yield show
    for context in contexts:
        context.close()
    assert complaints == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
