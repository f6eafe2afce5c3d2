"""A fight as a battle report in Markdown: who fought, what happened round by round, how it ended."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ledger.events import Commanded, Event, RoundStarted, TurnStarted
from projections.battle import Battle, fold
from projections.cast import Cast
from projections.combatant import Combatant
from projections.text import clean
from projections.timeline import in_order, taken_back
from projections.views import Onlooker, Outline
from projections.words import in_words

_LEFT_OUT = {"resource_changed", "action_granted", "action_removed", "round_started", "round_ended", "turn_ended"}
"""Bookkeeping: it is in the log, and would drown the story."""


def battle_report(events: Sequence[Event]) -> str:
    return "\n".join([*_head(fold(events)), *_story(events, Cast.of(events)), ""])


def seen_report(seen: Onlooker) -> str:
    """The same of what was seen from a seat."""
    return "\n".join([*_head(seen.battle), *_story(seen.seen, seen.cast), ""])


def _head(battle: Battle) -> Iterator[str]:
    opened = battle.encounter
    yield f"# {plain(battle.name)}"
    yield ""
    yield f"Rules: {plain(opened.ruleset)}. Dice: {plain(opened.dice)}. Opened {opened.recorded_at:%Y-%m-%d %H:%M} UTC."
    yield ""
    yield "| combatant | side | state |"
    yield "|---|---|---|"
    for combatant in battle.combatants.values():
        yield f"| {plain(combatant.name)} | {plain(combatant.side)} | {plain(', '.join(_state(combatant)))} |"
    yield from ("", "## Before the first round", "")


def _state(combatant: Combatant) -> Iterator[str]:
    if isinstance(combatant, Outline) and combatant.health is not None:
        yield combatant.health.value
    for name, vital in combatant.pools().items():
        yield f"{name.replace('_', ' ')} {vital.current}" + (f"/{vital.maximum}" if vital.maximum else "")
    for condition in combatant.conditions.values():
        yield condition.name.replace("_", " ")
    if not combatant.present:
        yield "gone"


def _story(events: Sequence[Event], cast: Cast) -> Iterator[str]:
    fallen = taken_back(events)
    for event in in_order(events):
        if isinstance(event, RoundStarted) and event.declaration not in fallen:
            yield from ("", f"## Round {event.number}")
        elif isinstance(event, TurnStarted) and event.declaration not in fallen:
            yield from ("", f"### {plain(cast.name(event.combatant))}'s turn", "")
        elif event.kind not in _LEFT_OUT:
            yield _item(event, fallen.get(event.declaration), cast)


def _item(event: Event, by: int | None, cast: Cast) -> str:
    words = plain(in_words(event, cast))
    indent = "" if isinstance(event, Commanded) else "  "
    return f"{indent}- {words}" if by is None else f"{indent}- ~~{words}~~ (taken back by {by})"


def plain(text: str) -> str:
    """What people wrote, so that Markdown takes none of it for its own."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", clean(text))
