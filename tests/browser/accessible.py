"""What axe-core finds in what a page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.test_replay import findings
from tests.optional import need_browser_tool

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Axe:
    """For pages whose policy is bypassed, since axe is no part of them."""

    def __init__(self, page: Page, *, dark: bool = True) -> None:
        self.page, self.dark = page, dark
        self.found: dict[str, list[str]] = {}
        self.reload()

    def reload(self) -> None:
        """After the page has gone elsewhere."""
        self.page.evaluate(need_browser_tool("axe-core/axe.min.js").read_text(encoding="utf-8"))

    def look(self, view: str) -> None:
        """In light and, if that is not looked at elsewhere, in dark, where only colours differ."""
        self.found[view] = findings(self.page, [])
        if not self.dark:
            return
        self.page.emulate_media(color_scheme="dark")
        self.found[f"{view}, dark"] = findings(self.page, ["color-contrast"])
        self.page.emulate_media(color_scheme="light")

    def expect_nothing(self) -> None:
        assert self.found == {view: [] for view in self.found}
