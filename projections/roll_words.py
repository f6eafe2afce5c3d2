"""Rolls that are needed, in words: `Mira: d20+2, Dexterity save against Snig's net (DC 12)`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ledger.events import RollMode
from projections.notation import read
from projections.phrases import capitalized, name_of, who
from projections.rolls_needed import RollNeeded, Turnout
from projections.text import clean, short

Names = Mapping[str, str]
"""What combatants are called, by id."""

_ABILITIES = {
    "str": "Strength",
    "dex": "Dexterity",
    "con": "Constitution",
    "int": "Intelligence",
    "wis": "Wisdom",
    "cha": "Charisma",
}
_OF_AN_ACTION = {"damage", "healing"}
_OF_TWO = re.compile(r"2d20k[hl]1\b")


def roll_in_words(needed: RollNeeded, names: Names) -> str:
    """Who rolls what, and what for."""
    return clean(f"{_name(needed.roller, names)}: {_dice(needed)}, {_what_for(needed, names)}")


def rolls_in_words(rolls: Sequence[RollNeeded], names: Names) -> list[str]:
    """The same for several, each with what has to happen first."""
    return [
        roll_in_words(needed, names) + (f", {when(needed, names)}" if not needed.certain else "") for needed in rolls
    ]


def when(needed: RollNeeded, names: Names) -> str:
    """The case in which a roll is needed: `if it hits`."""
    if needed.only_if is None:
        return "if it comes to that"
    its = "it" if needed.only_if.who == needed.roller else _name(needed.only_if.who, names)
    return f"if {its} {_TURNOUTS[needed.only_if.turnout]}"


_TURNOUTS = {
    Turnout.HIT: "hits",
    Turnout.CRITICAL: "hits critically",
    Turnout.MISS: "misses",
    Turnout.SUCCESS: "succeeds",
    Turnout.FAILURE: "fails",
}


def _name(combatant: str, names: Names) -> str:
    return names.get(combatant) or who(combatant)


def _dice(needed: RollNeeded) -> str:
    notation = _together(_OF_TWO.sub("2d20", needed.notation))
    gap = " " if notation.endswith("+") else ""
    added = f"{gap}{needed.modifier:+d}".replace("-", "−") if needed.modifier else ""
    mode = "" if needed.mode is RollMode.NORMAL else f" with {needed.mode.value}"
    return f"{notation}{added}{mode}"


def _together(notation: str) -> str:
    """Dice of the same kind as people pick them up: `1d8+1d8` is 2d8, and `1d20` is d20."""
    known = read(notation)
    if known is None or known.explodes or any(group.keep is not None for group in known.groups):
        return notation
    counts: dict[str, int] = {}
    for group in known.groups:
        counts[group.name] = counts.get(group.name, 0) + group.count
    dice = "+".join(f"{count if count > 1 else ''}{name}" for name, count in counts.items())
    return f"{dice}{known.constant:+d}" if known.constant else dice


def _what_for(needed: RollNeeded, names: Names) -> str:
    if needed.save is not None:
        return _save(needed, names)
    what = short(needed.reaction) if needed.reaction is not None and needed.purpose == "attack" else _purpose(needed)
    if what in _OF_AN_ACTION and needed.target is None:
        what = f"{short(needed.action)} {what}"
    elif needed.target is not None:
        what += f" {'to' if needed.purpose == 'damage' else 'on'} {_name(needed.target, names)}"
    if needed.weapon is not None and needed.reaction is None:
        what += f" with {name_of(needed.weapon)}"
    return what + (f" (against {needed.against})" if needed.against is not None else "")


def _save(needed: RollNeeded, names: Names) -> str:
    what = _purpose(needed)
    if needed.source is not None and needed.purpose == f"{needed.save} save":
        what += f" against {_name(needed.actor, names)}'s {short(needed.source)}"
    return f"{what} (DC {needed.against})"


def _purpose(needed: RollNeeded) -> str:
    first, _, rest = name_of(needed.purpose).partition(" ")
    return f"{_ABILITIES[first]} {rest}" if first in _ABILITIES else f"{first} {rest}".strip()


def missing_in_words(rolls: Sequence[RollNeeded], names: Names) -> str:
    """One sentence about all of them."""
    listed = "; ".join(rolls_in_words(rolls, names))
    return capitalized(f"{'a roll is' if len(rolls) == 1 else 'rolls are'} missing: {listed}.")
