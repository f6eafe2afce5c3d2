"""A report as a page: sections with tables, in words. How it is set, and escaped, is up to whoever shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from projections.phrases import capitalized, counted
from projections.report.models import CampaignReport, FightReport, Result, SeenReport
from projections.report.tables import (
    Table,
    corrections,
    falls,
    fights,
    luck,
    reactions,
    seen_falls,
    seen_shares,
    shares,
    turning_points,
)
from projections.text import and_list

BALANCE = "balance"
POOLS = "pools"


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    table: Table
    nothing: str
    """What is said instead of an empty table."""
    notes: Sequence[str] = ()
    figure: str | None = None
    """The figure that belongs here, by its key."""


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    lead: Sequence[str]
    sections: Sequence[Section] = field(default_factory=tuple)


_BALANCE_NOTE = (
    "The balance is each side's share of all points left to those who can still win or lose. It says who has more left;"
    " it is not a probability of winning."
)
_LUCK_NOTE = (
    "Fair dice give hits within the span 95 % of the time. Only hits outside of it are called lucky or unlucky."
)
_WORTH_NOTE = "Missed: declined although it could have changed the outcome. Worth is what the record tells, no more."
_RULING_NOTE = "Damage and healing are without overkill and without what rulings set."


def page_of(report: FightReport | CampaignReport | SeenReport) -> Page:
    if isinstance(report, SeenReport):
        return _seen(report)
    return _fight(report) if isinstance(report, FightReport) else _campaign(report)


def _seen(report: SeenReport) -> Page:
    opened = f"Rules: {report.ruleset}. Opened {report.opened:%Y-%m-%d %H:%M} UTC, {counted(report.events, 'event')}."
    lead = [f"{outcome(report.result)} {_lasted(report)}", opened, f"As seen by: {report.seat}."]
    sections = (
        Section("Who did what", seen_shares(report.shares), "Nobody is to be seen yet."),
        Section("Falls", seen_falls(report.falls), "Nobody fell."),
        Section("Corrections and rulings", corrections(report), "Nothing was corrected or ruled."),
    )
    return Page(report.fight, lead, sections)


def _fight(report: FightReport) -> Page:
    opened = f"Rules: {report.ruleset}. Opened {report.opened:%Y-%m-%d %H:%M} UTC, {counted(report.events, 'event')}."
    lead = [f"{outcome(report.result)} {_lasted(report)}", opened]
    if report.result.how:
        lead.append(f"Closed: {report.result.how}.")
    if report.forked:
        lead.append("This is a what-if: it shares the past of another fight.")
    sections = (
        Section("Who did what", shares(report.shares), "Nobody has joined yet.", [_RULING_NOTE]),
        Section("Deaths and falls", falls(report.falls), "Nobody fell."),
        Section(
            "Turning points",
            turning_points(report.turning_points),
            "Nothing shifted the balance.",
            [_BALANCE_NOTE],
            figure=BALANCE,
        ),
        Section("Hit points over time", Table((), []), "", figure=POOLS),
        Section("Reactions", reactions(report.reactions), "Nobody could react.", [_WORTH_NOTE]),
        Section("Luck", luck(report.luck), "No attacks with exact odds.", _luck_notes(report.attacks_without_odds)),
        Section("Corrections and rulings", corrections(report), "Nothing was corrected or ruled."),
    )
    return Page(report.fight, lead, [section for section in sections if section.table.columns or report.pools])


def _campaign(report: CampaignReport) -> Page:
    total = sum(line.rounds for line in report.fights)
    lead = [f"{counted(len(report.fights), 'fight')} with {counted(total, 'round')}.", *_left_out(report)]
    sections = (
        Section("Fights", fights(report.fights), "There are none."),
        Section("Who did what", shares(report.shares, of_one=False), "Nobody has joined yet.", [_RULING_NOTE]),
        Section("Deaths and falls", falls(report.falls, of_one=False), "Nobody fell."),
        Section(
            "Turning points",
            turning_points(report.turning_points, of_one=False),
            "Nothing shifted the balance.",
            [_BALANCE_NOTE],
        ),
        Section("Reactions", reactions(report.reactions), "Nobody could react.", [_WORTH_NOTE]),
        Section("Luck", luck(report.luck), "No attacks with exact odds.", _luck_notes(report.attacks_without_odds)),
    )
    return Page(f"Campaign {report.campaign}", lead, sections)


def outcome(result: Result) -> str:
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
