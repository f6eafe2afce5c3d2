"""Writing a pack to a folder, so that people can read and change it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from combatlog.rules.content.packs import FOLDERS, Pack
from combatlog.rules.engine.refusal import Refusal

SOURCE = "SOURCE.txt"
"""The file that says where a pack comes from, and on which terms."""
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
WIDTH = 120


def write_pack(pack: Pack, folder: Path, source: str, *, replace: bool = False) -> None:
    """Write a pack. Nothing that is there already is touched, unless it is a pack that was written before."""
    if folder.exists() and not (replace and (folder / SOURCE).is_file()) and any(folder.iterdir()):
        raise Refusal("pack-import/exists", f"{folder} exists already and is not empty.", file=str(folder))
    try:
        _write(pack, folder, source)
    except OSError as error:
        raise Refusal("file/unwritable", f"{folder} cannot be written: {error.strerror}.", file=str(folder)) from error


def _write(pack: Pack, folder: Path, source: str) -> None:
    sheets = folder / FOLDERS[0]
    sheets.mkdir(parents=True, exist_ok=True)
    for stale in sheets.glob("*.yaml"):
        stale.unlink()
    (folder / SOURCE).write_text(source + "\n", "utf-8")
    for name, sheet in pack.sheets.items():
        (sheets / f"{name}.yaml").write_text(_yaml(sheet), "utf-8")
    for name, entries in pack.entries.items():
        (folder / f"{name}.yaml").write_text(_yaml(entries), "utf-8")


def _yaml(data: Any) -> str:
    text: str = yaml.dump(
        data, Dumper=_DUMPER, sort_keys=False, allow_unicode=True, width=WIDTH, default_flow_style=None
    )
    return text
