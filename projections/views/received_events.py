"""What a service sends to a seat: events, whole or redacted, and the state as the seat sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from pydantic import PlainValidator, WithJsonSchema
from pydantic_core import ValidationError, from_json
from pydantic_core import to_json as as_text

from ledger.errors import Problem, UnknownKind
from ledger.events import (
    ActionGranted,
    CombatantJoined,
    Controller,
    EncounterOpened,
    Event,
    InitiativeEntry,
    InitiativeSet,
    Offer,
    ReactionChosen,
    ReactionDeclined,
    ReactionWindowOpened,
    TerrainChanged,
    Until,
)
from ledger.registry import KINDS, decode, stored_name
from projections.battle.clock_and_map import Clock, ReactionWindow, with_square
from projections.battle.combatant import Combatant, Condition, Economy, Resource, Vital
from projections.battle.fold import Battle
from projections.story.names import CombatantNames
from projections.views import ApparentHealth, CombatantOutline, Seat, SeatView, SeenBattle
from projections.views.redacted_events import SeenInitiative, SeenJoined, SeenPlace, seen_forms
from projections.views.seats import SeatNumbering

State = Mapping[str, Any]
"""The document that `GET .../state` answers with."""


def event_in(line: bytes) -> Event:
    """An event in JSON. The service sends every event in its newest version."""
    kind = str(from_json(line).get("kind"))
    if kind not in KINDS:
        raise UnknownKind(kind)
    try:
        return decode(stored_name(kind, KINDS[kind].class_version), line)
    except Problem:
        if (seen := _in_part(kind, line)) is not None:
            return seen
        raise


def events_in(lines: Iterable[bytes]) -> list[Event]:
    return [event_in(line) for line in lines]


def events_of(data: Iterable[Mapping[str, Any]]) -> list[Event]:
    return [event_in(as_text(one)) for one in data]


def _told(given: Any) -> Event:
    return given if isinstance(given, Event) else event_in(as_text(given))


ToldEvent = Annotated[Event, PlainValidator(_told), WithJsonSchema({"$document": "event"})]
"""An event as part of an answer: whole, or as far as the seat sees it."""


def _in_part(kind: str, line: bytes) -> Event | None:
    """A partly seen event; None if the JSON is not one either."""
    for cls in seen_forms().get(kind, ()):
        try:
            return cls.model_validate_json(line)
        except ValidationError:
            continue
    return None


class ReceivedNumbering(SeatNumbering):
    """The service already sends the numbers that the seat counts by, so nothing is translated."""

    def of(self, seq: int | None) -> int | None:
        return seq


class ReceivedSeatView(SeatView):
    """The view of a remote seat. It takes in events as the service sends them, and asks the service for the state."""

    def __init__(self, seat: Seat, seen: Sequence[Event], state: Callable[[Sequence[Event]], Battle]) -> None:
        super().__init__(seat)
        self.numbers = ReceivedNumbering()
        self.seen = list(seen)
        self._state = state
        self._battle: tuple[int, Battle] | None = None

    def see(self, event: Event) -> Event | None:
        self.seen.append(event)
        return event

    @property
    def battle(self) -> Battle:
        if self._battle is None or self._battle[0] != self.last:
            self._battle = self.last, self._state(self.seen)
        return self._battle[1]

    @property
    def whole(self) -> Battle:
        """The service sends no more than the seat sees."""
        return self.battle

    @property
    def cast(self) -> CombatantNames:
        told = CombatantNames.of(self.seen)
        entered = {event.combatant: event.name for event in self.seen if isinstance(event, SeenJoined)}
        present = {id: combatant.name for id, combatant in self.battle.combatants.items()}
        return CombatantNames(
            names={**told.names, **entered, **present},
            sheets=told.sheets,
            ruleset=told.ruleset,
            orders=[_order(event) for event in self.seen if isinstance(event, InitiativeSet | SeenInitiative)],
        )

    def recorded(self, number: int) -> int:
        return number


def battle_in(state: State, seen: Sequence[Event], seat: Seat) -> SeenBattle:
    """The state as the seat sees it, built from the service's answer and the events seen so far."""
    battle = SeenBattle()
    opened = next(event for event in seen if isinstance(event, EncounterOpened))
    battle.opened = opened.model_copy(
        update={"name": state["name"], "encounter": UUID(state["encounter"]), "dice": state["dice"]}
    )
    battle.whole, battle.seat, battle.told = battle, seat, state["glances"]
    battle.seq, battle.labels = state["seq"], tuple(state["labels"])
    battle.map = _map(opened, seen)
    battle.clock = _clock(state)
    sheets = {event.combatant: event.sheet for event in seen if isinstance(event, CombatantJoined)}
    battle.combatants = {id: _combatant(id, one, sheets.get(id, {})) for id, one in state["combatants"].items()}
    battle.window = _window(state["window"], seen) if state["window"] else None
    return battle


def _order(event: InitiativeSet | SeenInitiative) -> InitiativeSet:
    if isinstance(event, InitiativeSet):
        return event
    return InitiativeSet.model_construct(**{**dict(event), "order": tuple(map(_place, event.order))})


def _place(place: SeenPlace) -> InitiativeEntry:
    return _entry(place.combatant, place.value)


def _entry(combatant: str, value: int | None) -> InitiativeEntry:
    """A place in the order, without a number if that is not seen."""
    seen: dict[str, Any] = {"combatant": combatant, "value": value}
    return InitiativeEntry.model_construct(**seen)


def _map(opened: EncounterOpened, seen: Sequence[Event]) -> tuple[str, ...] | None:
    rows = opened.map
    for event in seen:
        if isinstance(event, TerrainChanged):
            rows = with_square(rows, event.square, event.after)
    return rows


def _clock(state: State) -> Clock:
    values = {one["combatant"]: one["value"] for one in state["initiative"]}
    order = [_entry(id, values.get(id)) for id in state.get("order", values)]
    return Clock(state["round"], state["turn"], order, state["closed"])


def _combatant(id: str, one: State, sheet: dict[str, Any]) -> Combatant:
    known: dict[str, Any] = {
        "id": id,
        "name": one["name"],
        "side": one["side"],
        "controller": Controller(one["controller"]),
        "position": tuple(one["position"]) if one["position"] else None,
        "sheet": sheet,
        "vitals": {name: Vital(**vital) for name, vital in one["vitals"].items()},
        "economy": Economy({name: Resource(**resource) for name, resource in one["economy"].items()}),
        "policies": {},
        "conditions": {ref: _condition(ref, held) for ref, held in one["conditions"].items()},
        "granted": {grant["grant"]: ActionGranted.model_construct(**grant) for grant in one["granted"]},
        "piles": {name: list(cards) for name, cards in one["piles"].items()},
        "present": one["present"],
        "home": one["side"],
    }
    if "health" in one:
        return CombatantOutline(**known, health=ApparentHealth(one["health"]))
    return Combatant(**known)


def _condition(ref: str, held: State) -> Condition:
    until = Until.model_validate(held["until"]) if held["until"] else None
    return Condition(ref, held["source"], held["owner"], held["since"], until, held["level"], {})


_ASKING = (ReactionWindowOpened, ReactionChosen, ReactionDeclined)
"""After each of these events, the next reactor is asked."""


def _window(window: State, seen: Sequence[Event]) -> ReactionWindow:
    waiting = window["waiting"]
    offers = (Offer(reactor=waiting["reactor"], reactions=tuple(waiting["reactions"])),) if waiting else ()
    asked_at = next((event for event in reversed(seen) if isinstance(event, _ASKING)), seen[-1]).recorded_at
    return ReactionWindow(window["seq"], window["seq"], window["moment"], window["subject"], offers, asked_at)
