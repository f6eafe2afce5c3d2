"""Preparing a `join`: the full sheet of whoever joins, from a name or a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ledger.events import Data
from rules.content.files import read_yaml
from rules.content.packs import Pack, find_sheet, in_full
from rules.engine.refusal import Refusal
from rules.engine.ruleset import Ruleset


def enlist(rules: Ruleset, sheet: str, more: Data, packs: Sequence[Pack] = ()) -> Data:
    """The options of a `join`: the full sheet, found by name or read from a file, and how this combatant differs.

    A file, and the differences, can name entries of the packs.
    """
    path = Path(sheet)
    is_file = path.suffix in (".yaml", ".yml", ".json")
    data = read_yaml(path) if is_file else find_sheet(rules, packs, sheet)
    if not isinstance(data, dict):
        raise Refusal("sheet/invalid", f"{sheet} is not a sheet: it has no fields.", file=sheet)
    overrides = {"overrides": in_full(rules, packs, more["overrides"])} if "overrides" in more else {}
    return {"sheet": in_full(rules, packs, data) if is_file else data, **more, **overrides}
