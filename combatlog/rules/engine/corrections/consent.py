"""Consent to corrections: which players have to agree, what they agree to, and how each seat sees the proposal.

A seat sees the plan as it would see the fight after the correction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import takewhile
from typing import Annotated, Any, ClassVar, Self
from uuid import UUID

from pydantic import Field
from typing_extensions import TypedDict

from combatlog.rules.engine.commands import GM
from combatlog.rules.engine.corrections.plan import (
    UNDECIDED,
    DiceNeeded,
    EventChange,
    Plan,
    PlanData,
    PlanEntry,
    PlanVerdict,
)
from combatlog.rules.engine.dice.dice_notation import parse
from combatlog.rules.engine.refusal import Refusal, listing
from ledger.events import AreaAffected, Commanded, Data, Declared, Event, Rolled
from ledger.json_shapes import JsonShape
from projections.battle.consent import ABOUT_CONSENT, PROPOSE, Proposal, needs_table
from projections.battle.fold import Battle
from projections.battle.journal import copy_of
from projections.battle.timeline import Correction
from projections.review.difference import Difference, differences
from projections.views import SeatView
from projections.views.seats import Seat


def affected(plan: Plan) -> list[str]:
    """The players' combatants that the plan changes, or that act in or are targets of a changed declaration."""
    changed = {change.who for change in _changes(plan)} | plan.affects
    changed |= {entry.declared.actor for entry in plan.entries if entry.verdict is not PlanVerdict.KEPT}
    changed |= {
        target for entry in plan.entries if entry.verdict is not PlanVerdict.KEPT for target in entry.declared.targets
    }
    return [
        one.id
        for one in plan.before.combatants.values()
        if one.id in changed and one.present and one.controller == "player"
    ]


def summary(plan: Plan) -> Data:
    """What the players agree to, so that it can be compared with what the plan would do later.

    For a correction, that is what it changes; for a command, what it declares.
    """
    if not isinstance(plan.correction, Correction):
        return {"declared": [_said(entry.declared) for entry in plan.entries], "asked": affected(plan)}
    return {
        "declarations": [
            [entry.declared.seq, entry.verdict.value]
            for entry in plan.entries
            if entry.declared.action not in ABOUT_CONSENT
        ],
        "changes": [change.to_json() for change in _changes(plan)],
    }


def _said(declared: Declared) -> list[Any]:
    """The options are left out: they are part of the message, which cannot change."""
    place = list(declared.destination) if declared.destination is not None else None
    return [declared.actor, declared.action, list(declared.targets), place, declared.weapon]


def does_the_same(agreed: Data, now: Data) -> bool:
    """Whether the plan would still do what was agreed to. Declarations that it leaves alone may have been added."""
    if "declared" in agreed:
        return bool(agreed["declared"] == now["declared"] and set(now["asked"]) <= set(agreed["asked"]))
    return _done(agreed) == _done(now)


def _done(summed_up: Data) -> tuple[object, object]:
    declarations = [entry for entry in summed_up["declarations"] if entry[1] != PlanVerdict.KEPT.value]
    return declarations, summed_up["changes"]


def _changes(plan: Plan) -> list[Difference]:
    return plan.state_changes() if plan.needs is None else []


def require_consent(plan: Plan) -> None:
    """Refuse a correction that needs the players' consent."""
    if plan.repeated or not needs_table(plan.before):
        return
    asked = affected(plan)
    if asked:
        sentence = f"In this fight, corrections need the consent of those they affect: {listing(asked)}."
        raise Refusal("consent/needed", sentence, asked=asked)


def require_open(proposal: Proposal | None) -> Proposal:
    if proposal is None or proposal.applied:
        raise Refusal("consent/nothing", "Nothing is proposed.")
    return proposal


def require_same(proposal: Proposal | None, meant: int | None) -> Proposal | None:
    """Refuse an answer to a proposal that has been replaced. The seq is not shown: seats count events differently."""
    if meant is not None and proposal is not None and proposal.seq != meant:
        raise Refusal("consent/other", "Another proposal has replaced this one; look at it and decide again.")
    return proposal


def require_asked(proposal: Proposal, who: str) -> None:
    if proposal.refused:
        refused = [name for name, agrees in proposal.answers.items() if not agrees]
        raise Refusal("consent/refused", f"{listing(refused)} did not agree, so nothing changes.", asked=refused)
    if who not in proposal.asked:
        sentence = f"{who} is not asked; {listing(list(proposal.asked))} are."
        raise Refusal("consent/not-asked", sentence, who=who, asked=list(proposal.asked))
    if who in proposal.answers:
        raise Refusal("consent/answered", f"{who} has already answered.", who=who)


class ProposalData(TypedDict):
    proposal: Annotated[int | None, Field(description="seq of the proposal; null: there is none")]
    correction: Annotated[str | None, Field(description="the proposed message: `undo`, `hurt` ...")]
    asked: Annotated[list[str], Field(description="the combatants whose players have to agree")]
    answers: Annotated[dict[str, bool], Field(description="whether they agree, by combatant")]
    open: Annotated[bool, Field(description="false: it was applied, refused or replaced by another proposal")]
    overruled: Annotated[bool, Field(description="whether the GM applied it without the players' consent")]
    applied: bool
    plan: Annotated[PlanData | None, Field(description="what it would do now")]


@dataclass(frozen=True, slots=True)
class ProposalView(JsonShape):
    document: ClassVar = ProposalData

    seq: int | None
    """Its number, as the seat counts events; None: nothing is proposed."""
    message: str | None = None
    """The name of the proposed message."""
    asked: tuple[str, ...] = ()
    """The combatants whose players have to agree, as far as the seat sees them."""
    answers: Mapping[str, bool] = field(default_factory=dict)
    is_open: bool = False
    overruled: bool = False
    applied: bool = False
    plan: Plan | None = None
    """What it would do now; None unless it is the latest proposal and was not applied."""

    @property
    def waiting(self) -> list[str]:
        return [who for who in self.asked if who not in self.answers]

    @property
    def agreed(self) -> bool:
        """Whether it can be applied: all players have agreed, or the GM overruled them."""
        return self.overruled or all(self.answers.get(who) for who in self.asked)

    def to_json(self) -> ProposalData:
        return {
            "proposal": self.seq,
            "correction": self.message,
            "asked": list(self.asked),
            "answers": dict(self.answers),
            "open": self.is_open,
            "overruled": self.overruled,
            "applied": self.applied,
            "plan": self.plan.to_json() if self.plan is not None else None,
        }

    @classmethod
    def from_json(cls, data: ProposalData) -> Self:
        plan = Plan.from_json(data["plan"]) if data["plan"] is not None else None
        asked, answers, overruled = tuple(data["asked"]), data["answers"], data["overruled"]
        return cls(data["proposal"], data["correction"], asked, answers, data["open"], overruled, data["applied"], plan)


_NEVER = datetime(1, 1, 1, tzinfo=UTC)


def plan_of_command(before: Battle, imagined: Sequence[Event], named: frozenset[str]) -> Plan:
    """The plan of a command, from a dry run with assumed dice. Nothing after the first roll is shown.

    It affects the combatants that the command names, those that it would change, and those in its area.
    """
    new = [event for event in imagined if event.seq > before.seq]
    certain = list(takewhile(lambda event: not isinstance(event, Rolled), new))
    changed = {change.who for change in differences(before, _after(before, new)) if change.who is not None}
    caught = {who for event in new if isinstance(event, AreaAffected) for who in event.caught}
    root = next((event for event in imagined if isinstance(event, Commanded)), None) or nothing(before, before.seq)
    return Plan(
        root,
        [_command_entry(event, before) for event in imagined if isinstance(event, Declared)],
        certain,
        before,
        _after(before, certain),
        needs=_dice(new),
        affects=named | changed | caught,
    )


def plan_of_nothing(before: Battle, refusal: Refusal) -> Plan:
    """The plan of a command that is not possible now."""
    return Plan(nothing(before, before.seq), [], [], before, before, undecided=refusal)


def _command_entry(declared: Declared, before: Battle) -> PlanEntry:
    """If the command is an answer, the declaration is already on record and changes."""
    return PlanEntry(declared, PlanVerdict.PROPOSED if declared.seq > before.seq else PlanVerdict.CHANGED)


def _after(before: Battle, events: Sequence[Event]) -> Battle:
    battle = copy_of(before)
    for event in events:
        battle.apply(event)
    return battle


def _dice(events: Sequence[Event]) -> DiceNeeded | None:
    roll = next((event for event in events if isinstance(event, Rolled)), None)
    if roll is None:
        return None
    return DiceNeeded(roll.declaration, roll.purpose, tuple(die.name for die in parse(roll.notation).dice))


def nothing(before: Battle, last: int) -> Declared:
    """A placeholder for a hidden declaration: it reveals only that something is proposed."""
    seq = last + 1
    return Declared(
        encounter=before.id, seq=seq, declaration=seq, recorded_at=_NEVER, command=UUID(int=0), actor=GM, action=PROPOSE
    )


def seen_plan(plan: Plan, history: Sequence[Event], seat: Seat) -> Plan:
    """The plan as the seat may see it, with the seat's own event numbers and without declarations hidden from it."""
    if seat.sees_all:
        return plan
    seen = SeatView(seat)
    known: dict[int, Event | None] = {}
    for event in history:
        known[event.seq] = seen.see(event)
    before = deepcopy(seen.battle)
    for event in plan.new:
        known[event.seq] = seen.see(event)
    return replace(
        plan,
        correction=_correction(plan, known.get(plan.correction.seq), seen),
        entries=[planned for entry in plan.entries if (planned := _entry(entry, known)) is not None],
        new=[seen_event for event in plan.new if (seen_event := known[event.seq]) is not None],
        before=before,
        after=seen.battle,
        needs=_needs(plan, known),
        undecided=_undecided(plan),
        affects=frozenset(),
        roll=None,
    )


def _correction(plan: Plan, seen: Event | None, onlooker: SeatView) -> Commanded:
    """The root event as the seat sees it; if it is hidden, a copy that reveals only that something would happen."""
    if isinstance(seen, Commanded):
        return seen
    if not isinstance(plan.correction, Correction):
        return nothing(plan.before, onlooker.last)
    unseen = {"command": UUID(int=0), "reason": "", "seq": onlooker.last + 1, "declaration": onlooker.last + 1}
    emptied = {name: () for name in ("retracts", "places") if name in type(plan.correction).model_fields}
    return plan.correction.model_copy(update=unseen | emptied)


def _entry(entry: PlanEntry, known: Mapping[int, Event | None]) -> PlanEntry | None:
    declared = known.get(entry.declared.seq)
    if not isinstance(declared, Declared):
        return None
    replaced = known.get(entry.replaced_by) if entry.replaced_by is not None else None
    changes = [_change(change, known) for change in entry.changes]
    return PlanEntry(
        declared,
        entry.verdict,
        None,
        [change for change in changes if not _is_nothing(change)],
        replaced.seq if replaced is not None else None,
    )


def _change(change: EventChange, known: Mapping[int, Event | None]) -> EventChange:
    return EventChange(
        *(known.get(event.seq) if event is not None else None for event in (change.recorded, change.now))
    )


_ENVELOPE = {"seq", "declaration", "cause", "recorded_at", "command", "window", "grant"}


def _is_nothing(change: EventChange) -> bool:
    """Whether the seat sees no difference."""
    was, now = (event.model_dump(exclude=_ENVELOPE) if event else None for event in (change.recorded, change.now))
    return was == now


def _needs(plan: Plan, known: Mapping[int, Event | None]) -> DiceNeeded | None:
    """The dice that a correction needs, if the seat sees their declaration. Dice of a command are never shown."""
    needs = plan.needs if isinstance(plan.correction, Correction) else None
    declared = known.get(needs.declaration) if needs is not None else None
    if needs is None or declared is None:
        return None
    return replace(needs, declaration=declared.seq)


def _undecided(plan: Plan) -> Refusal | None:
    """The refusal without its reason, because the reason may involve a combatant that the seat does not see."""
    refusal = plan.undecided
    if refusal is None:
        return None
    if not isinstance(plan.correction, Correction):
        return Refusal("consent/impossible", "The proposed action is not possible now.")
    return Refusal(refusal.code, UNDECIDED)
