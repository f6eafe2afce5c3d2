"""Why not: for every attack and every save, what kept the reactions out that somebody could have had."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from combatlog.rules.engine import ruleset as rulesets
from combatlog.web.document.tables import Texts
from ledger.errors import Problem
from ledger.events import AttackResolved, Damaged, Declared, Event, SaveResolved
from projections.course import Course
from projections.explanation import look_for
from projections.text import clean, short
from projections.whereabouts import key

_CONTESTED = (AttackResolved, SaveResolved, Damaged)


def why_nots(events: Sequence[Event], ruleset: str, texts: Texts) -> dict[int, list[Any]]:
    """By declaration: `[name, sentence, name, sentence ...]`, as far as the rules know an obstacle."""
    try:
        rules = rulesets.find(ruleset)
    except Problem:
        return {}
    groups: dict[int, list[Event]] = {}
    for event in events:
        groups.setdefault(event.declaration, []).append(event)
    names = [key(ref) for ref in rules.reaction_refs()]
    course, found = Course(), {}
    for event in events:
        group = groups[event.declaration]
        if isinstance(event, Declared) and any(isinstance(one, _CONTESTED) for one in group):
            found[event.seq] = _of(rules, course, event, group, names, texts)
        course.feed(event)
    return {seq: said for seq, said in found.items() if said}


def _of(
    rules: rulesets.Ruleset, course: Course, declared: Declared, group: Sequence[Event], names: list[str], texts: Texts
) -> list[Any]:
    said: list[int] = []
    for name in names:
        absence = look_for(group, name)
        if not (absence.used or absence.declined or absence.counted):
            for sentence in rules.obstacles(course.battle, declared, name):
                said += (texts.of(short(name)), texts.of(clean(sentence)))
    return said
