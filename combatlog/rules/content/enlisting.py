"""Preparing a `join`: the full sheet of whoever joins, from a name or a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from combatlog.rules.content.files import read_yaml
from combatlog.rules.content.packs import Pack, find_sheet, in_full
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.ruleset import Ruleset
from ledger.events import Data


def enlist(rules: Ruleset, sheet: str | Path | Data, packs: Sequence[Pack] = (), **more: Any) -> Data:
    """The options of a `join`: the full sheet, given by name, file or data, and how this combatant differs.

    Files, data and differences can name entries of the packs.
    """
    given = {key: value for key, value in more.items() if value}
    if "overrides" in given:
        given["overrides"] = in_full(rules, packs, given["overrides"])
    return {"sheet": _in_full(rules, packs, sheet), **given}


def _in_full(rules: Ruleset, packs: Sequence[Pack], sheet: str | Path | Data) -> Data:
    if isinstance(sheet, str):
        return find_sheet(rules, packs, sheet)
    data = read_yaml(sheet) if isinstance(sheet, Path) else sheet
    if not isinstance(data, dict):
        raise Refusal("sheet/invalid", f"{sheet} is not a sheet: it has no fields.", file=str(sheet))
    return in_full(rules, packs, data)
