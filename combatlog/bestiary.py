"""Creatures: browse them, show one, and import packs of them from other tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from combatlog.rules.content.bestiary import Bestiary, Card, Creature, Line, Progress, Tally, Unmapped
from combatlog.rules.content.pack_checks import read_packs
from combatlog.rules.content.pack_writing import write_pack
from combatlog.rules.content.packs import find_sheet
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.refusal import Refusal, listing, unknown
from combatlog.rules.engine.ruleset import Ruleset, looked_up
from ledger.json_shapes import Documented

if TYPE_CHECKING:
    from combatlog.rules.content.packs import Pack


@dataclass(frozen=True, slots=True)
class PackImport(Documented):
    """What an import wrote, and how much of it the rules carry out."""

    folder: str
    creatures: int
    spells: int
    source: str
    tallies: tuple[Tally, ...]
    unmapped: tuple[Unmapped, ...]
    unusable: tuple[Line, ...]


def import_pack(
    source: str | Path,
    out: str | Path | None = None,
    *,
    ruleset: str = "dnd5e",
    format: str | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> PackImport:
    """Convert what another tool has into a pack, and write it to a folder: `out`, or one named after the source.

    The source is a file or folder, or `srd` for what `combatlog[srd]` installs.
    """
    folder = Path(out) if out is not None else Path(f"{Path(source).stem}-pack")
    made = _bestiary(rulesets.find(ruleset)).import_pack(str(source), folder.resolve().name, format, progress)
    write_pack(made.pack, folder, made.source, replace=replace)
    spells = len(made.pack.entries.get("spells", {}))
    return PackImport(
        str(folder), len(made.pack.sheets), spells, made.source, made.tallies, made.unmapped, made.unusable
    )


def creatures(
    search: str | None = None,
    *,
    cr: tuple[float, float] | None = None,
    type: str | None = None,
    packs: Sequence[str | Path] = (),
    ruleset: str = "dnd5e",
) -> list[Creature]:
    """The creatures that can join by name, by challenge rating and name. `search` is a part of the name."""
    rules = rulesets.find(ruleset)
    found = _bestiary(rules).creatures(_packs(rules, packs))
    wanted = looked_up(search) if search else ""
    chosen = [one for one in found if wanted in looked_up(one.name) or wanted in looked_up(one.id)]
    if cr is not None:
        _check_range(*cr)
        chosen = [one for one in chosen if one.cr is not None and cr[0] <= one.cr <= cr[1]]
    if type is not None:
        _check_type(type.lower(), sorted({one.type for one in found}))
        chosen = [one for one in chosen if one.type == type.lower()]
    return sorted(chosen, key=lambda one: (one.cr is None, one.cr or 0, one.name, one.id))


def _check_range(lowest: float, highest: float) -> None:
    if lowest > highest:
        raise Refusal(
            "creatures/cr",
            f"A challenge rating from {lowest:g} to {highest:g} does not exist; give the lower one first.",
            needed=[highest, lowest],
            found=[lowest, highest],
        )


def _check_type(wanted: str, known: list[str]) -> None:
    if wanted not in known:
        sentence = f"There is no creature of the type {wanted!r}; there are {listing(known)}."
        raise unknown("creatures/unknown-type", sentence, wanted, known)


def creature(name: str, *, packs: Sequence[str | Path] = (), ruleset: str = "dnd5e") -> Card:
    """A creature's stat block, however its name is written."""
    rules = rulesets.find(ruleset)
    bestiary, read = _bestiary(rules), _packs(rules, packs)
    wanted = looked_up(name)
    listed = bestiary.creatures(read)
    found = next((one for one in listed if wanted in (looked_up(one.id), looked_up(one.name))), None)
    sheet = find_sheet(rules, read, found.id if found is not None else name)
    return bestiary.card(sheet, found.id if found is not None else name, found.origin if found is not None else "")


def _packs(rules: Ruleset, folders: Sequence[str | Path]) -> list[Pack]:
    return read_packs([Path(folder) for folder in folders], rules)


def _bestiary(rules: Ruleset) -> Bestiary:
    if rules.bestiary is None:
        raise Refusal("bestiary/none", f"{rules.name} has no bestiary.", ruleset=rules.name)
    return rules.bestiary
