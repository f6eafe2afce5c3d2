"""Putting clauses together: sentences under headings, in the order of the events that are given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from ledger.events import Event, RoundEnded, RoundStarted, TurnEnded, TurnStarted
from projections.cast import Cast
from projections.phrases import capitalized
from projections.story.clauses import clauses_of
from projections.story.conditions import ConditionHistory
from projections.story.declarations import opening_of
from projections.story.scene import Clause, Scene
from projections.text import and_list, clean
from projections.timeline import standing


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the story: a heading or a sentence."""

    text: str
    declaration: int | None = None
    """The declaration it is about; None: a heading that only says where the story goes on."""
    seq: int | None = None
    """The event that it is about: the declaration or, for a heading, the beginning of the round or turn."""
    round: bool = False
    turn: bool = False

    @property
    def is_heading(self) -> bool:
        return self.round or self.turn


def tell(events: Sequence[Event], declarations: Iterable[int], cast: Cast | None = None) -> list[Line]:
    """The story of these declarations, in this order. `events` has all of their events."""
    cast = cast or Cast.of(events)
    conditions = ConditionHistory.of(standing(events))
    groups: dict[int, list[Event]] = {}
    for event in events:
        groups.setdefault(event.declaration, []).append(event)
    told = (Scene(groups[seq], cast, conditions) for seq in declarations)
    return list(_under_headings(told))


def _under_headings(scenes: Iterable[Scene]) -> Iterator[Line]:
    """Each scene in its round and turn; a heading where the one before it was in another."""
    now = _Moment(0, None)
    for scene in scenes:
        here = _Moment(scene.root.round, scene.root.turn)
        lines = list(_lines(scene))
        if lines and not lines[0].is_heading:
            yield from _headings(now, here, scene.cast)
        yield from lines
        now = _after(here, scene.events)


class _Moment(NamedTuple):
    round: int
    turn: str | None


def _after(now: _Moment, events: Iterable[Event]) -> _Moment:
    for event in events:
        if isinstance(event, RoundStarted):
            now = _Moment(event.number, None)
        elif isinstance(event, TurnStarted):
            now = _Moment(now.round, event.combatant)
        elif isinstance(event, TurnEnded):
            now = _Moment(now.round, None)
    return now


def _headings(before: _Moment, now: _Moment, cast: Cast) -> Iterator[Line]:
    if now.round != before.round and now.round:
        yield Line(f"Round {now.round}", round=True)
    if now != before and now.turn is not None:
        yield Line(_turn(now.turn, cast), turn=True)


def _turn(combatant: str, cast: Cast) -> str:
    return clean(f"{cast.name(combatant)}'s turn")


def _lines(scene: Scene) -> Iterator[Line]:
    """The sentence and, if a round or a turn begins within the declaration, headings with what follows under them."""
    for part in _parts(scene.events):
        first = part[0]
        begin = scene.root if scene.has_begun else None
        told = [(event.seq, clause) for event in part if event is not begin for clause in clauses_of(event, scene)]
        said = [clause for _, clause in told]
        opening = None
        if first is begin:
            opening = opening_of(scene)
        elif isinstance(first, RoundEnded):
            opening = Clause(None, f"Round {first.number} ends") if said else None
        elif isinstance(first, RoundStarted | TurnStarted):
            yield _heading(first, scene)
        if text := _sentence(opening, said, scene):
            yield Line(text, scene.root.declaration, first.seq if first is begin else told[0][0])


def _parts(events: Sequence[Event]) -> list[list[Event]]:
    """The events, apart where a round ends and where a round or a turn begins."""
    parts: list[list[Event]] = [[]]
    for event in events:
        if isinstance(event, RoundEnded | RoundStarted | TurnStarted) and parts[-1]:
            parts.append([])
        parts[-1].append(event)
    return parts


def _heading(event: Event, scene: Scene) -> Line:
    if isinstance(event, TurnStarted):
        return Line(_turn(event.combatant, scene.cast), scene.root.declaration, event.seq, turn=True)
    assert isinstance(event, RoundStarted)
    return Line(f"Round {event.number}", scene.root.declaration, event.seq, round=True)


def _sentence(opening: Clause | None, said: Sequence[Clause], scene: Scene) -> str:
    parts = _by_subject([opening, *said] if opening is not None else said, scene)
    begin = 2 if opening is not None else 1
    return clean(capitalized("; ".join([": ".join(parts[:begin]), *parts[begin:]])))


def _by_subject(said: Sequence[Clause], scene: Scene) -> list[str]:
    parts: list[str] = []
    for subject, clauses in groupby(said, key=lambda clause: clause.subject):
        if subject is None:
            parts += [clause.verb for clause in clauses]
        else:
            parts.append(f"{scene.name(subject)} {_predicates(list(clauses))}")
    return parts


def _predicates(clauses: Sequence[Clause]) -> str:
    """`loses 3 fat and 1 vit`, `is prone`: what has the same verb shares it."""
    merged = [
        f"{verb} {and_list([clause.what for clause in same])}".rstrip()
        for verb, same in groupby(clauses, key=lambda clause: clause.verb)
    ]
    return ", ".join(merged) if any(" and " in part for part in merged) else and_list(merged)
