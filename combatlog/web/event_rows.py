"""The events of a document: the sentence and the explanation of each, its drawing on the map, and why reactions were
not possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from combatlog.rules.engine import ruleset as rulesets
from combatlog.web.state_deltas import NumberedTexts
from ledger.errors import Problem
from ledger.events import (
    AreaAffected,
    AttackResolved,
    ChainModified,
    Damaged,
    Data,
    Declared,
    Event,
    Healed,
    Moved,
    ReactionChosen,
    ReactionUsed,
    ReactionWindowOpened,
    Rolled,
    RollMode,
    SaveResolved,
    TerrainChanged,
)
from projections.battle.consent import ABOUT_CONSENT
from projections.battle.event_history import EventHistory
from projections.review.explanation import (
    ORIGINS,
    ExplanationNode,
    causal_trees,
    how_rolled,
    look_for,
    name_in_ref,
    reason_of,
    remarks,
)
from projections.story.event_words import in_words
from projections.story.names import CombatantNames
from projections.story.phrases import change_in_words, face, name_of
from projections.story.text import clean, short
from projections.views.redacted_events import SeenAttack, SeenHealed, SeenHurt


def event_rows(
    events: Sequence[Event], cast: CombatantNames, taken_back: Mapping[int, int], texts: NumberedTexts
) -> list[list[Any]]:
    """`[seq, kind, declaration, cause, round, turn, by, sentence, more]`; `more` is left out if there is none."""
    rows = _Rows(cast, texts, taken_back)
    groups: dict[int, list[Event]] = {}
    for event in events:
        groups.setdefault(event.declaration, []).append(event)
    nodes = {seq: node for group in groups.values() for seq, node in causal_trees(group).items()}
    return [rows.of(nodes[event.seq], groups[event.declaration]) for event in events]


class _Rows:
    def __init__(self, cast: CombatantNames, texts: NumberedTexts, taken_back: Mapping[int, int]) -> None:
        self.cast, self.texts, self.taken_back = cast, texts, taken_back

    def of(self, node: ExplanationNode, group: Sequence[Event]) -> list[Any]:
        event, text = node.event, self.texts.of
        row: list[Any] = [event.seq, text(event.kind), event.declaration, event.cause or 0, event.round]
        row += [event.turn or 0, text(event.by), text(in_words(event, self.cast))]
        more = self._more(node, group)
        return [*row, more] if more else row

    def _more(self, node: ExplanationNode, group: Sequence[Event]) -> Data:
        event = node.event
        found = {
            "gone": self.taken_back.get(event.declaration),
            "actor": event.actor if isinstance(event, Declared) else None,
            "consent": 1 if isinstance(event, Declared) and event.action in ABOUT_CONSENT else None,
            "draw": drawn(event, group, self.texts),
            "dice": self._dice(event) if isinstance(event, Rolled) else None,
            "change": self._change(event) if isinstance(event, ChainModified) else None,
            "counted": [modifier.seq for modifier in node.counted],
            "remarks": [self.texts.of(line) for line in _remarks(node)],
        }
        return {name: value for name, value in found.items() if value not in (None, [])}

    def _dice(self, event: Rolled) -> list[Any]:
        """Notation, purpose, faces, which of them count, the bonus, the total, and the source of the faces."""
        named = any(not isinstance(value, int) for value in event.faces)
        faces = [self.texts.of(name_of(str(value))) if named else value for value in event.faces]
        added = sum(modifier.amount for modifier in event.modifiers)
        origin = self.texts.of(ORIGINS[event.dice_source])
        text = self.texts.of
        return [
            text(event.notation),
            text(name_of(event.purpose)),
            faces,
            _kept(event),
            added,
            event.total,
            origin,
            int(named),
        ]

    def _change(self, event: ChainModified) -> list[int]:
        """Chain, stage, change, source, owner, and reason."""
        owner = self.cast.name(event.owner)
        said = (name_of(event.chain), name_of(event.stage), change_in_words(event.change), short(event.source), owner)
        return [self.texts.of(part) for part in (*said, reason_of(event))]


def _kept(event: Rolled) -> list[int]:
    """For each face, whether it counts. Of equal faces, the first ones do."""
    left, kept = Counter(event.kept), []
    for value in event.faces:
        kept.append(int(left[value] > 0))
        left[value] -= 1
    return kept


def _remarks(node: ExplanationNode) -> list[str]:
    """Details that the dice and modifiers do not show."""
    event = node.event
    if isinstance(event, Rolled):
        unknown = [] if event.faces else [f"{face(event.total)} in all, the faces are not known"]
        is_plain = event.mode is RollMode.NORMAL and not node.because
        return unknown if is_plain else [*unknown, how_rolled(event, node.because)]
    return remarks(node) if isinstance(event, ReactionWindowOpened | Damaged) else []


COVER = "cover"
"""What modifiers come from that stand for something in the way, by the last part of their ref."""


def drawn(event: Event, group: Sequence[Event], texts: NumberedTexts) -> list[Any] | None:
    """What to draw; None: nothing. The first entry is its kind; `modules/types.js` describes the others."""
    draw = DRAWN.get(type(event))
    return draw(event, group, texts) if draw is not None else None


def _moved(event: Moved, group: Sequence[Event], texts: NumberedTexts) -> list[Any]:
    return ["step", event.mover, event.origin, event.to, int(event.forced)]


def _area(event: AreaAffected, group: Sequence[Event], texts: NumberedTexts) -> list[Any]:
    squares = [number for square in event.squares for number in square]
    return ["area", event.origin, squares, list(event.caught), texts.of(short(event.source))]


def _attack(event: AttackResolved | SeenAttack, group: Sequence[Event], texts: NumberedTexts) -> list[Any]:
    outcome = 2 if event.critical else 1 if event.hit else 0
    notes = [*_reaction(event, group), *_cover(event, group)]
    return ["attack", event.attacker, event.target, outcome, texts.of(", ".join(notes)), int(any(_cover(event, group)))]


def _reaction(event: AttackResolved | SeenAttack, group: Sequence[Event]) -> list[str]:
    """The reaction that an attack was made with, such as an opportunity attack."""
    earlier = [one for one in group if one.seq < event.seq and isinstance(one, ReactionChosen | ReactionUsed)]
    used = [one.reaction for one in earlier if one.reactor == event.attacker]
    return [short(used[-1])] if used else []


def _cover(event: AttackResolved | SeenAttack, group: Sequence[Event]) -> list[str]:
    counted = [one for one in group if isinstance(one, ChainModified) and one.seq < event.seq]
    found = [one for one in counted if one.owner == event.target and short(one.source) == COVER]
    return [f"{COVER} {change_in_words(found[-1].change)}"] if found else []


DRAWN: dict[type[Event], Callable[[Any, Sequence[Event], NumberedTexts], list[Any]]] = {
    Moved: _moved,
    AreaAffected: _area,
    AttackResolved: _attack,
    SeenAttack: _attack,
    Damaged: lambda event, group, texts: ["hurt", event.target, event.amount],
    SeenHurt: lambda event, group, texts: ["hurt", event.target, None],
    Healed: lambda event, group, texts: ["heal", event.target, event.amount],
    SeenHealed: lambda event, group, texts: ["heal", event.target, None],
    TerrainChanged: lambda event, group, texts: ["terrain", event.square],
}


_CONTESTED = (AttackResolved, SaveResolved, Damaged)


def why_nots(events: Sequence[Event], ruleset: str, texts: NumberedTexts) -> dict[int, list[Any]]:
    """By declaration: `[name, sentence, name, sentence ...]`, as far as the rules know an obstacle."""
    try:
        rules = rulesets.find(ruleset)
    except Problem:
        return {}
    groups: dict[int, list[Event]] = {}
    for event in events:
        groups.setdefault(event.declaration, []).append(event)
    names = [name_in_ref(ref) for ref in rules.reaction_refs()]
    course, found = EventHistory(), {}
    for event in events:
        group = groups[event.declaration]
        if isinstance(event, Declared) and any(isinstance(one, _CONTESTED) for one in group):
            found[event.seq] = _of(rules, course, event, group, names, texts)
        course.feed(event)
    return {seq: said for seq, said in found.items() if said}


def _of(
    rules: rulesets.Ruleset,
    course: EventHistory,
    declared: Declared,
    group: Sequence[Event],
    names: list[str],
    texts: NumberedTexts,
) -> list[Any]:
    said: list[int] = []
    for name in names:
        absence = look_for(group, name)
        if not (absence.used or absence.declined or absence.counted):
            for sentence in rules.obstacles(course.battle, declared, name):
                said += (texts.of(short(name)), texts.of(clean(sentence)))
    return said
