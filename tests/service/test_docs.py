"""The fight with curl in docs/http.md runs, and prints what the page says."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from combatlog.service.openapi import described
from combatlog.service.workers import gm_token
from tests.optional import need
from tests.service.conftest import BOUNDLESS, listening

PAGE = (Path(__file__).parents[2] / "docs" / "http.md").read_text("utf-8")
_BLOCK = re.compile(r"^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)
_END = "--- end of block"


@pytest.mark.slow
def test_the_fight_with_curl(database: str, tmp_path: Path) -> None:
    need("curl")
    blocks = _BLOCK.findall(PAGE)
    script = "set -euo pipefail\n" + "".join(f"{commands}echo '{_END}'\n" for commands, _ in blocks)
    with _serving(database) as url:
        environment = {**os.environ, "URL": f"{url}/v1", "TOKEN": gm_token(database)}
        ran = subprocess.run(
            [need("bash"), "-c", script], env=environment, cwd=tmp_path, capture_output=True, text=True
        )
    # Where a refusal is shown, curl says so on standard error.
    assert ran.returncode == 0, ran.stderr + ran.stdout
    assert ran.stdout.split(f"{_END}\n")[:-1] == [printed for _, printed in blocks]
    assert len(blocks) == 8


@contextmanager
def _serving(database: str) -> Iterator[str]:
    from dataclasses import replace

    with listening(replace(BOUNDLESS, database=database)) as url:
        yield url


def test_the_page_names_every_call() -> None:
    from combatlog.service.app import create
    from combatlog.service.settings import Settings

    last = {path.rsplit("/", 1)[1] for path in described(create(Settings()))["paths"] if not path.endswith("}")}
    missing = {part for part in last if f"/{part}" not in PAGE}
    assert missing == set()
