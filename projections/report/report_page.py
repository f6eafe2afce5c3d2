"""A report as a page: sections with tables, in words. The program that shows it does the layout and the escaping."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from projections.report.models import (
    AttackLuck,
    Blow,
    CampaignReport,
    CombatantShare,
    Fall,
    FightLine,
    FightReport,
    FightResult,
    ReactionWorth,
    ReportPool,
    SeenFall,
    SeenReport,
    SeenShare,
    TurningPoint,
)
from projections.story.phrases import capitalized, counted, name_of
from projections.story.text import and_list, short

Cell = str | int | float | list[str]
"""Lists are shown line by line."""


class ReportTable(NamedTuple):
    columns: Sequence[str]
    rows: list[list[Cell]]


def shares(rows: Iterable[CombatantShare], *, of_one: bool = True) -> ReportTable:
    columns = ("combatant", "side", "dealt", "taken", "healed", "regained", "hits")
    ranked = sorted(rows, key=lambda share: (-share.dealt, share.name))
    return ReportTable((*columns, "at the end" if of_one else "falls"), [_share(row, of_one) for row in ranked])


def _share(row: CombatantShare, of_one: bool) -> list[Cell]:
    hits = f"{row.hits} of {row.attacks}" if row.attacks else "–"
    cells: list[Cell] = [row.name, row.side, row.dealt, row.taken, row.healed, row.recovered, hits]
    return [*cells, _end(row) if of_one else row.falls]


def _end(row: CombatantShare) -> str:
    return ", ".join([*filter(None, [_left_in(row.pools)]), *([] if row.in_the_fight or not row.pools else ["out"])])


def seen_shares(rows: Iterable[SeenShare]) -> ReportTable:
    """Combatants that are known by sight only, with how they look."""
    return ReportTable(
        ("combatant", "side", "hits", "taken", "regained", "at the end"), [_seen_share(row) for row in rows]
    )


def _seen_share(row: SeenShare) -> list[Cell]:
    hits = f"{row.hits} of {row.attacks}" if row.attacks else "–"
    numbers: list[Cell] = [value if value is not None else "–" for value in (row.taken, row.recovered)]
    return [row.name, row.side, hits, *numbers, _left_in(row.pools) or row.looks or "–"]


def _left_in(pools: Mapping[str, ReportPool]) -> str:
    return ", ".join(
        f"{name_of(name)} {pool.current}" + (f"/{pool.maximum}" if pool.maximum else "") for name, pool in pools.items()
    )


def seen_falls(rows: Iterable[SeenFall]) -> ReportTable:
    cells: list[list[Cell]] = [[row.name, row.round, row.seq, "left" if row.left else "down"] for row in rows]
    return ReportTable(("who", "round", "event", "what"), cells)


def falls(rows: Sequence[Fall], *, of_one: bool = True) -> ReportTable:
    columns = ("who", *(() if of_one else ("fight",)), "round", "event", "became", "last blows (event)")
    return ReportTable(columns, [_fall(fall, of_one) for fall in rows])


def _fall(fall: Fall, of_one: bool) -> list[Cell]:
    blows = [_blow(blow) for blow in fall.blows] or ["–"]
    return [fall.name, *([] if of_one else [fall.fight]), fall.round, fall.seq, _became(fall), blows]


def _became(fall: Fall) -> str:
    if fall.back_in is not None:
        return f"back in round {fall.back_in}"
    return "left the fight" if fall.left else ", ".join(fall.conditions) or "out"


def _blow(blow: Blow) -> str:
    """`57: Snig with shortbow, 6 hp, 0 left, overkill 2`."""
    by = "a ruling" if blow.is_ruling else blow.by_name or "no one in particular"
    source = f" with {short(blow.source)}" if blow.source and not blow.is_ruling else ""
    left = f", {blow.left} left" if blow.left is not None else ", which takes effect later"
    over = f", overkill {blow.overkill}" if blow.overkill else ""
    return f"{blow.seq}: {by}{source}, {blow.amount} {name_of(blow.pool)}{left}{over}"


def turning_points(rows: Sequence[TurningPoint], *, of_one: bool = True) -> ReportTable:
    columns = ("round", "event", "declared", "in favour of", "balance")
    return ReportTable(columns if of_one else ("fight", *columns), [_turning(row, of_one) for row in rows])


def _turning(row: TurningPoint, of_one: bool) -> list[Cell]:
    shift = f"{_percent(row.before)} to {_percent(row.before + row.gained)}"
    cells: list[Cell] = [row.round, row.seq, row.words, row.side, shift]
    return cells if of_one else [row.fight, *cells]


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def reactions(rows: Sequence[ReactionWorth]) -> ReportTable:
    columns = ("combatant", "reaction", "used", "declined", "missed", "worth")
    return ReportTable(
        columns,
        [[row.name, short(row.reaction), row.used, row.declined, row.missed, _worth(row)] for row in rows],
    )


def _worth(row: ReactionWorth) -> str:
    parts = [
        f"{row.damage} damage dealt" if row.damage else "",
        f"{row.prevented} damage prevented" if row.prevented else "",
        f"{counted(row.hits_prevented, 'hit')} prevented" if row.hits_prevented else "",
        f"{row.healing} healed" if row.healing else "",
    ]
    return ", ".join(filter(None, parts)) or "–"


def luck(rows: Sequence[AttackLuck]) -> ReportTable:
    columns = ("combatant", "attacks", "hits", "expected", "95 % of fair dice", "verdict")
    return ReportTable(columns, [_luck(row) for row in rows])


def _luck(row: AttackLuck) -> list[Cell]:
    return [row.name, row.attacks, row.hits, row.expected, f"{row.low} to {row.high}", row.verdict.value]


def corrections(report: FightReport | SeenReport) -> ReportTable:
    """Corrections and rulings, in the order of recording."""
    found: list[tuple[int, list[Cell]]] = [
        (one.seq, [one.seq, _corrected(one.kind, one.declarations, one.taken_back), one.by, one.reason])
        for one in report.corrections
    ]
    found += [(one.seq, [one.seq, f"ruling: {one.ruling}", one.by, one.reason]) for one in report.rulings]
    return ReportTable(("event", "what", "by", "why"), [row for _, row in sorted(found, key=lambda pair: pair[0])])


_KINDS = {"undone": "undo", "amended": "amendment", "inserted": "insertion", "redone": "redo"}


def _corrected(kind: str, declarations: int, taken_back: bool) -> str:
    of = f" of {counted(declarations, 'declaration')}" if declarations else ""
    return f"{_KINDS[kind]}{of}{', taken back later' if taken_back else ''}"


def fights(rows: Sequence[FightLine]) -> ReportTable:
    columns = ("fight", "opened", "rules", "rounds", "winner", "falls", "corrections", "rulings")
    return ReportTable(columns, [_fight(row) for row in rows])


def _fight(row: FightLine) -> list[Cell]:
    winner = row.result.winner or ("nobody" if row.result.closed else "not over")
    counts: list[Cell] = [row.falls, row.corrections, row.rulings]
    return [row.fight, f"{row.opened:%Y-%m-%d}", row.ruleset, row.rounds, winner, *counts]


BALANCE = "balance"
POOLS = "pools"


@dataclass(frozen=True, slots=True)
class ReportSection:
    title: str
    table: ReportTable
    nothing: str
    """The text that replaces an empty table."""
    notes: Sequence[str] = ()
    figure: str | None = None
    """The key of the figure that belongs here."""


@dataclass(frozen=True, slots=True)
class ReportPage:
    title: str
    lead: Sequence[str]
    sections: Sequence[ReportSection] = field(default_factory=tuple)


_BALANCE_NOTE = (
    "The balance is each side's share of all points left to those who can still win or lose. It says who has more left;"
    " it is not a probability of winning."
)
_LUCK_NOTE = (
    "Fair dice give hits within the span 95 % of the time. Only hits outside of it are called lucky or unlucky."
)
_WORTH_NOTE = "Missed: declined although it could have changed the outcome. Worth covers only what the record shows."
_RULING_NOTE = "Damage and healing are without overkill and without what rulings set."


def page_of(report: FightReport | CampaignReport | SeenReport) -> ReportPage:
    if isinstance(report, SeenReport):
        return _seen_sections(report)
    return _fight_sections(report) if isinstance(report, FightReport) else _campaign_sections(report)


def _seen_sections(report: SeenReport) -> ReportPage:
    opened = f"Rules: {report.ruleset}. Opened {report.opened:%Y-%m-%d %H:%M} UTC, {counted(report.events, 'event')}."
    lead = [f"{outcome(report.result)} {_lasted(report)}", opened, f"As seen by: {report.seat}."]
    sections = (
        ReportSection("Who did what", seen_shares(report.shares), "No combatants are visible yet."),
        ReportSection("Falls", seen_falls(report.falls), "Nobody fell."),
        ReportSection("Corrections and rulings", corrections(report), "Nothing was corrected or ruled."),
    )
    return ReportPage(report.fight, lead, sections)


def _fight_sections(report: FightReport) -> ReportPage:
    opened = f"Rules: {report.ruleset}. Opened {report.opened:%Y-%m-%d %H:%M} UTC, {counted(report.events, 'event')}."
    lead = [f"{outcome(report.result)} {_lasted(report)}", opened]
    if report.result.how:
        lead.append(f"Closed: {report.result.how}.")
    if report.forked:
        lead.append("This is a what-if: it shares the past of another fight.")
    sections = (
        ReportSection("Who did what", shares(report.shares), "Nobody has joined yet.", [_RULING_NOTE]),
        ReportSection("Deaths and falls", falls(report.falls), "Nobody fell."),
        ReportSection(
            "Turning points",
            turning_points(report.turning_points),
            "Nothing shifted the balance.",
            [_BALANCE_NOTE],
            figure=BALANCE,
        ),
        ReportSection("Hit points over time", ReportTable((), []), "", figure=POOLS),
        ReportSection("Reactions", reactions(report.reactions), "Nobody could react.", [_WORTH_NOTE]),
        ReportSection(
            "Luck", luck(report.luck), "No attacks with exact odds.", _luck_notes(report.attacks_without_odds)
        ),
        ReportSection("Corrections and rulings", corrections(report), "Nothing was corrected or ruled."),
    )
    return ReportPage(report.fight, lead, [section for section in sections if section.table.columns or report.pools])


def _campaign_sections(report: CampaignReport) -> ReportPage:
    total = sum(line.rounds for line in report.fights)
    lead = [f"{counted(len(report.fights), 'fight')} with {counted(total, 'round')}.", *_left_out(report)]
    sections = (
        ReportSection("Fights", fights(report.fights), "There are none."),
        ReportSection("Who did what", shares(report.shares, of_one=False), "Nobody has joined yet.", [_RULING_NOTE]),
        ReportSection("Deaths and falls", falls(report.falls, of_one=False), "Nobody fell."),
        ReportSection(
            "Turning points",
            turning_points(report.turning_points, of_one=False),
            "Nothing shifted the balance.",
            [_BALANCE_NOTE],
        ),
        ReportSection("Reactions", reactions(report.reactions), "Nobody could react.", [_WORTH_NOTE]),
        ReportSection(
            "Luck", luck(report.luck), "No attacks with exact odds.", _luck_notes(report.attacks_without_odds)
        ),
    )
    return ReportPage(f"Campaign {report.campaign}", lead, sections)


def outcome(result: FightResult) -> str:
    if result.winner is not None:
        return capitalized(f"{result.winner} won." if result.closed else f"{result.winner} won; it is not closed yet.")
    if result.closed:
        return "Nobody won."
    return "The fight is not over."


def _lasted(report: FightReport | SeenReport) -> str:
    return f"It lasted {counted(report.rounds, 'round')}." if report.rounds else "It has not begun."


def _left_out(report: CampaignReport) -> list[str]:
    parts = [counted(report.forks_left_out, "what-if", "what-ifs")] if report.forks_left_out else []
    if report.others_left_out:
        parts.append(f"{counted(report.others_left_out, 'practice or archived fight')}")
    verb = "is" if report.forks_left_out + report.others_left_out == 1 else "are"
    return [f"{and_list(parts)} {verb} left out."] if parts else []


def _luck_notes(without_odds: int) -> list[str]:
    left_out = f"{counted(without_odds, 'attack')} left out: no exact odds are known for the dice."
    return [_LUCK_NOTE, left_out] if without_odds else [_LUCK_NOTE]
