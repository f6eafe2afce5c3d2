"""Content that ships with a ruleset: YAML files in its package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from combatlog.rules.content.files import parse_yaml
from ledger.events import Data


@cache
def shipped_file(package: str, name: str) -> Any:
    """The file `data/NAME.yaml` of a ruleset's package."""
    return parse_yaml((files(package) / "data" / f"{name}.yaml").read_text("utf-8"))


@cache
def shipped_folder(package: str, name: str) -> dict[str, Data]:
    """The files of the folder `data/NAME` of a ruleset's package, by name and in its order."""
    entries = [entry for entry in (files(package) / "data" / name).iterdir() if entry.name.endswith(".yaml")]
    return {
        entry.name.removesuffix(".yaml"): parse_yaml(entry.read_text("utf-8"))
        for entry in sorted(entries, key=lambda entry: entry.name)
    }
