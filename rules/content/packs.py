"""A user's own pack: a folder of YAML with sheets, and with what those are made of.

    my-pack/
      weapons.yaml          entries by name, as in a ruleset's own file; each ruleset says which files there may be
      spells.yaml
      sheets/NAME.yaml      one sheet a file; creatures/NAME.yaml is the same

A sheet of a pack may name the pack's entries. They are written into the sheet in full when it joins a fight, so that
the fight stands on its own whatever becomes of the pack. An encounter may be opened with packs: then they are recorded
with it, and its combatants are found by name without naming the packs again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from ledger.events import Data
from projections.battle import Battle
from rules.content.files import read_yaml
from rules.engine.refusal import Refusal, choices
from rules.engine.ruleset import Ruleset
from rules.engine.validation import validated

FOLDERS = ("sheets", "creatures")
OPTION = "packs"
"""The option of an encounter that has the packs it was opened with."""
MOST = 50
"""Packs at once."""

Name = Annotated[str, Field(min_length=1, max_length=60)]


class Pack(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(max_length=255)
    sheets: dict[Name, Data] = Field(default_factory=dict)
    entries: dict[Name, dict[Name, Data]] = Field(default_factory=dict, description="by file, without its suffix")
    files: dict[Name, str] = Field(default_factory=dict, exclude=True)
    """Where each sheet was read from, within the pack."""

    def origin(self, sheet: str) -> str:
        return f"{self.name}/{self.files.get(sheet, sheet)}"


# Reading


def read_pack(folder: Path) -> Pack:
    """What is in a folder, whether or not it can be used."""
    if not folder.is_dir():
        raise Refusal("pack/no-folder", f"{folder} is not a folder; a pack is one, with sheets/ and weapons.yaml.")
    sheets: dict[str, Data] = {}
    files: dict[str, str] = {}
    for path in _once([path for name in FOLDERS for path in _yaml_files(folder / name)]):
        sheets[path.stem] = _mapping(path)
        files[path.stem] = f"{path.parent.name}/{path.name}"
    entries = {path.stem: _entries(path) for path in _once(_yaml_files(folder))}
    if not sheets and not any(entries.values()):
        raise Refusal("pack/empty", f"{folder} has neither sheets/NAME.yaml nor weapons.yaml; docs/packs.md shows one.")
    found = {"name": folder.resolve().name, "sheets": sheets, "entries": entries, "files": files}
    return validated(Pack, found, "pack/malformed", "The pack's")


def _yaml_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*") if path.suffix in (".yaml", ".yml"))


def _once(paths: list[Path]) -> list[Path]:
    stems = [path.stem for path in paths]
    for path in paths:
        if stems.count(path.stem) > 1:
            raise Refusal("pack/twice", f"{path.stem!r} is there twice ({path}); give one another name.")
    return paths


def _mapping(path: Path) -> Data:
    data = read_yaml(path)
    if not isinstance(data, dict) or not all(isinstance(name, str) for name in data):
        raise Refusal("pack/malformed", f"{path} has to have named fields; docs/packs.md shows one.")
    return data


def _entries(path: Path) -> dict[str, Data]:
    entries = _mapping(path)
    for name, entry in entries.items():
        if not isinstance(entry, dict) or not all(isinstance(field, str) for field in entry):
            raise Refusal("pack/malformed", f"{path}: {name} has to have named fields; docs/packs.md shows one.")
    return entries


# What an encounter was opened with


class _Opened(BaseModel):
    model_config = ConfigDict(extra="forbid")

    packs: list[Pack] = Field(default_factory=list, max_length=MOST)


def packs_in(options: Data) -> list[Pack]:
    given = {OPTION: options[OPTION]} if OPTION in options else {}
    return validated(_Opened, given, "pack/malformed", "The option").packs


def packs_of(battle: Battle) -> list[Pack]:
    """The packs that an encounter was opened with."""
    return packs_in(battle.encounter.options)


def opened_with(options: Data, packs: Sequence[Pack]) -> Data:
    """The options of an encounter that is to be opened with these packs."""
    return {**options, OPTION: [pack.model_dump(mode="json") for pack in packs]} if packs else options


def of_encounter(rules: Ruleset, packs: Sequence[Pack]) -> list[Pack]:
    """Those that have something in them which an encounter has to be opened with."""
    sections = [section.name for section in rules.pack_sections() if section.of_encounter]
    return [pack for pack in packs if any(pack.entries.get(name) for name in sections)]


# Looking up


def find_sheet(rules: Ruleset, packs: Sequence[Pack], name: str) -> Data:
    """A sheet by name: of the packs, the last one first, then of those that come with the ruleset."""
    for pack in reversed(packs):
        if name in pack.sheets:
            return in_full(rules, [pack], pack.sheets[name])
    if packs and name not in rules.sheets():
        known = sorted({sheet for pack in packs for sheet in pack.sheets} | set(rules.sheets()))
        raise Refusal(
            "sheet/unknown", f"Neither the packs nor {rules.name} have a sheet {name!r}; there is {choices(known)}."
        )
    return rules.sheet(name)


def in_full(rules: Ruleset, packs: Sequence[Pack], sheet: Data) -> Data:
    """A sheet, or a part of one, with every entry of the packs that it names written out."""
    written = dict(sheet)
    for section in rules.pack_sections():
        if section.name in sheet and not section.of_encounter:
            known = {name: entry for pack in packs for name, entry in pack.entries.get(section.name, {}).items()}
            written[section.name] = _written(sheet[section.name], known)
    return written


def _written(named: Any, known: dict[str, Data]) -> Any:
    """A list of names, or names with a number of each. What the packs do not know is left for the ruleset."""
    if isinstance(named, list):
        return [{"name": entry, **known[entry]} if _is_known(entry, known) else entry for entry in named]
    if isinstance(named, dict):
        return {name: {**known[name], "count": entry} if name in known else entry for name, entry in named.items()}
    return named


def _is_known(entry: Any, known: dict[str, Data]) -> bool:
    return isinstance(entry, str) and entry in known
