"""The README is short, begins with two commands, and works on PyPI, which knows no files beside it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
LINK = re.compile(r"\]\(([^)]+)\)")


def test_it_is_short_and_begins_with_two_commands() -> None:
    assert len(README.splitlines()) < 150
    first = re.search(r"^```\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    assert first is not None
    assert first[1].splitlines() == ["pip install -e .", "combatlog demo"]
    assert "\n## " not in README[: first.start()]


def test_its_links_are_absolute_on_pypi(tmp_path: Path) -> None:
    for name in ("setup.py", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    built = subprocess.run([sys.executable, "setup.py", "-q", "egg_info"], cwd=tmp_path, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    (metadata,) = tmp_path.glob("*.egg-info/PKG-INFO")
    headers, _, description = metadata.read_text("utf-8").partition("\n\n")
    assert "Description-Content-Type: text/markdown" in headers
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    repository, tag = project["urls"]["Repository"], f"v{project['version']}"
    relative = [link for link in LINK.findall(README) if "://" not in link]
    expected = {f"{repository}/{'raw' if link.endswith('.png') else 'blob'}/{tag}/{link}" for link in relative}
    assert expected
    assert {link for link in LINK.findall(description) if "://" in link} >= expected
    assert [link for link in LINK.findall(description) if "://" not in link] == []
