"""Tell a fight as a story: one sentence for each declaration, under headings for rounds and turns.

`event_clauses` says what each kind of event adds to a sentence; the tables here say how each action begins it. An event
of an unknown kind is told in the words of `event_words`, so a new kind or a new ruleset is never left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from ledger.events import Declared, Event, Moved, Rolled, RoundEnded, RoundStarted, TurnEnded, TurnStarted
from projections.battle.timeline import standing
from projections.story.declaration_context import (
    Attack,
    Clause,
    ConditionHistory,
    DeclarationContext,
    verb_of,
    with_weapon,
)
from projections.story.event_clauses import WAYS_TO_MOVE, clauses_of
from projections.story.names import CombatantNames
from projections.story.phrases import a, capitalized, name_of, place
from projections.story.text import and_list, clean, short

Opening = Callable[[Declared, DeclarationContext], Clause | None]


def opening_of(scene: DeclarationContext) -> Clause | None:
    """The declaration itself. None: what followed from it says everything."""
    declared = scene.declared
    if declared is None:
        return Clause(None, scene.words(scene.root))
    if declared.action in _SILENT:
        return None
    own = next((e for e in scene.attacks if e.attacker == declared.actor), None)
    if own is not None and short(declared.action) in _ATTACKS:
        return _attack(declared, own, scene)
    kind = declared.action.split(":")[1]
    named = None if kind in _UNNAMED else _BY_NAME.get(short(declared.action))
    opening = named or _BY_TYPE.get(kind)
    return opening(declared, scene) if opening is not None else Clause(None, scene.words(declared))


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
    "skirmish:action:activate",
    "recorded:source:said",
    "recorded:source:unread",
    "recorded:source:state",
    "recorded:source:end",
    "recorded:source:joins",
}
_ATTACKS = {
    "attack": None,
    "melee attack": None,
    "ranged attack": None,
    "strike": "strikes",
    "off hand strike": "strikes",
    "flurry strike": "strikes",
}
"""Ways to attack, each with a verb of its own if it has one."""


def _attack(declared: Declared, own: Attack, scene: DeclarationContext) -> Clause:
    verb = verb_of(own, scene)
    if verb == "attacks":
        verb = _ATTACKS[short(declared.action)] or verb
    return Clause(declared.actor, verb, f"{_names(declared.targets, scene)}{with_weapon(own.weapon)}")


def _names(combatants: tuple[str, ...], scene: DeclarationContext) -> str:
    return and_list([scene.name(combatant) for combatant in combatants])


def _at(declared: Declared, scene: DeclarationContext) -> str:
    """Whom or what it is aimed at, with a space before it."""
    on = f" on {_names(declared.targets, scene)}" if declared.targets else ""
    has_moved = any(step.mover == declared.actor for step in scene.all_of(Moved))
    return on + (f" at {place(declared.destination)}" if declared.destination and not has_moved else "")


def _move(declared: Declared, scene: DeclarationContext) -> Clause | None:
    steps = [step for step in scene.all_of(Moved) if step.mover == declared.actor and not step.forced]
    if not steps or declared.destination is None:
        return Clause(None, scene.words(declared))
    reached = steps[-1].to
    aim = "" if reached == declared.destination else f" on the way to {place(declared.destination)}"
    return Clause(declared.actor, WAYS_TO_MOVE[short(declared.action)], f"to {place(reached)}{aim}")


def _cast(declared: Declared, scene: DeclarationContext) -> Clause:
    spell = declared.options.get("spell") or short(declared.action)
    return Clause(declared.actor, "casts", f"{name_of(str(spell))}{_at(declared, scene)}")


def _use(declared: Declared, scene: DeclarationContext) -> Clause:
    return Clause(declared.actor, "uses", f"{short(declared.action)}{_at(declared, scene)}")


def _roll(declared: Declared, scene: DeclarationContext) -> Clause:
    totals = and_list([str(roll.total) for roll in scene.all_of(Rolled)])
    return Clause(declared.actor, "rolls", f"{totals} for {short(declared.action)}")


def _use_item(declared: Declared, scene: DeclarationContext) -> Clause:
    return Clause(declared.actor, "uses", f"{a(name_of(str(declared.options.get('item'))))}{_at(declared, scene)}")


def _play(declared: Declared, scene: DeclarationContext) -> Clause:
    return Clause(declared.actor, "plays", f"{declared.options.get('card')}{_at(declared, scene)}")


def _does(verb: str) -> Opening:
    def does(declared: Declared, scene: DeclarationContext) -> Clause:
        return Clause(declared.actor, verb, _names(declared.targets, scene))

    return does


def _starts(declared: Declared, scene: DeclarationContext) -> Clause:
    return Clause(None, "The fight starts")


_BY_NAME: dict[str, Opening] = {
    "start": _starts,
    "attack": _does("takes the attack action"),
    "dash": _does("dashes"),
    "disengage": _does("disengages"),
    "dodge": _does("dodges"),
    "help": _does("helps"),
    "hide": _does("tries to hide"),
    "escape": _does("tries to escape"),
    "ready": _does("readies an action"),
    "stand up": _does("stands up"),
    "drop prone": _does("drops prone"),
    "defend": _does("defends"),
    "rest": _does("rests"),
    "knockback": _does("tries to knock back"),
    "disarm": _does("tries to disarm"),
    "rearm": _does("picks up the weapon"),
    "shake off": _does("shakes it off"),
    "cast": _cast,
    "use item": _use_item,
    "play": _play,
    **dict.fromkeys(WAYS_TO_MOVE, _move),
}
"""By the name of the action, whatever the ruleset."""


def _aside(declared: Declared, scene: DeclarationContext) -> Clause:
    """A note, or a roll that the rules do not ask for, with what came up."""
    totals = and_list([str(roll.total) for roll in scene.all_of(Rolled)])
    return Clause(None, scene.words(declared) + (f": {totals}" if totals else ""))


_BY_TYPE: dict[str, Opening] = {"spell": _cast, "feature": _use, "roll": _roll, "note": _aside}
"""By the type of the action, for the many that have no line of their own."""

_UNNAMED = {"roll", "note"}
"""Types whose names are any words of a log, and say nothing about what is done."""


@dataclass(frozen=True, slots=True)
class StoryLine:
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


def tell(events: Sequence[Event], declarations: Iterable[int], cast: CombatantNames | None = None) -> list[StoryLine]:
    """The story of these declarations, in this order. `events` has all of their events."""
    cast = cast or CombatantNames.of(events)
    conditions = ConditionHistory.of(standing(events))
    groups: dict[int, list[Event]] = {}
    for event in events:
        groups.setdefault(event.declaration, []).append(event)
    told = (DeclarationContext(groups[seq], cast, conditions) for seq in declarations)
    return list(_under_headings(told))


def _under_headings(scenes: Iterable[DeclarationContext]) -> Iterator[StoryLine]:
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


def _headings(before: _Moment, now: _Moment, cast: CombatantNames) -> Iterator[StoryLine]:
    if now.round != before.round and now.round:
        yield StoryLine(f"Round {now.round}", round=True)
    if now != before and now.turn is not None:
        yield StoryLine(_turn(now.turn, cast), turn=True)


def _turn(combatant: str, cast: CombatantNames) -> str:
    return clean(f"{cast.name(combatant)}'s turn")


def _lines(scene: DeclarationContext) -> Iterator[StoryLine]:
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
            yield StoryLine(text, scene.root.declaration, first.seq if first is begin else told[0][0])


def _parts(events: Sequence[Event]) -> list[list[Event]]:
    """The events, apart where a round ends and where a round or a turn begins."""
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
    """`loses 3 fat and 1 vit`, `is prone`: what has the same verb shares it."""
    merged = [
        f"{verb} {and_list([clause.what for clause in same])}".rstrip()
        for verb, same in groupby(clauses, key=lambda clause: clause.verb)
    ]
    return ", ".join(merged) if any(" and " in part for part in merged) else and_list(merged)
