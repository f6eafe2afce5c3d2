"""A user's own pack: a folder of YAML files with sheets and the content that sheets use.

    my-pack/
      weapons.yaml          entries by name, as in a ruleset's own file; each ruleset says which files there can be
      spells.yaml
      sheets/NAME.yaml      one sheet per file; creatures/NAME.yaml is the same

A sheet in a pack can name the pack's entries. They are written into the sheet in full when it joins a fight, so the
fight no longer needs the pack. An encounter can be opened with packs: they are recorded with it, and their sheets can
then be found by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from combatlog.rules.content.files import read_yaml
from combatlog.rules.engine.options_and_validation import validated
from combatlog.rules.engine.refusal import Refusal, listing, unknown
from combatlog.rules.engine.ruleset import Ruleset, looked_up
from ledger.events import Data
from projections.battle.fold import Battle

FOLDERS = ("sheets", "creatures")
OPTION = "packs"
"""The option of an encounter for the packs that it was opened with."""
MOST = 50
"""The most packs that can be used together."""

Name = Annotated[str, Field(min_length=1, max_length=60)]


class Pack(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(max_length=255)
    sheets: dict[Name, Data] = Field(default_factory=dict)
    entries: dict[Name, dict[Name, Data]] = Field(default_factory=dict, description="by file, without its suffix")
    files: dict[Name, str] = Field(default_factory=dict, exclude=True)
    """The file in the pack from which each sheet was read."""

    def origin(self, sheet: str) -> str:
        return f"{self.name}/{self.files.get(sheet, sheet)}"


# The packs of an encounter


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
    """Options for opening an encounter with these packs."""
    return {**options, OPTION: [pack.model_dump(mode="json") for pack in packs]} if packs else options


def of_encounter(rules: Ruleset, packs: Sequence[Pack]) -> list[Pack]:
    """The packs with entries that have to be there when an encounter is opened."""
    sections = [section.name for section in rules.pack_sections() if section.of_encounter]
    return [pack for pack in packs if any(pack.entries.get(name) for name in sections)]


# Looking up


def find_sheet(rules: Ruleset, packs: Sequence[Pack], name: str) -> Data:
    """A sheet by name: from the packs, the last one first, then from the ruleset."""
    for pack in reversed(packs):
        found = _called(pack, name)
        if found is not None:
            return in_full(rules, [pack], pack.sheets[found])
    try:
        return rules.sheet(name)
    except Refusal as refusal:
        raise _unknown_sheet(rules, packs, name, refusal) from refusal


def _called(pack: Pack, name: str) -> str | None:
    """The sheet with this file name or, in any spelling, this name."""
    if name in pack.sheets:
        return name
    wanted = looked_up(name)
    return next((file for file, sheet in pack.sheets.items() if wanted in _names(file, sheet)), None)


def _names(file: str, sheet: Data) -> tuple[str, str]:
    return looked_up(file), looked_up(str(sheet.get("name", "")))


def _unknown_sheet(rules: Ruleset, packs: Sequence[Pack], name: str, refusal: Refusal) -> Refusal:
    if not packs:
        return refusal
    known = sorted({sheet for pack in packs for sheet in pack.sheets} | set(rules.sheets()))
    sentence = f"Neither the packs nor {rules.name} have a sheet {name!r}; the sheets are {listing(known)}."
    return unknown("sheet/unknown", sentence, name, known, ruleset=rules.name)


def in_full(rules: Ruleset, packs: Sequence[Pack], sheet: Data) -> Data:
    """A sheet, or a part of one, with the named entries of the packs written out in full."""
    written = dict(sheet)
    for section in rules.pack_sections():
        if section.name in sheet and not section.of_encounter:
            written[section.name] = _written(sheet[section.name], _entries(packs, section.name))
        for name, key in section.also_in.items():
            if name in sheet:
                written[name] = _written_within(sheet[name], _entries(packs, section.name), key)
    return written


def _entries(packs: Sequence[Pack], section: str) -> dict[str, Data]:
    return {name: entry for pack in packs for name, entry in pack.entries.get(section, {}).items()}


def _written_within(listed: Any, known: dict[str, Data], key: str | None) -> Any:
    """Write out entries in a list of names, of mappings with a name, or of mappings that name an entry under a key."""
    if not isinstance(listed, list):
        return listed
    if key is not None:
        return [
            {**one, key: _written([one[key]], known)[0]} if isinstance(one, dict) and key in one else one
            for one in listed
        ]
    named = [{**known[one["name"]], **one} if _names_known(one, known) else one for one in listed]
    return _written(named, known)


def _names_known(entry: Any, known: dict[str, Data]) -> bool:
    return isinstance(entry, dict) and "archetype" not in entry and entry.get("name") in known


def _written(named: Any, known: dict[str, Data]) -> Any:
    """Write out entries in a list of names or in names with counts. Other names are left to the ruleset."""
    if isinstance(named, list):
        return [{"name": entry, **known[entry]} if _is_known(entry, known) else entry for entry in named]
    if isinstance(named, dict):
        return {name: {**known[name], "count": entry} if name in known else entry for name, entry in named.items()}
    return named


def _is_known(entry: Any, known: dict[str, Data]) -> bool:
    return isinstance(entry, str) and entry in known


def enlist(rules: Ruleset, sheet: str | Path | Data, packs: Sequence[Pack] = (), **more: Any) -> Data:
    """The options of a `join`: the full sheet, given by name, file or data, and the overrides of this combatant.

    Files, data and overrides can name entries of the packs.
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
        raise Refusal("sheet/invalid", f"{sheet} is not a sheet, because it has no fields.", file=str(sheet))
    return in_full(rules, packs, data)
