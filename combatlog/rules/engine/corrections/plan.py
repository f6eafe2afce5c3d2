"""The plan of a correction or a proposed command, before it is applied: each declaration with its changed events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Annotated, Any, ClassVar
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from combatlog.rules.engine.commands import key_reused, require_new_key
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from ledger.events import UNRECORDED, Commanded, Declared, Event, differing_fields, same_meaning
from ledger.json_shapes import EventData, JsonShape
from projections.battle.consent import needs_table
from projections.battle.fold import Battle
from projections.battle.journal import copy_of
from projections.battle.timeline import Correction
from projections.review.difference import Difference, DifferenceData, differences
from projections.story.difference_words import say_difference
from projections.story.names import Names, names_in
from projections.views.received_events import events_of


class PlanVerdict(StrEnum):
    """What a plan does to a declaration."""

    TAKEN_BACK = "taken back"
    AMENDED = "amended"
    KEPT = "kept"
    CHANGED = "changed"
    IMPOSSIBLE = "no longer possible"
    UPHELD = "kept as a ruling"
    NEW_TURN = "new"
    INSERTED = "inserted"
    RESTORED = "stands again"
    NEEDS_DICE = "needs dice"
    OPEN = "open"
    PROPOSED = "proposed"


@dataclass(frozen=True, slots=True)
class EventChange:
    """An event that changes: None in `recorded` if it is new, None in `now` if it disappears."""

    recorded: Event | None
    now: Event | None


@dataclass(slots=True)
class PlanEntry:
    """One declaration in a plan."""

    declared: Declared
    verdict: PlanVerdict
    why: str | None = None
    changes: list[EventChange] = field(default_factory=list)
    replaced_by: int | None = None
    """Seq of the declaration that replaces it."""


@dataclass(frozen=True, slots=True)
class DiceNeeded:
    """Committed dice that a correction needs and that were never rolled. They are rolled when it is applied."""

    declaration: int
    purpose: str
    dice: tuple[str, ...]


class EventChangeData(TypedDict):
    recorded: EventData | None
    now: Annotated[EventData | None, Field(description="what it would be; null: it would not happen")]


class PlannedDeclaration(TypedDict):
    seq: int
    action: str
    actor: str
    verdict: Annotated[str, Field(description="what happens to it: `kept`, `changed`, `taken back` and so on")]
    why: str | None
    replaced_by: Annotated[int | None, Field(description="seq of the declaration that replaces it")]
    changes: list[EventChangeData]
    declared: Annotated[EventData, Field(description="the declaration itself")]


class NeededDice(TypedDict):
    declaration: int
    purpose: str
    dice: list[str]


class PlanData(TypedDict):
    correction: EventData
    declarations: list[PlannedDeclaration]
    state: Annotated[list[DifferenceData], Field(description="how the state would differ")]
    words: Annotated[list[str], Field(description="the same in words, one sentence each")]
    names: Annotated[dict[str, str], Field(description="the names of the combatants, by id")]
    dice_added: Annotated[int, Field(description="how many new dice were rolled")]
    undecided: Annotated[str | None, Field(description="the code of the decision that it still needs; null: none")]
    needs: Annotated[NeededDice | None, Field(description="committed dice that are rolled when the plan is applied")]
    repeated: Annotated[bool, Field(description="true: this command was already carried out")]
    asked: Annotated[list[str], Field(description="the combatants whose players have to agree first; empty: none")]


@dataclass(slots=True)
class Plan(JsonShape):
    """A correction that can be shown, and then applied exactly as shown.

    If it needs committed dice that were never rolled, it shows what happens up to that roll. The rest is decided when
    it is applied; otherwise people could look at the faces and make only the corrections that suit them.
    """

    document: ClassVar = PlanData

    correction: Commanded
    """The correction or, for a proposed command, its declaration."""
    entries: list[PlanEntry]
    new: list[Event]
    """The correction and all events that it records, to be appended together."""
    before: Battle
    after: Battle
    dice_added: int = 0
    """How many new dice were rolled."""
    repeated: bool = False
    """The correction was made before, so there is nothing to apply."""
    head: bytes = b""
    """The hash of the last recorded event when the plan was made, if the fight is in a ledger."""
    needs: DiceNeeded | None = None
    """The first dice that have to be rolled for it. If set, `new` and `after` are not known yet."""
    undecided: Refusal | None = None
    """Why it cannot be applied yet: someone has to decide what to do with declarations that are no longer possible.

    Until then, the plan shows what happens if they are dropped.
    """
    affects: frozenset[str] = frozenset()
    """Other combatants that a command affects."""
    message: Any = None
    """The message that the interface sent. The rules do not look at it."""
    key: UUID | None = None
    """The idempotency key with which it is sent to a service."""
    roll: Callable[[], Plan] | None = None
    """Makes the plan again and rolls the dice that it needs."""
    _complete: Plan | None = None

    @property
    def latest(self) -> Plan:
        """The plan with its dice rolled, if they have been rolled."""
        return self._complete or self

    def require_decided(self) -> None:
        if self.undecided is not None:
            raise self.undecided

    def complete(self) -> Plan:
        """The plan with all dice rolled, ready to be applied. They are rolled once, even if applying it is retried."""
        if self.roll is None:
            return self
        if self._complete is None:
            self._complete = self.roll()
        return self._complete

    def state_changes(self) -> list[Difference]:
        return differences(self.before, self.after)

    @property
    def names(self) -> Names:
        """The names of the combatants, by id."""
        return names_in(self.before, self.after)

    @property
    def asked(self) -> list[str]:
        """The ids of the combatants whose players have to agree before it is applied."""
        from combatlog.rules.engine.corrections.consent import affected

        return affected(self) if needs_table(self.before) else []

    def of(self, verdict: PlanVerdict) -> list[PlanEntry]:
        return [entry for entry in self.entries if entry.verdict is verdict]

    def to_json(self) -> PlanData:
        changes, names, needs = self.state_changes(), self.names, self.needs
        return {
            "correction": self.correction.to_json(),
            "declarations": [_entry_data(entry) for entry in self.entries],
            "state": [change.to_json() for change in changes],
            "words": [f"{say_difference(change, names)}." for change in changes],
            "names": dict(names),
            "dice_added": self.dice_added,
            "needs": {"declaration": needs.declaration, "purpose": needs.purpose, "dice": list(needs.dice)}
            if needs is not None
            else None,
            "undecided": self.undecided.code if self.undecided is not None else None,
            "repeated": self.repeated,
            "asked": self.asked,
        }

    @classmethod
    def from_json(cls, data: PlanData) -> ReceivedPlan:
        """A plan that can be shown but not applied."""
        (correction,) = events_of([data["correction"]])
        needs, undecided = data["needs"], data["undecided"]
        return ReceivedPlan(
            correction,  # type: ignore[arg-type]
            [_entry_in(one) for one in data["declarations"]],
            [],
            Battle(),
            Battle(),
            dice_added=data["dice_added"],
            repeated=data["repeated"],
            needs=DiceNeeded(needs["declaration"], needs["purpose"], tuple(needs["dice"])) if needs else None,
            undecided=Refusal(undecided, UNDECIDED) if undecided is not None else None,
            told=data,
        )


UNDECIDED = "Decide first what to do with declarations that are no longer possible."


@dataclass(slots=True)
class ReceivedPlan(Plan):
    """A plan that was made elsewhere, as far as it was sent here."""

    told: Any = None

    def state_changes(self) -> list[Difference]:
        return [Difference.from_json(one) for one in self.told["state"]]

    @property
    def names(self) -> Names:
        return dict(self.told["names"])

    @property
    def asked(self) -> list[str]:
        return list(self.told["asked"])


def _entry_data(entry: PlanEntry) -> PlannedDeclaration:
    return {
        "seq": entry.declared.seq,
        "action": entry.declared.action,
        "actor": entry.declared.actor,
        "verdict": entry.verdict.value,
        "why": entry.why,
        "replaced_by": entry.replaced_by,
        "changes": [
            {
                "recorded": change.recorded.model_dump(mode="json") if change.recorded else None,
                "now": change.now.model_dump(mode="json") if change.now else None,
            }
            for change in entry.changes
        ],
        "declared": entry.declared.to_json(),
    }


def _entry_in(data: PlannedDeclaration) -> PlanEntry:
    (declared,) = events_of([data["declared"]])
    changes = [EventChange(_event_in(one["recorded"]), _event_in(one["now"])) for one in data["changes"]]
    return PlanEntry(declared, PlanVerdict(data["verdict"]), data["why"], changes, data["replaced_by"])  # type: ignore[arg-type]


def _event_in(data: dict[str, Any] | None) -> Event | None:
    return events_of([data])[0] if data is not None else None


def made_before(fight: FightEngine, command: UUID | None) -> Plan | None:
    """The plan of a repeated correction: the recorded correction, with nothing left to do.

    The fight has moved on since, so making the plan again would be refused or take back something else.
    """
    if command is None:
        return None
    require_new_key(fight.course, command)
    if command not in fight.course.commands:
        return None
    first = fight.course.event(fight.course.commands[command])
    if not isinstance(first, Correction):
        raise key_reused()
    now = copy_of(fight.battle)
    return Plan(first, [], [], now, now, repeated=True)


_PLACE = frozenset({"encounter", "seq", "recorded_at", "declaration", "cause", "command", "window", "grant", "drawn"})
"""Fields that say where an event is in the log, not what happened. They are not compared."""

_STEP = (
    "purpose",
    "roller",
    "source",
    "owner",
    "resource",
    "target",
    "condition",
    "reactor",
    "moment",
    "combatant",
)
"""Fields that identify the step of a resolution, whatever the event's numbers and wording."""


def changed_fields(change: EventChange) -> dict[str, tuple[Any, Any]]:
    """The fields of an event whose meaning differs now, with both values."""
    if change.recorded is None or change.now is None:
        return {}
    return differing_fields(change.recorded, change.now, ignoring=_PLACE)


def compare(recorded: Sequence[Event], now: Sequence[Event]) -> list[EventChange]:
    """The events that differ, in order. Matching events of one kind count as one changed event.

    Only meaning is compared: an event with other wording has not changed.
    """
    if len(recorded) == len(now) and all(map(_is_same, recorded, now)):
        return []
    unsaid = _unsaid(recorded)
    matcher = SequenceMatcher(
        None, [_key(event, unsaid) for event in recorded], [_key(event, unsaid) for event in now], autojunk=False
    )
    changes: list[EventChange] = []
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            pairs = zip(recorded[old_start:old_end], now[new_start:new_end], strict=True)
            changes += [EventChange(old, new) for old, new in pairs if not _is_same(old, new)]
        else:
            changes += [EventChange(event, None) for event in recorded[old_start:old_end]]
            changes += [EventChange(None, event) for event in now[new_start:new_end]]
    return changes


def _is_same(recorded: Event, now: Event) -> bool:
    return same_meaning(recorded, now, ignoring=_PLACE)


def _unsaid(recorded: Sequence[Event]) -> set[tuple[str, str]]:
    """The fields, by kind, that old versions of the recorded events lack, so they cannot identify a step."""
    return {(event.kind, name) for event in recorded for name in _STEP if getattr(event, name, None) == UNRECORDED}


def _key(event: Event, unsaid: set[tuple[str, str]]) -> tuple[str, ...]:
    told = [str(getattr(event, name, "")) for name in _STEP if (event.kind, name) not in unsaid]
    return (event.kind, *told)
