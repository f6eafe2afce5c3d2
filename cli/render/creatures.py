"""Creatures, stat blocks, the difficulty of fights, and what came of an import, on the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cli.render.text import say
from projections.phrases import counted
from projections.text import clean

if TYPE_CHECKING:
    from combatlog import PackImport
    from rules.content.bestiary import Card, Creature, Difficulty, Tally

SHOWN = 12
"""Names of what was not mapped that are shown for each kind; `--json` has them all."""
_PARTS = {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}


def challenge(cr: float | None) -> str:
    return "-" if cr is None else _PARTS.get(cr, f"{cr:g}")


def print_creatures(creatures: Sequence[Creature]) -> None:
    from rich.table import Table

    from cli.render.text import console

    if not creatures:
        say("No creature fits.")
        return
    table = Table(box=None, pad_edge=False, show_edge=False)
    for title in ("CR", "XP", "creature", "type", "size", "AC", "HP"):
        table.add_column(title, justify="right" if title in ("CR", "XP", "AC", "HP") else "left", overflow="fold")
    for one in creatures:
        xp = "-" if one.xp is None else f"{one.xp:,}"
        armor = "-" if one.ac is None else str(one.ac)
        table.add_row(challenge(one.cr), xp, clean(one.id), clean(one.type), clean(one.size), armor, str(one.hp))
    console().print(table)
    origins = Counter(one.origin for one in creatures)
    say(", ".join(f"{number} from {clean(origin)}" for origin, number in origins.items()) + ".", "dim")


def print_card(card: Card) -> None:
    say(clean(card.creature.name), "bold", end="")
    say(f" - {clean(card.creature.size)} {clean(card.creature.type)}")
    for line in card.figures:
        say(f"{line.name} ", "cyan", end="")
        say(clean(line.text))
    for title, lines in card.sections:
        say(f"\n{title}", "bold")
        for line in lines:
            say(f"  {clean(line.name)}", "cyan", end="")
            say(f": {clean(line.text)}" if line.text else "")
    if card.source:
        say(f"\n{clean(card.source)}", "dim")


def print_difficulty(found: Difficulty) -> None:
    levels = ", ".join(map(str, found.levels))
    say(f"{found.rating} ", "bold", end="")
    say(f"for {counted(len(found.levels), 'character')} of {'level' if len(found.levels) == 1 else 'levels'} {levels}")
    say(f"{counted(len(found.foes), 'foe')}: {found.xp:,} XP × {found.multiplier:g} = {found.adjusted:,} XP")
    say("from " + ", ".join(f"{limit:,} {name}" for name, limit in found.thresholds.items()))
    if found.without_xp:
        say(f"Left out, as their sheets say nothing about XP: {clean(', '.join(found.without_xp))}.", "yellow")


def print_import(done: PackImport) -> None:
    say(f"{clean(done.folder)}: {counted(done.creatures, 'creature')}, {counted(done.spells, 'spell')}", "bold")
    for tally in done.tallies:
        if tally.total:
            say(f"  {tally.kind}: {_summed_up(tally)}")
    for kind in dict.fromkeys(one.kind for one in done.unmapped):
        _print_left(done, kind)
    for line in done.unusable:
        say(f"  {clean(line.name)} cannot be used: {clean(line.text)}", "red")
    say(clean(done.source), "dim")


def _summed_up(tally: Tally) -> str:
    partly = f" ({tally.in_part} of them in part)" if tally.in_part else ""
    beside = (
        f"; {tally.no_bearing} more {'has' if tally.no_bearing == 1 else 'have'} no bearing on a fight"
        if tally.no_bearing
        else ""
    )
    return f"{tally.mapped + tally.in_part} of {tally.total} mapped{partly}, {100 * tally.share:.0f} %{beside}"


def _print_left(done: PackImport, kind: str) -> None:
    names = Counter(one.name for one in done.unmapped if one.kind == kind and not one.in_part)
    if not names:
        return
    listed = [clean(name) if number == 1 else f"{clean(name)} ({number})" for name, number in names.most_common(SHOWN)]
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    say(f"  Left to the GM, {kind}: {', '.join(listed)}{more}.", "yellow")
