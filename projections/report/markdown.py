"""Reports in Markdown: the report of a fight or a campaign, and a battle report that tells a fight round by round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ledger.events import Commanded, Event, RoundStarted, TurnStarted
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle, fold
from projections.battle.timeline import in_order, taken_back
from projections.report.report_page import Cell, ReportPage, ReportSection, ReportTable
from projections.story.event_words import in_words
from projections.story.names import CombatantNames
from projections.story.phrases import whose
from projections.story.text import clean
from projections.views import CombatantOutline, SeatView

_LEFT_OUT = {"resource_changed", "action_granted", "action_removed", "round_started", "round_ended", "turn_ended"}
"""Bookkeeping that would swamp the story; it is in the log."""


def battle_report(events: Sequence[Event]) -> str:
    return "\n".join([*_battle_head(fold(events)), *_story(events, CombatantNames.of(events)), ""])


def seen_battle_report(seen: SeatView) -> str:
    """The same for what a seat saw."""
    return "\n".join([*_battle_head(seen.battle), *_story(seen.seen, seen.cast), ""])


def _battle_head(battle: Battle) -> Iterator[str]:
    opened = battle.encounter
    yield f"# {plain_markdown(battle.name)}"
    yield ""
    opened_at = f"{opened.recorded_at:%Y-%m-%d %H:%M} UTC"
    yield f"Rules: {plain_markdown(opened.ruleset)}. Dice: {plain_markdown(opened.dice)}. Opened {opened_at}."
    yield ""
    yield "| combatant | side | state |"
    yield "|---|---|---|"
    for combatant in battle.combatants.values():
        state = ", ".join(_state(combatant))
        yield f"| {plain_markdown(combatant.name)} | {plain_markdown(combatant.side)} | {plain_markdown(state)} |"
    yield from ("", "## Before the first round", "")


def _state(combatant: Combatant) -> Iterator[str]:
    if isinstance(combatant, CombatantOutline) and combatant.health is not None:
        yield combatant.health.value
    for name, vital in combatant.pools().items():
        yield f"{name.replace('_', ' ')} {vital.current}" + (f"/{vital.maximum}" if vital.maximum else "")
    for condition in combatant.conditions.values():
        yield condition.name.replace("_", " ")
    if not combatant.present:
        yield "gone"


def _story(events: Sequence[Event], cast: CombatantNames) -> Iterator[str]:
    fallen = taken_back(events)
    for event in in_order(events):
        if isinstance(event, RoundStarted) and event.declaration not in fallen:
            yield from ("", f"## Round {event.number}")
        elif isinstance(event, TurnStarted) and event.declaration not in fallen:
            yield from ("", f"### {plain_markdown(whose(cast.name(event.combatant)))} turn", "")
        elif event.kind not in _LEFT_OUT:
            yield _item(event, fallen.get(event.declaration), cast)


def _item(event: Event, by: int | None, cast: CombatantNames) -> str:
    words = plain_markdown(in_words(event, cast))
    indent = "" if isinstance(event, Commanded) else "  "
    return f"{indent}- {words}" if by is None else f"{indent}- ~~{words}~~ (taken back by {by})"


def plain_markdown(text: str) -> str:
    """What people wrote, escaped so that Markdown does not interpret it."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", clean(text))


def as_markdown(page: ReportPage) -> str:
    return "\n".join([*_head(page), *(line for section in page.sections for line in _section(section)), ""])


def _head(page: ReportPage) -> Iterator[str]:
    yield f"# {plain_markdown(page.title)}"
    for line in page.lead:
        yield from ("", plain_markdown(line))


def _section(section: ReportSection) -> Iterator[str]:
    if not section.table.columns:
        return
    yield from ("", f"## {section.title}", "")
    if not section.table.rows:
        yield section.nothing
        return
    yield from _table(section.table)
    for note in section.notes:
        yield from ("", note)


def _table(table: ReportTable) -> Iterator[str]:
    numbers = [all(isinstance(row[place], int | float) for row in table.rows) for place in range(len(table.columns))]
    yield f"| {' | '.join(table.columns)} |"
    yield f"|{'|'.join('--:' if is_number else '---' for is_number in numbers)}|"
    for row in table.rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(value: Cell) -> str:
    """A row is one line, so line breaks are replaced."""
    return plain_markdown("; ".join(value)) if isinstance(value, list) else plain_markdown(str(value))
