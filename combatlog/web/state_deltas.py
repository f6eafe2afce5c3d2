"""The states of a fight as changes from one event to the next, on two tracks. Texts and paths are written once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from combatlog.web.page_state import page_state
from ledger.events import (
    CombatantLeft,
    ConditionApplied,
    ConditionRemoved,
    Data,
    Declared,
    EncounterLabelled,
    Event,
    ManualResolutionNeeded,
    PoliciesSet,
    Rolled,
    Ruled,
)
from projections.battle.fold import STATEFUL, Battle
from projections.battle.timeline import is_correction, standing
from projections.review.difference import StatePicture, state_picture
from projections.story.names import CombatantNames
from projections.story.text import clean
from projections.views import Seat, SeatView, SeenBattle, Viewer, seen_battle
from projections.views.redacted_events import health_of

T = TypeVar("T", bound=Hashable)


class NumberedValues(Generic[T]):
    """Gives each entry a number, in the order in which they come."""

    def __init__(self) -> None:
        self._numbers: dict[T, int] = {}

    def number(self, entry: T) -> int:
        return self._numbers.setdefault(entry, len(self._numbers))

    @property
    def entries(self) -> list[T]:
        return list(self._numbers)


class NumberedTexts(NumberedValues[str]):
    """Texts for people, without control codes and marks that change the direction of writing."""

    def of(self, text: object) -> int:
        return self.number(clean(text))


Path = tuple[str, ...]


class StateDeltas:
    """Writes changes as `[path, value, path, value ...]`, with paths by number. A value of null: it is gone."""

    def __init__(self) -> None:
        self.paths: NumberedValues[Path] = NumberedValues()

    def between(self, before: Data, after: Data) -> list[Any]:
        flat: list[Any] = []
        for path, value in _differences((), before, after):
            flat += (self.paths.number(path), value)
        return flat


def _differences(path: Path, before: Data, after: Data) -> Iterator[tuple[Path, Any]]:
    for name in before:
        if name not in after:
            yield (*path, name), None
    for name, value in after.items():
        old = before.get(name)
        if old == value and type(old) is type(value):
            continue
        if isinstance(old, dict) and isinstance(value, dict):
            yield from _differences((*path, name), old, value)
        else:
            yield (*path, name), value


def applied(state: Data, changes: list[Any], paths: list[Path]) -> Data:
    """The state after the changes, as a page computes it: values that are not on a path stay."""
    for number, value in zip(changes[::2], changes[1::2], strict=True):
        state = _with(state, paths[number], value)
    return state


def _with(state: Data, path: Path, value: Any) -> Data:
    name, rest = path[0], path[1:]
    if rest:
        return {**state, name: _with(state.get(name, {}), rest, value)}
    if value is None:
        return {key: kept for key, kept in state.items() if key != name}
    return {**state, name: value}


Progress = Callable[[int, int], None]
"""Takes how much of how much is done."""

_SHOWN = frozenset(STATEFUL) - {Declared, EncounterLabelled, ManualResolutionNeeded, PoliciesSet, Rolled, Ruled}
"""Kinds of events that change the state that a page shows."""
_HIDING = frozenset({CombatantLeft, ConditionApplied, ConditionRemoved})
"""Kinds of events that may hide a combatant, and that are then hidden themselves."""


@dataclass(slots=True)
class Watched:
    """A fight as a seat saw it happen."""

    onlooker: SeatView
    whole: Sequence[Event]
    """Every event, including unseen ones, only to find out which ones still count."""
    changes: StateDeltas = field(default_factory=StateDeltas)
    recorded: list[Any] = field(default_factory=list)
    """What changes with each event that was seen; 0: nothing."""
    state: Data = field(default_factory=dict)
    """The state after the last event that was seen."""
    places: dict[int, int] = field(default_factory=dict)
    """The place of an event among the seen ones, by its number in the ledger. A seat may count differently."""
    viewers: dict[int, Viewer] = field(default_factory=dict)
    """What could be seen at each of these events, by its number in the ledger."""
    befores: dict[int, StatePicture] = field(default_factory=dict)
    """The state before each correction, by its number in the ledger."""
    _is_new: bool = True
    """Whether the state that a page shows has changed since it was last shown."""

    def take(self, event: Event) -> bool:
        """See the next event. If it only explains, the state stays, so it is not made again.

        Returns whether the frame before it was changed: a concealed combatant disappears at once, without a seen event.
        """
        onlooker = self.onlooker
        if is_correction(event):
            self.befores[event.seq] = state_picture(onlooker.battle)
        waiting = onlooker.waiting
        seen = onlooker.see(event)
        self._is_new = self._is_new or type(event) in _SHOWN or onlooker.waiting != waiting
        if seen is None:
            return type(event) in _HIDING and self._lose_sight()
        self.places[event.seq] = len(self.recorded)
        self.viewers[event.seq] = onlooker.viewer
        before = self.state
        if self._is_new:
            self.state = page_state(onlooker.battle, onlooker.cast)
        self.recorded.append((self._is_new and self.changes.between(before, self.state)) or 0)
        self._is_new = False
        return False

    def _lose_sight(self) -> bool:
        """If a combatant has disappeared since then, show that at the last seen event."""
        seen = self.onlooker.viewer
        if not self.recorded or not self.state.get("who", {}).keys() - seen.own - seen.by_sight:
            return False
        before, after = self.state, page_state(self.onlooker.battle, self.onlooker.cast)
        if _without_the_gone(before, after) is before:
            return False
        self.recorded[-1] = [*(self.recorded[-1] or ()), *self.changes.between(before, after)]
        self.state, self._is_new = after, False
        return True

    @property
    def events(self) -> list[Event]:
        return self.onlooker.seen

    @property
    def cast(self) -> CombatantNames:
        return self.onlooker.cast

    def number(self, declaration: int) -> int | None:
        """The number that the seat knows a declaration or correction by; None: it saw nothing of it."""
        return declaration if self.onlooker.seat.sees_all else self.onlooker.numbers.group(declaration)


def watch(events: Sequence[Event], seat: Seat, progress: Progress = lambda done, total: None) -> Watched:
    """Follow the fight from the seat."""
    watched = Watched(SeatView(seat), events)
    for done, event in enumerate(events):
        progress(done, len(events))
        watched.take(event)
    return watched


def counting(watched: Watched) -> Iterator[tuple[int, Data]]:
    """The places of the events that were seen and stand now, in the order of the fight, with the state after each."""
    battle, is_new = Battle(), True
    last: tuple[Event, Data] | None = None
    for event in standing(watched.whole):
        is_seen = event.seq in watched.places
        if is_seen and last is not None:
            yield watched.places[last[0].seq], last[1]
        battle.apply(event)
        is_new = is_new or type(event) in _SHOWN
        if is_seen:
            known = last[1] if last is not None and not is_new else None
            last, is_new = (event, known if known is not None else _state_then(watched, battle, event)), False
        elif last is not None and type(event) in _HIDING:
            last = last[0], _without_the_gone(last[1], _state_then(watched, battle, last[0]))
    if last is not None:
        yield watched.places[last[0].seq], last[1]


def _state_then(watched: Watched, battle: Battle, event: Event) -> Data:
    """The state as it was seen at an event."""
    return page_state(_as_seen(battle, watched.onlooker.seat, watched.viewers[event.seq]), watched.cast)


def _without_the_gone(before: Data, after: Data) -> Data:
    """The state after an unseen event, if it hides a combatant; otherwise the state before it."""
    return after if before.get("who", {}).keys() - after.get("who", {}).keys() else before


def _as_seen(battle: Battle, seat: Seat, then: Viewer) -> Battle:
    """What stands now, without anything that the seat did not see when it happened."""
    now = Viewer.at(battle, seat)
    if now.sees_all:
        return battle
    own = now.own & then.own
    by_sight = ((now.own | now.by_sight) & (then.own | then.by_sight)) - own
    looks = {one: health for one in by_sight if (health := health_of(battle.combatants[one])) is not None}
    viewer = replace(
        now, own=own, by_sight=by_sight, unseen=frozenset(battle.combatants) - own - by_sight, health=looks
    )
    seen = seen_battle(battle, viewer, seat)
    assert isinstance(seen, SeenBattle)
    return seen
