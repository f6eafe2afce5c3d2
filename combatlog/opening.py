"""How a fight is opened, from what a person has at hand: a map as text, packs as folders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from combatlog.rules.content.files import read_text
from combatlog.rules.content.pack_checks import read_packs
from combatlog.rules.content.packs import opened_with
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Opening
from ledger.events import Data

Map = str | Path | Sequence[str]
"""Text with a line for each row, a file, or the rows: `.` floor, `#` wall, `~` difficult ground."""


def opening(
    name: str,
    ruleset: str,
    dice: str,
    map: Map | None,
    options: Data | None,
    packs: Sequence[str | Path],
    by: str,
    labels: Sequence[str] = (),
) -> Opening:
    brought = read_packs([Path(folder) for folder in packs], rulesets.find(ruleset))
    return Opening(
        name=name,
        ruleset=ruleset,
        dice=dice,
        map=_rows(map) if map is not None else None,
        options=opened_with(options or {}, brought),
        labels=tuple(labels),
        by=by,
    )


def _rows(map: Map) -> tuple[str, ...]:
    text = read_text(map) if isinstance(map, Path) else map
    return tuple(text.strip("\n").split("\n")) if isinstance(text, str) else tuple(text)
