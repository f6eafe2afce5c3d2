"""Prepare a fight: open it with a map and packs, find and import creatures, and carry combatants over from another
fight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid5

from combatlog.rules.content.bestiary import Bestiary, Card, CardLine, Creature, MappingCount, Progress, Unmapped
from combatlog.rules.content.files import read_text
from combatlog.rules.content.pack_files import read_packs, write_pack
from combatlog.rules.content.packs import find_sheet, opened_with
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import GM, Declaration, Opening
from combatlog.rules.engine.declarations.core_actions import core_ref
from combatlog.rules.engine.declarations.joining import (
    carried_over_combatant,
    check_same_rules,
    enlistment_of,
    nearest_free,
)
from combatlog.rules.engine.refusal import Refusal, listing, unknown
from combatlog.rules.engine.resolution.dry_run import shares_of
from combatlog.rules.engine.resolution.referee import Outcome
from combatlog.rules.engine.ruleset import Enlistment, Ruleset, looked_up
from ledger.events import Data
from ledger.json_shapes import Documented

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from combatlog.fight import Fight
    from combatlog.rules.content.packs import Pack
    from ledger.events import Face, Position
    from projections.battle.fold import Battle


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


def carry_over(
    earlier: Fight,
    fight: Fight,
    *who: str,
    at: Position | None = None,
    side: str | None = None,
    hidden: bool = False,
    initiative: int | None = None,
    dice: Sequence[Face] | None = None,
    by: str | None = None,
    command_id: UUID | None = None,
) -> Outcome:
    """Add combatants of an earlier fight as they are there: hit points, slots and uses, and lasting effects.

    They keep their sheets, names, reactions and, unless you give another one, their side. Each joins with its own
    declaration, which records what it brings along. The earlier fight is not changed. The first one stands on `at`,
    the others around it.
    """
    said = {"hidden": hidden or None, "initiative": initiative}
    given = {name: value for name, value in said.items() if value is not None}
    joining = [{**enlistment, **given} for enlistment in _enlistments(fight.battle, earlier.battle, who, side)]
    commands = [uuid5(command_id, one["name"]) if command_id is not None else None for one in joining]
    shares = _shares(fight, [_joining(fight.battle, one, at, by) for one in joining], dice, commands[0])
    outcomes = [
        fight.declare(_joining(fight.battle, one, at, by), dice=share, command_id=command)
        for one, share, command in zip(joining, shares, commands, strict=True)
    ]
    events = [event for outcome in outcomes for event in outcome.events]
    repeated = all(outcome.repeated for outcome in outcomes)
    fight.outcome = Outcome.ending_in(outcomes[-1].state, events, repeated=repeated)
    return fight.outcome


def _joining(battle: Battle, enlistment: Data, at: Position | None, by: str | None) -> Declaration:
    """Its square is one that is free at that moment."""
    options = dict(enlistment)
    if at is not None:
        rules = rulesets.find(battle.encounter.ruleset)
        recruit = rules.recruit(Enlistment.read(enlistment))
        options["position"] = nearest_free(battle, rules, at, recruit)
    return Declaration(actor=GM, action=core_ref("join"), options=options, by=by)


def _shares(
    fight: Fight, joining: Sequence[Declaration], dice: Sequence[Face] | None, command: UUID | None
) -> list[Sequence[Face] | None]:
    """The faces for each combatant, worked out beforehand, so that all of them join or none."""
    there = fight.backend.in_memory()
    repeated = command is not None and command in there.course.commands
    return [None] * len(joining) if repeated else shares_of(there, joining, dice)


def _enlistments(battle: Battle, before: Battle, who: Sequence[str], side: str | None) -> Iterator[Data]:
    """All named combatants, checked before the first one joins, so that all of them join or none."""
    rules = rulesets.find(battle.encounter.ruleset)
    check_same_rules(before, rules)
    if not who:
        raise Refusal("target/nobody", "Name at least one combatant.")
    for combatant in {
        found.id: found for found in (carried_over_combatant(before, rules, name) for name in who)
    }.values():
        yield enlistment_of(before, rules, combatant, side)


@dataclass(frozen=True, slots=True)
class PackImport(Documented):
    """What an import wrote, and how much of it the rules implement."""

    folder: str
    creatures: int
    spells: int
    source: str
    tallies: tuple[MappingCount, ...]
    unmapped: tuple[Unmapped, ...]
    unusable: tuple[CardLine, ...]


def import_pack(
    source: str | Path,
    out: str | Path | None = None,
    *,
    ruleset: str = "dnd5e",
    format: str | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> PackImport:
    """Convert another tool's data into a pack, and write it to a folder: `out`, or one named after the source.

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
