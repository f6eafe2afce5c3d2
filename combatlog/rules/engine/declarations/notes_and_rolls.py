"""Notes, labels, and rolls that are not part of an action. Notes and rolls can be visible to the GM only."""

from __future__ import annotations

import re

from pydantic import Field

from combatlog.rules.engine.commands import GM
from combatlog.rules.engine.options_and_validation import Options
from combatlog.rules.engine.refusal import Refusal, listing, unknown
from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.engine.ruleset import Ruleset
from ledger.events import Declared, EncounterLabelled, NoteAbout, Noted
from projections.views.visibility import NOTE
from projections.views.visibility import ROLL_ASIDE as ROLL

FOR_THE_GM = "whether only the GM sees it"


class RollOptions(Options):
    dice: str = Field(min_length=1, max_length=60, description="what is rolled, such as 1d20+3")
    purpose: str = Field(default="roll", min_length=1, max_length=60, description="what it is for")
    secret: bool = Field(default=False, description=FOR_THE_GM)


class NoteOptions(Options):
    text: str = Field(min_length=1, max_length=2000, description="what is noted")
    secret: bool = Field(default=False, description=FOR_THE_GM)


def roll_dice(table: Table, rules: Ruleset, declared: Declared) -> None:
    said = RollOptions.read(declared.options)
    roller = table.combatant(declared.targets[0]).id if declared.targets else GM
    table.roll(said.purpose, roller, said.dice)


def write_note(table: Table, rules: Ruleset, declared: Declared) -> None:
    about = table.combatant(declared.targets[0]).id if declared.targets else None
    table.record(Noted, about=NoteAbout.SAID, text=NoteOptions.read(declared.options).text, who=about, by=declared.by)


__all__ = ["NOTE", "ROLL", "NoteOptions", "RollOptions", "roll_dice", "write_note"]


LABEL = "core:time:label"
MOST_LABELS = 20
_LABEL = re.compile(r"[^\W_]([^\W_]|-){0,39}")


class LabelOptions(Options):
    add: tuple[str, ...] = Field(default=(), description="labels to add")
    remove: tuple[str, ...] = Field(default=(), description="labels to remove")
    why: str | None = Field(default=None, max_length=2000, description="why")


def label(table: Table, rules: Ruleset, declared: Declared) -> None:
    labelling = LabelOptions.read(declared.options)
    before = table.battle.labels
    added, removed = ({_checked(name) for name in names} for names in (labelling.add, labelling.remove))
    for name in sorted(removed.difference(before)):
        others = f"its labels are {listing(before)}" if before else "it has none"
        raise unknown("label/not-there", f"This fight is not labelled {name}; {others}.", name, list(before))
    labels = tuple(sorted((added | set(before)) - removed))
    if labels == before:
        known = f"This fight is already labelled {listing(sorted(added))}" if added else "No label was given"
        raise Refusal("label/unchanged", f"{known}; nothing would change.", available=list(before))
    if len(labels) > MOST_LABELS:
        raise Refusal(
            "label/too-many",
            f"A fight has at most {MOST_LABELS} labels, and this one would have {len(labels)}.",
            found=len(labels),
            needed=MOST_LABELS,
        )
    table.record(EncounterLabelled, labels=labels, why=labelling.why)


def _checked(name: str) -> str:
    """A valid label, in lower case."""
    lowered = name.strip().lower()
    if not _LABEL.fullmatch(lowered):
        raise Refusal(
            "label/name",
            f"{name!r} cannot be a label; it has 1 to 40 letters, digits and hyphens.",
            name=name,
        )
    return lowered
