"""Plans and proposals as a service tells a seat of them: for showing, not for applying."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter

from combatlog.remote.received import events_of
from ledger.events import Commanded, Declared, Event
from projections.battle import Battle
from projections.consent import Proposal
from projections.difference import Difference
from rules.engine.corrections.plan import DiceNeeded, Entry, EventChange, Plan, Verdict

Told = Mapping[str, Any]


@dataclass(slots=True)
class ToldPlan(Plan):
    told: list[Difference] = field(default_factory=list)
    """What it would change, as the seat sees it."""

    def state_changes(self) -> list[Difference]:
        return self.told


def plan_in(data: Told, seen: Sequence[Event], battle: Battle) -> ToldPlan:
    correction = events_of([data["correction"]])[0]
    assert isinstance(correction, Commanded)
    declared = {event.seq: event for event in seen if isinstance(event, Declared)}
    needs = data["needs"]
    return ToldPlan(
        correction,
        [_entry(one, declared[one["seq"]]) for one in data["declarations"] if one["seq"] in declared],
        [],
        battle,
        battle,
        dice_added=data["dice_added"],
        repeated=data["repeated"],
        needs=DiceNeeded(needs["declaration"], needs["purpose"], tuple(needs["dice"])) if needs else None,
        told=TypeAdapter(list[Difference]).validate_python(data["state"]),
    )


def _entry(told: Told, declared: Declared) -> Entry:
    changes = [EventChange(_event(one["recorded"]), _event(one["now"])) for one in told["changes"]]
    return Entry(declared, Verdict(told["verdict"]), told["why"], changes, told["replaced_by"])


def _event(data: Told | None) -> Event | None:
    return events_of([data])[0] if data is not None else None


def proposal_in(told: Told, seen: Sequence[Event]) -> Proposal:
    """A proposal, and how it was declared, without how it was planned."""
    declared = next(event for event in seen if isinstance(event, Declared) and event.seq == told["proposal"])
    known = {"message": told["correction"], "fields": {}, "plan": {}}
    whole = declared.model_copy(update={"targets": tuple(told["asked"]), "options": known})
    return Proposal(whole, dict(told["answers"]), told["overruled"], told["applied"])
