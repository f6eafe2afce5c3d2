"""What several tests begin with."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from combatlog.testing import Drill

ROOT = Path(__file__).parents[1]
NO_SOURCES = {"__pycache__", "build", "dist", "node_modules", "venv"}


def copy_checkout(folder: Path) -> Path:
    """A copy of the sources, without what building and testing left there."""
    shutil.copytree(ROOT, folder, ignore=_no_sources)
    return folder


def _no_sources(folder: str, names: Iterable[str]) -> set[str]:
    return {name for name in names if name in NO_SOURCES or name.startswith(".") or name.endswith(".egg-info")}


def protected_duel(ruleset: str = "dnd5e") -> Drill:
    """It is the turn of Snig the goblin, who stands next to Rurik, whom Osric the paladin can protect."""
    drill = Drill(ruleset)
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("paladin", "Osric", (1, 2))
    drill.start(dice=[20, 10, 5])
    return drill
