"""Why an event is what it is: the causal tree of its declaration, with remarks on dice, modifiers and passed reactions.

Everything is read from the record alone. An effect can also be looked up by its name: who had it, since when, and how
it ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from pydantic import Field
from typing_extensions import TypedDict

from ledger.errors import Problem
from ledger.events import (
    UNRECORDED,
    AttackResolved,
    ChainModified,
    ChangeOp,
    ConditionApplied,
    ConditionRemoved,
    Damaged,
    Declared,
    Event,
    FaceOrigin,
    ReactionChosen,
    ReactionDeclined,
    ReactionWindowOpened,
    Rolled,
    RollMode,
)
from ledger.json_shapes import EventData, JsonShape
from projections.battle.event_history import modifiers_of
from projections.battle.timeline import successor, taken_back
from projections.story.event_words import in_words
from projections.story.names import CombatantNames
from projections.story.phrases import change_in_words, face, origin_of, signed, who
from projections.story.text import and_list, short
from projections.views.received_events import events_of


def remarks(node: ExplanationNode) -> list[str]:
    """Details beyond the sentence of the event."""
    event = node.event
    if isinstance(event, Rolled):
        return _roll_remarks(event, node)
    if isinstance(event, ReactionWindowOpened):
        return [f"{who(declined.reactor)} could have reacted and did not" for declined in node.passed]
    if isinstance(event, Damaged):
        return [f"{part.amount} {part.damage_type or event.pool} from {short(part.source)}" for part in event.parts]
    return []


ORIGINS = {
    FaceOrigin.RNG: "random",
    FaceOrigin.SEED: "from the seed",
    FaceOrigin.TABLE: "rolled at the table",
    FaceOrigin.COMMITTED: "committed",
    FaceOrigin.RECORDED: "rolled elsewhere",
}


def _roll_remarks(event: Rolled, node: ExplanationNode) -> list[str]:
    came_up = _faces(event.faces) if event.faces else f"{face(event.total)} in all, the faces are not known"
    lines = [f"{event.notation}, {ORIGINS[event.dice_source]}: {came_up}"]
    if event.mode is not RollMode.NORMAL or node.because:
        lines.append(how_rolled(event, node.because))
    added = [m for m in node.counted if m.change.op in (ChangeOp.BONUS, ChangeOp.DICE)]
    lines += [f"{modifier.stage}: {change_in_words(modifier.change)}, {reason_of(modifier)}" for modifier in added]
    if event.kept and all(isinstance(kept, int) for kept in event.kept):
        terms = [" + ".join(map(face, event.kept)), *(signed(modifier.amount) for modifier in event.modifiers)]
        lines.append(f"{' '.join(terms)} = {face(event.total)}")
    return lines


def _faces(faces: Iterable[int | str]) -> str:
    return and_list([face(value) for value in faces])


def how_rolled(event: Rolled, because: list[ChainModified]) -> str:
    sources = and_list([f"{m.change.op.value} {origin_of(m.owner, m.source)}" for m in because])
    if event.mode is RollMode.NORMAL:
        return f"one die: {sources} cancel each other out"
    return f"kept {_faces(event.kept)}: {sources or event.mode.value}"


def reason_of(modifier: ChainModified) -> str:
    """The recorded reason or, for seats that do not see reasons, what the modifier comes from."""
    return modifier.reason or short(modifier.source)


class ExplainedEvent(TypedDict):
    event: EventData
    words: str
    remarks: list[str]
    effects: list[ExplainedEvent]


class ExplanationData(TypedDict):
    seq: int
    path: Annotated[list[int], Field(description="from the declaration to the event, each the cause of the next")]
    retracted: bool
    taken_back_by: Annotated[int | None, Field(description="seq of the correction that took it back")]
    successor: Annotated[int | None, Field(description="seq of the event that it is now")]
    tree: ExplainedEvent


@dataclass(slots=True)
class ExplanationNode:
    """An event, what it caused, and what the record says about it."""

    event: Event
    effects: list[ExplanationNode] = field(default_factory=list)
    because: list[ChainModified] = field(default_factory=list)
    """For a roll: the modifiers that decided between advantage and disadvantage."""
    passed: list[ReactionDeclined] = field(default_factory=list)
    """For a window: who could have reacted but did not."""
    counted: list[ChainModified] = field(default_factory=list)
    """For the outcome of a roll: every modifier that counted, in the order of the stages."""


@dataclass(frozen=True, slots=True)
class Explanation(JsonShape):
    document: ClassVar = ExplanationData

    seq: int
    """The event to explain."""
    tree: ExplanationNode
    """Its declaration and everything that followed from it."""
    path: tuple[int, ...]
    """From the declaration to the event, each the cause of the next."""
    taken_back_by: int | None
    """The correction that took it back; None: it stands."""
    successor: int | None
    """If it was taken back, the event that replaced it; None: it was not recorded again."""
    words: Mapping[int, str]
    """A sentence for each event of the tree, by its number."""

    @property
    def retracted(self) -> bool:
        return self.taken_back_by is not None

    def to_json(self) -> ExplanationData:
        return {
            "seq": self.seq,
            "path": list(self.path),
            "retracted": self.retracted,
            "taken_back_by": self.taken_back_by,
            "successor": self.successor,
            "tree": self._node(self.tree),
        }

    def _node(self, node: ExplanationNode) -> ExplainedEvent:

        return {
            "event": node.event.to_json(),
            "words": self.words[node.event.seq],
            "remarks": remarks(node),
            "effects": [self._node(child) for child in node.effects],
        }

    @classmethod
    def from_json(cls, data: ExplanationData) -> Self:
        """Builds the tree from the events, as `explain` does."""
        told = sorted(_flat(data["tree"]), key=lambda one: one["event"]["seq"])
        events = events_of(one["event"] for one in told)
        words = {event.seq: one["words"] for event, one in zip(events, told, strict=True)}
        tree = causal_trees(events)[events[0].declaration]
        return cls(data["seq"], tree, tuple(data["path"]), data["taken_back_by"], data["successor"], words)


def _flat(node: Any) -> list[ExplainedEvent]:
    return [node, *(one for child in node["effects"] for one in _flat(child))]


def check_event(events: Sequence[Event], seq: int) -> None:
    if not 1 <= seq <= len(events):
        raise no_event(seq, len(events))


def no_event(seq: int, last: int) -> Problem:
    return Problem("explain/no-event", f"There is no event {seq}; the last one is {last}.")


def explain(events: Sequence[Event], seq: int, cast: CombatantNames | None = None) -> Explanation:
    """`cast` says who is known, if the events alone do not tell."""
    check_event(events, seq)
    asked = events[seq - 1]
    group = [event for event in events if event.declaration == asked.declaration]
    nodes, known = causal_trees(group), cast or CombatantNames.of(events)
    root = nodes[asked.declaration]
    gone = taken_back(events)
    by = gone.get(asked.declaration)
    now = successor(events, gone, seq) if by is not None else None
    words = {event.seq: in_words(event, known) for event in group}
    return Explanation(seq, root, _path(nodes, root.event.seq, seq), by, now, words)


def causal_trees(group: Sequence[Event]) -> dict[int, ExplanationNode]:
    """The events of one declaration, by seq, each with its effects. Events without a cause among them belong to the
    first one."""
    nodes = {event.seq: ExplanationNode(event) for event in group}
    root = nodes[group[0].seq]
    for event in group:
        parent = nodes.get(event.cause or root.event.seq, root)
        if event is not root.event:
            parent.effects.append(nodes[event.seq])
    _annotate(group, nodes)
    return nodes


def _path(nodes: dict[int, ExplanationNode], root: int, seq: int) -> tuple[int, ...]:
    path = [seq]
    while path[-1] != root and (cause := nodes[path[-1]].event.cause) in nodes and cause is not None:
        if cause >= path[-1]:
            break  # no event causes an earlier one, not even in a ledger that was tampered with
        path.append(cause)
    return tuple(reversed(path))


def _annotate(group: Sequence[Event], nodes: dict[int, ExplanationNode]) -> None:
    collected: list[ChainModified] = []
    for event in group:
        node = nodes[event.seq]
        if isinstance(event, ChainModified):
            collected.append(event)
        elif isinstance(event, Rolled):
            node.counted = _counted(event, collected)
            node.because = [modifier for modifier in node.counted if _decides(modifier, event.mode)]
            collected = [modifier for modifier in collected if modifier not in node.counted]
        elif isinstance(event, AttackResolved):
            node.counted = list(collected)
            collected = []
        elif isinstance(event, ReactionDeclined) and event.window in nodes:
            nodes[event.window].passed.append(event)


def _counted(roll: Rolled, collected: list[ChainModified]) -> list[ChainModified]:
    """The modifiers of the roll's chain; all that were collected, if an old record names no matching chain."""
    own = modifiers_of(roll, collected)
    return list(collected) if not own and roll.chain == UNRECORDED else own


def _decides(modifier: ChainModified, mode: RollMode) -> bool:
    decisive = {ChangeOp.ADVANTAGE, ChangeOp.DISADVANTAGE}
    if mode is RollMode.NORMAL:
        return modifier.change.op in decisive
    return modifier.change.op.value == mode.value


@dataclass(frozen=True, slots=True)
class Absence:
    """What the record says about a reaction or modifier by name."""

    used: list[ReactionChosen]
    """Who reacted with it."""
    declined: list[ReactionDeclined]
    """Who was offered it and declined."""
    counted: list[ChainModified]
    """Where it contributed to a chain."""


def look_for(group: Sequence[Event], name: str) -> Absence:
    offered = {
        (event.seq, offer.reactor)
        for event in group
        if isinstance(event, ReactionWindowOpened)
        for offer in event.offers
        if any(_is_named(ref, name) for ref in offer.reactions)
    }
    return Absence(
        used=[event for event in group if isinstance(event, ReactionChosen) and _is_named(event.reaction, name)],
        declined=[
            event for event in group if isinstance(event, ReactionDeclined) and (event.window, event.reactor) in offered
        ],
        counted=[event for event in group if isinstance(event, ChainModified) and _is_named(event.source, name)],
    )


def _is_named(ref: str, name: str) -> bool:
    return name in (ref, ref.rsplit(":", 1)[-1])


class ConditionSpan(NamedTuple):
    """How long a combatant had a condition."""

    began: ConditionApplied
    ended: ConditionRemoved | None
    """None: it lasted to the end of the given events."""


def condition_spans(events: Iterable[Event], name: str) -> list[ConditionSpan]:
    """The most recent time for each combatant that ever had it. `events` are those that count, in the order of the
    fight."""
    found: dict[tuple[str, str], ConditionSpan] = {}
    for event in events:
        if isinstance(event, ConditionApplied) and name in (name_in_ref(event.condition), name_in_ref(event.source)):
            before = found.get((event.target, event.condition))
            if before is None or before.ended is not None:
                found[event.target, event.condition] = ConditionSpan(event, None)
        elif isinstance(event, ConditionRemoved) and (stay := found.get((event.target, event.condition))):
            found[event.target, event.condition] = ConditionSpan(stay.began, stay.ended or event)
    return list(found.values())


def declarations_of(events: Sequence[Event], name: str) -> list[Declared]:
    """Where this name was declared, as an action or as an option, such as a spell or an item."""
    return [
        event
        for event in events
        if isinstance(event, Declared)
        and (name_in_ref(event.action) == name or name in [name_in_ref(str(value)) for value in event.options.values()])
    ]


def name_in_ref(ref: str) -> str:
    """The last part of a ref, or a name as typed by a user: `dnd5e:spell:hold_person` is `hold_person`."""
    return ref.rsplit(":", 1)[-1].strip().lower().replace(" ", "_").replace("-", "_")
