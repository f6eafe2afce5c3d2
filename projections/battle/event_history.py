"""The history of a fight, event by event: what stands, the battle after each event, and what caused an event.

Each event is filed under the action or ruling that caused it, and each roll has the modifiers of its chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast
from uuid import UUID

from ledger.events import (
    UNRECORDED,
    ChainModified,
    Commanded,
    Damaged,
    Declared,
    EncounterClosed,
    Event,
    Healed,
    LinkRevealed,
    LinkWithheld,
    ReactionChosen,
    ReactionDeclined,
    ReactionUsed,
    Redone,
    Ref,
    Rolled,
    Ruled,
    Who,
)
from projections.battle.dice import ABOUT_LINKS, Links
from projections.battle.fold import FOLDS, impossible_event
from projections.battle.journal import JournaledBattle
from projections.battle.timeline import Correction, OrderKey, Timeline, is_correction

GM = "gm"
_CORE = "core:"
"""How the refs of actions begin that every ruleset has: joining, ending a turn, rulings."""


def action_of(event: Event, events: Sequence[Event]) -> Ref | None:
    """The declared action or, if the event is part of a reaction, that reaction. An opportunity attack is not part
    of the move."""
    if isinstance(event, Declared):
        return event.action
    for cause in _causes(event, events):
        if isinstance(cause, Declared):
            return cause.action
        if isinstance(cause, ReactionUsed | ReactionChosen):
            return cause.reaction
    return None


def actor_behind(event: Event, events: Sequence[Event]) -> Who | None:
    """Who acts or reacts; None for what happens by itself, such as the start of a turn."""
    if (reaction := reaction_behind(event, events)) is not None:
        return reaction.reactor
    declared = next((cause for cause in _causes(event, events) if isinstance(cause, Declared)), None)
    return declared.actor if declared is not None and not declared.action.startswith(_CORE) else None


def reaction_behind(event: Event, events: Sequence[Event]) -> ReactionUsed | ReactionChosen | None:
    """The reaction that an event is part of, if any."""
    causes = _causes(event, events)
    return next((cause for cause in causes if isinstance(cause, ReactionUsed | ReactionChosen)), None)


def ruling_behind(event: Damaged | Healed, events: Sequence[Event]) -> Ruled | None:
    """The ruling that set a pool to a value. Damage that a ruling upholds still belongs to whoever dealt it."""
    cause = next(_causes(event, events), None)
    return cause if isinstance(cause, Ruled) and event.source == GM else None


def _causes(event: Event, events: Sequence[Event]) -> Iterator[Event]:
    """What led to an event, the direct cause first. A cause always precedes its effect."""
    while event.cause is not None and 0 < event.cause < event.seq:
        event = events[event.cause - 1]
        yield event


def modifiers_of(roll: Rolled, collected: Iterable[ChainModified]) -> list[ChainModified]:
    """The modifiers that decided a roll, out of those collected before it."""
    return [modifier for modifier in collected if modifier.chain == _chain_of(roll)]


def _chain_of(roll: Rolled) -> str | None:
    """Version 1 did not record the chain. The purpose of such a roll begins with the name of its chain, if it has
    one."""
    return roll.purpose.partition(" ")[0] if roll.chain == UNRECORDED else roll.chain


_WithCommand = Commanded | ReactionChosen | ReactionDeclined | LinkRevealed | LinkWithheld
_WITH_COMMAND = {kind for kind in FOLDS if issubclass(kind, _WithCommand)}
_REMEMBERED = _WITH_COMMAND | {EncounterClosed, *ABOUT_LINKS}
"""Kinds of events for which more is kept than the event. Every declaration and correction comes with a command."""
_NOTHING: set[int] = set()


class EarlierEvents(Exception):
    """The events needed happened before this history begins."""


class EventHistory:
    def __init__(self, events: Iterable[Event] = (), *, start: JournaledBattle | None = None) -> None:
        """From the beginning of a fight, or from a state onwards. What led to that state is then not known here."""
        self.battle = start if start is not None else JournaledBattle()
        self.begins_after = self.battle.seq
        self.timeline = Timeline()
        self.events: list[Event] = []
        """Every event, in the order of recording."""
        self.standing: list[Event] = []
        """The events that count, in the order of the fight, without corrections."""
        self.commands: dict[UUID, int] = {}
        """The first event of each command, taken back or not, by which a repeated command is recognised."""
        self.keys: dict[bytes, UUID] = {}
        """The commands by the first half of their ids, which follows from the key that the caller gave."""
        self.revealed: dict[UUID, str] = {}
        """The seeds of committed dice that were published when the encounter was closed, even if closing it was
        taken back."""
        self._links: list[tuple[int, Links]] = []
        """What was known of hash chains before each event that added to them."""
        self._groups: dict[int, list[Event]] = {}
        self._waiting: list[Event] = []
        """Events that stand after those that a correction has yet to record, the last one first."""
        self._recorded_until = 0
        """The last event that a correction has yet to record in an earlier place."""
        for event in events:
            self.feed(event)

    @property
    def is_whole(self) -> bool:
        return self.begins_after == 0

    def event(self, seq: int) -> Event:
        if seq <= self.begins_after:
            raise EarlierEvents
        return self.events[seq - self.begins_after - 1]

    def group(self, declaration: int) -> Sequence[Event]:
        """The events of a declaration, whether it stands or not."""
        if declaration <= self.begins_after:
            raise EarlierEvents
        return self._groups.get(declaration, ())

    def place(self, seq: int) -> OrderKey:
        """When an event happened in the fight, for comparison with others."""
        return self.timeline.order.of(seq)

    @property
    def waiting(self) -> int:
        """How many events a correction has yet to count again."""
        return len(self._waiting)

    # One event after another

    def feed(self, event: Event) -> None:
        """Take in the next event."""
        try:
            self._feed(event)
        except (LookupError, ValueError) as error:
            raise impossible_event(event) from error
        self.battle.seq = event.seq

    def _feed(self, event: Event) -> None:
        changed = self._note(event)
        if is_correction(event):
            self._correct(cast(Correction, event), changed)
        elif event.declaration not in self.timeline.fallen:
            self._count(event)
        if self._waiting:
            self._count_waiting(self.place(event.seq + 1) if event.seq < self._recorded_until else None)

    def adopt(self, events: Sequence[Event]) -> None:
        """Take in the next events, all of one declaration, which the battle has already applied."""
        if events:
            self.events += events
            self.standing += events
            self._groups.setdefault(events[0].declaration, []).extend(events)
            for event in events:
                if type(event) in _REMEMBERED:
                    self._remember(event)

    def forget_last(self, count: int) -> None:
        """Drop the last events, which were adopted but not recorded after all."""
        for _ in range(count):
            event = self.events.pop()
            self.battle.take_back(self.standing.pop())
            self._groups[event.declaration].pop()
            self._forget_links(event)
            self.revealed.pop(event.encounter, None)
        last = self.events[-1].seq if self.events else self.begins_after
        self.commands = {command: seq for command, seq in self.commands.items() if seq <= last}
        self.keys = {command.bytes[:8]: command for command in self.commands}
        self.battle.seq = last

    def _note(self, event: Event) -> set[int]:
        """Returns the declarations that it retracted or restored."""
        self.events.append(event)
        self._groups.setdefault(event.declaration, []).append(event)
        return self._remember(event) if type(event) in _REMEMBERED else _NOTHING

    def _note_links(self, event: Event) -> None:
        self._links.append((event.seq, self.battle.links))
        self.battle.links = self.battle.links.after(event)

    def _forget_links(self, event: Event) -> None:
        if self._links and self._links[-1][0] == event.seq:
            self.battle.links = self._links.pop()[1]

    def _remember(self, event: Event) -> set[int]:
        if type(event) in ABOUT_LINKS:
            self._note_links(event)
        if type(event) is EncounterClosed and event.seed is not None:
            self.revealed[event.encounter] = event.seed
        if type(event) not in _WITH_COMMAND:
            return _NOTHING
        command = cast(_WithCommand, event).command
        if command is not None:
            self.commands.setdefault(command, event.seq)
            self.keys.setdefault(command.bytes[:8], command)
        return self.timeline.add(event)

    def _count(self, event: Event) -> None:
        self.battle.apply(event)
        self.standing.append(event)

    # Going back

    def take_from(self, place: OrderKey) -> list[Event]:
        """Go back to before a place. Returns what stood from there on, in order."""
        if place[0] <= self.begins_after:
            raise EarlierEvents
        taken: list[Event] = []
        while self.standing and self.place(self.standing[-1].seq) >= place:
            event = self.standing.pop()
            self.battle.take_back(event)
            taken.append(event)
        return taken[::-1]

    def put_back(self, events: Iterable[Event]) -> None:
        """Count events again that were taken out, in order."""
        for event in events:
            self._count(event)

    def _correct(self, correction: Correction, changed: set[int]) -> None:
        """Go back to the first event that changes, and count what stands from there on."""
        places = () if isinstance(correction, Redone) else correction.places
        self._check_known(correction, changed)
        changed = {declaration for declaration in changed if declaration in self._groups}
        starts = [self.place(seq) for seq in (*changed, *(run.first for run in places))]
        if not starts:
            return
        first = min(starts)
        kept = [event for event in self.take_from(first) if event.declaration not in changed]
        restored = [event for seq in changed - self.timeline.fallen for event in self._groups[seq]]
        later = sorted((*kept, *restored), key=lambda event: self.place(event.seq))
        self._waiting = later[::-1]
        self._recorded_until = places[-1].last if places else 0

    def _check_known(self, correction: Correction, changed: set[int]) -> None:
        """A correction may change events from before this history begins."""
        names = {*changed, *([correction.undone] if isinstance(correction, Redone) else ())}
        if not self.is_whole and any(seq <= self.begins_after for seq in names):
            raise EarlierEvents

    def _count_waiting(self, before: OrderKey | None) -> None:
        """Count the unchanged events up to where the next event will be placed, or to the end."""
        waiting = self._waiting
        while waiting and (before is None or self.place(waiting[-1].seq) < before):
            self.recount(waiting)

    def recount(self, waiting: list[Event]) -> None:
        """Count the last of these events, which is unchanged although something before it has changed."""
        self._count(waiting.pop())
