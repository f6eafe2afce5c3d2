"""Tell a fight as a story: one sentence for each declaration, under headings for rounds and turns.

The ruleset's profile says how each action begins its sentence, and `event_clauses` what each kind of event adds. Events
of unknown kinds are told in the words of `event_words`, so a new kind or a new ruleset is never left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from ledger.events import Declared, Event, Moved, Rolled, RoundEnded, RoundStarted, TurnEnded, TurnStarted
from projections.battle.timeline import standing
from projections.ruleset_profile import ActionWords
from projections.story.declaration_context import (
    Clause,
    ConditionHistory,
    DeclarationContext,
    verb_of,
)
from projections.story.event_clauses import clauses_of
from projections.story.names import CombatantNames
from projections.story.phrases import a, capitalized, name_of, or_list, place, type_of, whose, with_weapon
from projections.story.text import and_list, clean, short

Opening = Callable[[Declared, DeclarationContext], Clause | None]


def opening_of(scene: DeclarationContext) -> Clause | None:
    """How the sentence begins; None if the events that followed say everything."""
    declared = scene.declared
    if declared is None:
        return Clause(None, scene.words(scene.root))
    profile = scene.cast.profile
    if declared.action in _SILENT or declared.action in profile.untold:
        return None
    opening = _OPENINGS.get(declared.action) or _BY_TYPE.get(type_of(declared.action))
    if opening is not None:
        return opening(declared, scene)
    words = profile.action(declared.action)
    return _in_its_words(words, declared, scene) if words is not None else Clause(None, scene.words(declared))


_SILENT = {
    "core:time:join",
    "core:time:end-turn",
    "core:time:leave",
    "core:time:close",
    "core:time:label",
    "core:time:reveal",
    "core:time:conceal",
    "core:reaction:policies",
    "core:ruling:rule",
    "core:ruling:uphold",
}


def _in_its_words(words: ActionWords, declared: Declared, scene: DeclarationContext) -> Clause | None:
    if words.attack:
        return _attack(words, declared, scene)
    if words.move:
        return _move(words, declared, scene)
    if words.names is not None:
        return _named(words, words.names, declared, scene)
    return _plain(words, declared, scene)


def _named(words: ActionWords, option: str, declared: Declared, scene: DeclarationContext) -> Clause:
    said = declared.options.get(option)
    if said is None and words.alone:
        return Clause(declared.actor, words.alone, _at(declared, scene).strip())
    named = name_of(str(said or short(declared.action)))
    return Clause(declared.actor, words.verb, f"{a(named) if words.article else named}{_at(declared, scene)}")


def _attack(words: ActionWords, declared: Declared, scene: DeclarationContext) -> Clause:
    """The attack with its weapon. Without an outcome it is only declared: it awaits an answer, or something stopped
    it."""
    own = next((e for e in scene.attacks if e.attacker == declared.actor), None)
    if own is None:
        takes_no_target = not declared.targets and words.alone
        return _plain(words, declared, scene) if takes_no_target else Clause(None, scene.words(declared))
    verb = verb_of(own, scene)
    if verb == "attacks":
        verb = words.verb
    return Clause(declared.actor, verb, f"{_names(declared.targets, scene)}{with_weapon(own.weapon)}")


def _plain(words: ActionWords, declared: Declared, scene: DeclarationContext) -> Clause:
    targets = _names(declared.targets, scene)
    what = f"{targets}{_square(declared, scene)}".strip()
    return Clause(declared.actor, words.verb if targets else words.alone or words.verb, what)


def _names(combatants: tuple[str, ...], scene: DeclarationContext) -> str:
    return and_list([scene.name(combatant) for combatant in combatants])


def _at(declared: Declared, scene: DeclarationContext) -> str:
    """The targets or the square, with a space before it."""
    on = f" on {_names(declared.targets, scene)}" if declared.targets else ""
    return on + _square(declared, scene)


def _square(declared: Declared, scene: DeclarationContext) -> str:
    """The targeted square, with a space before it; not the one that the actor moved to."""
    has_moved = any(step.mover == declared.actor for step in scene.all_of(Moved))
    return f" at {place(declared.destination)}" if declared.destination and not has_moved else ""


def _move(words: ActionWords, declared: Declared, scene: DeclarationContext) -> Clause | None:
    steps = [step for step in scene.all_of(Moved) if step.mover == declared.actor and not step.forced]
    if declared.destination is None:
        return Clause(declared.actor, words.verb)
    if not steps:
        return Clause(None, scene.words(declared))
    reached = steps[-1].to
    aim = "" if reached == declared.destination else f" on the way to {place(declared.destination)}"
    return Clause(declared.actor, words.verb, f"to {place(reached)}{aim}")


def _roll(declared: Declared, scene: DeclarationContext) -> Clause:
    totals = and_list([str(roll.total) for roll in scene.all_of(Rolled)])
    return Clause(declared.actor, "rolls", f"{totals} for {short(declared.action)}")


def _starts(declared: Declared, scene: DeclarationContext) -> Clause:
    return Clause(None, "The fight starts")


def _aside(declared: Declared, scene: DeclarationContext) -> Clause:
    """A note, or a roll that the rules do not ask for, with its result."""
    totals = and_list([str(roll.total) for roll in scene.all_of(Rolled)])
    return Clause(None, scene.words(declared) + (f": {totals}" if totals else ""))


_OPENINGS: dict[str, Opening] = {"core:time:start": _starts}

_BY_TYPE: dict[str, Opening] = {"roll": _roll, "note": _aside}
"""Types of actions whose names come from a log and do not describe an action."""


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A line of the story: a heading or a sentence."""

    text: str
    declaration: int | None = None
    """The declaration it is about; None: a heading that only resumes the story."""
    seq: int | None = None
    """The event it is about: the declaration or, for a heading, the start of the round or turn."""
    round: bool = False
    turn: bool = False

    @property
    def is_heading(self) -> bool:
        return self.round or self.turn


def tell(events: Sequence[Event], declarations: Iterable[int], cast: CombatantNames | None = None) -> list[StoryLine]:
    """The story of these declarations, in the given order. `events` must include all of their events."""
    cast = cast or CombatantNames.of(events)
    conditions = ConditionHistory.of(standing(events))
    groups: dict[int, list[Event]] = {}
    for event in events:
        groups.setdefault(event.declaration, []).append(event)
    told = (DeclarationContext(groups[seq], cast, conditions) for seq in declarations)
    return list(_under_headings(told))


def _under_headings(scenes: Iterable[DeclarationContext]) -> Iterator[StoryLine]:
    """Each scene under its round and turn, with a heading wherever these change."""
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


def _headings(before: _Moment, now: _Moment, cast: CombatantNames) -> Iterator[StoryLine]:
    if now.round != before.round and now.round:
        yield StoryLine(f"Round {now.round}", round=True)
    if now != before and now.turn is not None:
        yield StoryLine(_turn(now.turn, cast), turn=True)


def _turn(combatant: str, cast: CombatantNames) -> str:
    return clean(f"{whose(cast.name(combatant))} turn")


def _lines(scene: DeclarationContext) -> Iterator[StoryLine]:
    """The sentence. If a round or turn begins within the declaration, what follows goes under its own heading."""
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
            yield StoryLine(text, scene.root.declaration, first.seq if first is begin else told[0][0])


def _parts(events: Sequence[Event]) -> list[list[Event]]:
    """The events, split where a round ends and where a round or a turn begins."""
    parts: list[list[Event]] = [[]]
    for event in events:
        if isinstance(event, RoundEnded | RoundStarted | TurnStarted) and parts[-1]:
            parts.append([])
        parts[-1].append(event)
    return parts


def _heading(event: Event, scene: DeclarationContext) -> StoryLine:
    if isinstance(event, TurnStarted):
        return StoryLine(_turn(event.combatant, scene.cast), scene.root.declaration, event.seq, turn=True)
    assert isinstance(event, RoundStarted)
    return StoryLine(f"Round {event.number}", scene.root.declaration, event.seq, round=True)


def _sentence(opening: Clause | None, said: Sequence[Clause], scene: DeclarationContext) -> str:
    parts = _by_subject([opening, *said] if opening is not None else said, scene)
    begin = 2 if opening is not None else 1
    return clean(capitalized("; ".join([": ".join(parts[:begin]), *parts[begin:]])))


def _by_subject(said: Sequence[Clause], scene: DeclarationContext) -> list[str]:
    parts: list[str] = []
    for subject, clauses in groupby(said, key=lambda clause: clause.subject):
        if subject is None:
            parts += [clause.verb for clause in clauses]
        else:
            parts.append(f"{scene.name(subject)} {_predicates(list(clauses))}")
    return parts


def _predicates(clauses: Sequence[Clause]) -> str:
    """`loses 3 fat and 1 vit`, `is prone`: clauses with the same verb share it."""
    merged = [
        f"{verb} {_listed(verb, [clause.what for clause in same])}".rstrip()
        for verb, same in groupby(clauses, key=lambda clause: clause.verb)
    ]
    if len(merged) > 1 and any(" and " in part or " or " in part for part in merged):
        return f"{', '.join(merged[:-1])}, and {merged[-1]}"
    return and_list(merged)


def _listed(verb: str, what: list[str]) -> str:
    return or_list(what) if "no longer" in verb else and_list(what)
