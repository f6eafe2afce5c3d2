"""Labelling a fight, so that lists and statistics know what to make of it."""

from __future__ import annotations

import re

from pydantic import Field

from combatlog.rules.engine.options import Options
from combatlog.rules.engine.refusal import Refusal, listing, unknown
from combatlog.rules.engine.ruleset import Ruleset
from combatlog.rules.engine.table import Table
from ledger.events import Declared, EncounterLabelled

LABEL = "core:time:label"
MOST_LABELS = 20
_LABEL = re.compile(r"[^\W_]([^\W_]|-){0,39}")


class Labelling(Options):
    add: tuple[str, ...] = Field(default=(), description="labels that the fight gets")
    remove: tuple[str, ...] = Field(default=(), description="labels that the fight loses")
    why: str | None = Field(default=None, max_length=2000, description="why")


def label(table: Table, rules: Ruleset, declared: Declared) -> None:
    labelling = Labelling.read(declared.options)
    before = table.battle.labels
    added, removed = ({_checked(name) for name in names} for names in (labelling.add, labelling.remove))
    for name in sorted(removed.difference(before)):
        others = f"its labels are {listing(before)}" if before else "it has none"
        raise unknown("label/not-there", f"This fight is not labelled {name}; {others}.", name, list(before))
    labels = tuple(sorted((added | set(before)) - removed))
    if labels == before:
        known = f"This fight is already labelled {listing(sorted(added))}" if added else "No label was named"
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
    """Upper and lower case mean the same, as in the names of encounters."""
    lowered = name.strip().lower()
    if not _LABEL.fullmatch(lowered):
        raise Refusal(
            "label/name",
            f"{name!r} cannot be a label; it has 1 to 40 letters, digits and hyphens.",
            name=name,
        )
    return lowered
