"""A user's own pack: a folder of YAML with sheets (creatures and characters) and weapons.

    my-pack/
      weapons.yaml          by name, as in a ruleset's own file
      sheets/NAME.yaml      one sheet a file; creatures/NAME.yaml is the same

A sheet of a pack may name the pack's weapons. They are written into the sheet in full when it joins a fight, so that
the fight stands on its own whatever becomes of the pack.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ledger.events import Data
from rules.files import read_yaml
from rules.refusal import Refusal, choices
from rules.ruleset import Enlistment, Ruleset

FOLDERS = ("sheets", "creatures")
WEAPONS = "weapons.yaml"


@dataclass(frozen=True)
class Pack:
    name: str
    sheets: dict[str, Data] = field(default_factory=dict)
    weapons: dict[str, Data] = field(default_factory=dict)


def read_packs(folders: Iterable[Path]) -> list[Pack]:
    return [read_pack(folder) for folder in folders]


def read_pack(folder: Path) -> Pack:
    if not folder.is_dir():
        raise Refusal("pack/no-folder", f"{folder} is not a folder; a pack is one, with sheets/ and weapons.yaml.")
    weapons = _mapping(folder / WEAPONS) if (folder / WEAPONS).exists() else {}
    sheets: dict[str, Data] = {}
    for path in sorted(path for name in FOLDERS for path in (folder / name).glob("*.yaml")):
        if path.stem in sheets:
            raise Refusal("pack/twice", f"{path.stem!r} is there twice in {folder}; give one another name.")
        sheets[path.stem] = _with_weapons(_mapping(path), weapons)
    if not sheets and not weapons:
        raise Refusal(
            "pack/empty", f"{folder} has neither sheets/NAME.yaml nor weapons.yaml; docs/choosing.md shows one."
        )
    return Pack(folder.name, sheets, weapons)


def _mapping(path: Path) -> Data:
    data = read_yaml(path)
    if not isinstance(data, dict):
        raise Refusal("pack/malformed", f"{path} has to have named fields; docs/choosing.md shows one.")
    return data


def _with_weapons(sheet: Data, weapons: dict[str, Data]) -> Data:
    named = sheet.get("weapons")
    if not isinstance(named, list):
        return sheet
    return {**sheet, "weapons": [_weapon(entry, weapons) for entry in named]}


def _weapon(entry: Any, weapons: dict[str, Data]) -> Any:
    """A weapon of the pack in full; any other is left for the ruleset to look up."""
    return {"name": entry, **weapons[entry]} if isinstance(entry, str) and entry in weapons else entry


def find_sheet(rules: Ruleset, packs: Sequence[Pack], name: str) -> Data:
    """A sheet by name: of the packs, the last one first, then of those that come with the ruleset."""
    for pack in reversed(packs):
        if name in pack.sheets:
            return check_sheet(rules, pack, name)
    if packs and name not in rules.sheets():
        known = sorted({sheet for pack in packs for sheet in pack.sheets} | set(rules.sheets()))
        raise Refusal(
            "sheet/unknown", f"Neither the packs nor {rules.name} have a sheet {name!r}; there is {choices(known)}."
        )
    return rules.sheet(name)


def check_sheet(rules: Ruleset, pack: Pack, name: str) -> Data:
    """A pack's sheet as the ruleset takes it; a refusal names the pack and the sheet."""
    sheet = pack.sheets[name]
    try:
        rules.recruit(Enlistment(sheet=sheet))
    except Refusal as refusal:
        raise Refusal(refusal.code, f"{pack.name}/{name}: {refusal.sentence}") from refusal
    return sheet


def check_pack(rules: Ruleset, pack: Pack) -> None:
    for name in pack.sheets:
        check_sheet(rules, pack, name)
