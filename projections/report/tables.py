"""The tables of a report: what each column says, and each row in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from projections.phrases import counted, name_of
from projections.report.models import (
    Blow,
    Fall,
    FightLine,
    FightReport,
    Luck,
    Pool,
    SeenFall,
    SeenReport,
    SeenShare,
    Share,
    Turning,
    Worth,
)
from projections.text import short

Cell = str | int | float | list[str]
"""A list is shown line by line."""


class Table(NamedTuple):
    columns: Sequence[str]
    rows: list[list[Cell]]


def shares(rows: Iterable[Share], *, of_one: bool = True) -> Table:
    columns = ("combatant", "side", "dealt", "taken", "healed", "regained", "hits")
    ranked = sorted(rows, key=lambda share: (-share.dealt, share.name))
    return Table((*columns, "at the end" if of_one else "falls"), [_share(row, of_one) for row in ranked])


def _share(row: Share, of_one: bool) -> list[Cell]:
    hits = f"{row.hits} of {row.attacks}" if row.attacks else "–"
    cells: list[Cell] = [row.name, row.side, row.dealt, row.taken, row.healed, row.recovered, hits]
    return [*cells, _end(row) if of_one else row.falls]


def _end(row: Share) -> str:
    return ", ".join([*filter(None, [_left_in(row.pools)]), *([] if row.in_the_fight or not row.pools else ["out"])])


def seen_shares(rows: Iterable[SeenShare]) -> Table:
    """Of those who are known by sight only, how they look."""
    return Table(("combatant", "side", "hits", "taken", "regained", "at the end"), [_seen_share(row) for row in rows])


def _seen_share(row: SeenShare) -> list[Cell]:
    hits = f"{row.hits} of {row.attacks}" if row.attacks else "–"
    numbers: list[Cell] = [value if value is not None else "–" for value in (row.taken, row.recovered)]
    return [row.name, row.side, hits, *numbers, _left_in(row.pools) or row.looks or "–"]


def _left_in(pools: Mapping[str, Pool]) -> str:
    return ", ".join(
        f"{name_of(name)} {pool.current}" + (f"/{pool.maximum}" if pool.maximum else "") for name, pool in pools.items()
    )


def seen_falls(rows: Iterable[SeenFall]) -> Table:
    cells: list[list[Cell]] = [[row.name, row.round, row.seq, "left" if row.left else "down"] for row in rows]
    return Table(("who", "round", "event", "what"), cells)


def falls(rows: Sequence[Fall], *, of_one: bool = True) -> Table:
    columns = ("who", *(() if of_one else ("fight",)), "round", "event", "became", "last blows (event)")
    return Table(columns, [_fall(fall, of_one) for fall in rows])


def _fall(fall: Fall, of_one: bool) -> list[Cell]:
    blows = [_blow(blow) for blow in fall.blows] or ["–"]
    return [fall.name, *([] if of_one else [fall.fight]), fall.round, fall.seq, _became(fall), blows]


def _became(fall: Fall) -> str:
    if fall.back_in is not None:
        return f"back in round {fall.back_in}"
    return "left the fight" if fall.left else ", ".join(fall.conditions) or "out"


def _blow(blow: Blow) -> str:
    """`57: Snig with shortbow, 6 hp, 0 left, overkill 2`."""
    by = "a ruling" if blow.is_ruling else blow.by_name or "nobody in particular"
    source = f" with {short(blow.source)}" if blow.source and not blow.is_ruling else ""
    left = f", {blow.left} left" if blow.left is not None else ", which takes effect later"
    over = f", overkill {blow.overkill}" if blow.overkill else ""
    return f"{blow.seq}: {by}{source}, {blow.amount} {name_of(blow.pool)}{left}{over}"


def turning_points(rows: Sequence[Turning], *, of_one: bool = True) -> Table:
    columns = ("round", "event", "declared", "in favour of", "balance")
    return Table(columns if of_one else ("fight", *columns), [_turning(row, of_one) for row in rows])


def _turning(row: Turning, of_one: bool) -> list[Cell]:
    shift = f"{_percent(row.before)} to {_percent(row.before + row.gained)}"
    cells: list[Cell] = [row.round, row.seq, row.words, row.side, shift]
    return cells if of_one else [row.fight, *cells]


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def reactions(rows: Sequence[Worth]) -> Table:
    columns = ("combatant", "reaction", "used", "declined", "missed", "worth")
    return Table(
        columns,
        [[row.name, short(row.reaction), row.used, row.declined, row.missed, _worth(row)] for row in rows],
    )


def _worth(row: Worth) -> str:
    parts = [
        f"{row.damage} damage dealt" if row.damage else "",
        f"{row.prevented} damage prevented" if row.prevented else "",
        f"{counted(row.hits_prevented, 'hit')} prevented" if row.hits_prevented else "",
        f"{row.healing} healed" if row.healing else "",
    ]
    return ", ".join(filter(None, parts)) or "–"


def luck(rows: Sequence[Luck]) -> Table:
    columns = ("combatant", "attacks", "hits", "expected", "95 % of fair dice", "verdict")
    return Table(columns, [_luck(row) for row in rows])


def _luck(row: Luck) -> list[Cell]:
    return [row.name, row.attacks, row.hits, row.expected, f"{row.low} to {row.high}", row.verdict.value]


def corrections(report: FightReport | SeenReport) -> Table:
    """Both in the order in which they were recorded."""
    found: list[tuple[int, list[Cell]]] = [
        (one.seq, [one.seq, _corrected(one.kind, one.declarations, one.taken_back), one.by, one.reason])
        for one in report.corrections
    ]
    found += [(one.seq, [one.seq, f"ruling: {one.ruling}", one.by, one.reason]) for one in report.rulings]
    return Table(("event", "what", "by", "why"), [row for _, row in sorted(found, key=lambda pair: pair[0])])


_KINDS = {"undone": "undo", "amended": "amendment", "inserted": "insertion", "redone": "redo"}


def _corrected(kind: str, declarations: int, taken_back: bool) -> str:
    of = f" of {counted(declarations, 'declaration')}" if declarations else ""
    return f"{_KINDS[kind]}{of}{', taken back later' if taken_back else ''}"


def fights(rows: Sequence[FightLine]) -> Table:
    columns = ("fight", "opened", "rules", "rounds", "winner", "falls", "corrections", "rulings")
    return Table(columns, [_fight(row) for row in rows])


def _fight(row: FightLine) -> list[Cell]:
    winner = row.result.winner or ("nobody" if row.result.closed else "not over")
    counts: list[Cell] = [row.falls, row.corrections, row.rulings]
    return [row.fight, f"{row.opened:%Y-%m-%d}", row.ruleset, row.rounds, winner, *counts]
