"""The modules as they are: their types hold, and a server can serve them without a build step."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import copytree
from threading import Thread
from typing import Any

import pytest

from combatlog.testing import Drill
from combatlog.web import bundling
from combatlog.web import pages as web_page
from combatlog.web.pages import as_script_data
from tests.browser.conftest import HERE
from tests.optional import need, need_browser_tool

WEB = Path(web_page.__file__).parent


@pytest.mark.slow
def test_the_types_of_the_modules_hold() -> None:
    compiler = need_browser_tool("typescript/bin/tsc")
    ran = subprocess.run([need("node"), str(compiler), "-p", str(HERE)], capture_output=True, text=True, check=False)
    assert ran.stdout == ""
    assert ran.returncode == 0


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:  # type: ignore[override]
    """Serves the modules, the libraries and the data of a fight, as a service would."""
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    for folder in ("modules", "vendor"):
        copytree(WEB / folder, tmp_path / folder)
    imports = {one.imported_as: f"/vendor/{one.name}" for one in bundling.LIBRARIES}
    (tmp_path / "index.html").write_text(
        f"""<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>live</title><div id="app"></div>
        <script type="importmap">{json.dumps({"imports": imports})}</script>
        <script type="application/json" id="fight">{as_script_data(drill.seen_by("players").replay_document())}</script>
        <script type="module" src="/modules/main.js"></script></html>""",
        encoding="utf-8",
    )
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as served:
        Thread(target=served.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{served.server_port}/"
        served.shutdown()


def test_a_service_can_serve_the_same_modules(browser: Any, server: str) -> None:
    page = browser.new_context().new_page()
    page.goto(server)
    page.wait_for_selector(".map")
    assert page.locator(".entry .who").all_inner_texts() == ["▶ Rurik", "Snig"]
    page.context.close()
