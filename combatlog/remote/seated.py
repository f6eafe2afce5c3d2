"""A fight behind a service, from a seat that does not see everything: the service tells it what it may know."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from combatlog.remote.fight import RemoteBackend
from combatlog.remote.problems import not_from_here
from combatlog.remote.received import events_of
from combatlog.remote.view import Told, battle_in
from combatlog.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from uuid import UUID

    from combatlog.documents.dice import SharedDiceData
    from combatlog.remote.wire import Answer
    from ledger.events import Data, Event, Position, ResourceChanged
    from projections.audit import Audited
    from projections.battle import Battle
    from projections.consent import Proposal
    from projections.report.models import SeenReport
    from projections.views import Seat
    from rules.content.action_reference import Entry
    from rules.engine.aiming import Aim
    from rules.engine.corrections.plan import Plan
    from rules.engine.fight import Fight as FightInMemory
    from rules.engine.outcome import Outcome
    from rules.engine.ruleset import Advice, Section
    from rules.engine.way_there import Way

GM = "gm"


class SeatedBackend(RemoteBackend):
    """Events have the seat's own numbers. Every view is the seat's own."""

    def seat(self, seat: str | Seat = GM) -> Seat:
        from ledger.errors import Problem

        own = self.ledger.seat.seat
        wanted = seat if isinstance(seat, str) else seat.words
        if wanted in (GM, own.words) or wanted in own.combatants:
            return own
        raise Problem("server/other-seat", "You see this fight from your own seat, and from no other.", seat=own.words)

    def view(self, seat: str | Seat = GM, at: int | None = None) -> SeatedView:
        return SeatedView(self, self.seat(seat), at)

    @property
    def battle(self) -> Battle:
        return self.state_after(self.history())

    def state(self, at: int | None = None) -> Battle:
        return self.state_after(self.history(at))

    def state_after(self, seen: Sequence[Event]) -> Battle:
        at = seen[-1].seq if seen else None
        return battle_in(self.wire.get(f"{self.path}/state", at=at), seen, self.ledger.seat.seat)

    def _after(self, new: Sequence[Event], seq: int) -> Battle:
        return self.state_after(self.history(seq))

    def outcome_of(self, answer: Answer, key: UUID | None) -> Outcome:
        from combatlog.remote.view import ToldOutcome

        outcome = super().outcome_of(answer, key)
        return ToldOutcome(outcome.events, outcome.state, outcome.repeated)

    def in_memory(self) -> FightInMemory:
        raise not_from_here()

    def _plan(self, make: Callable[[FightInMemory], Plan], command: UUID | None) -> NoReturn:
        """The service says whether this seat may correct anything."""
        self.wire.ask(f"{self.path}/corrections/plan", {"correction": "undo"})
        raise not_from_here()


class SeatedView(View):
    """What takes the rules is answered by the service; the rest by the events that it sent."""

    backend: SeatedBackend

    @cached_property
    def onlooker(self) -> Told:
        return Told(self.seat, self.backend.history(self.at), self.backend.state_after)

    def watcher(self) -> Told:
        return Told(self.seat, (), self.backend.state_after)

    @property
    def _record(self) -> SeatedBackend:
        return self.backend

    def _check_event(self, at: int) -> None:
        """The service does."""

    def _whole_fight(self) -> FightInMemory:
        return self.backend.in_memory()

    def _states(self) -> Callable[[int], Battle]:
        return self.backend.state

    def shared_dice(self) -> SharedDiceData:
        told: SharedDiceData = self.backend.wire.get(f"{self.backend.path}/dice")
        return told

    def actions(self, actor: str) -> list[Section]:
        from rules.engine.ruleset import Section

        return [Section.model_validate(one) for one in self._asked(actor, "actions")]

    def advise(self, actor: str) -> list[Advice]:
        from rules.engine.ruleset import Advice

        return [Advice.model_validate(one) for one in self._asked(actor, "advice")]

    def economy(self, actor: str, resources: Collection[str] = ()) -> list[ResourceChanged]:
        from ledger.events import ResourceChanged

        found = [event for event in events_of(self._asked(actor, "economy")) if isinstance(event, ResourceChanged)]
        return [change for change in found if not resources or change.resource in resources]

    def aim(self, actor: str, action: str, to: Position) -> Aim:
        from rules.engine.aiming import Aim

        return Aim.model_validate(self._asked(actor, "aim", action=action, column=to[0], row=to[1]))

    def way(self, actor: str, action: str, to: Position, *, options: Data | None = None) -> Way:
        from json import dumps

        from rules.engine.way_there import Way

        said = {"options": dumps(options)} if options else {}
        return Way.model_validate(self._asked(actor, "way", action=action, column=to[0], row=to[1], **said))

    def _asked(self, actor: str, what: str, **params: Any) -> Any:
        return self.backend.wire.get(f"{self.backend.path}/combatants/{self.who(actor)}/{what}", **params)

    def reference(self, actor: str | None = None) -> list[Entry]:
        from rules.content.action_reference import reference
        from rules.engine import ruleset as rulesets

        battle = self.battle
        found = battle.combatants.get(self.who(actor)) if actor is not None else None
        return reference(rulesets.find(battle.encounter.ruleset), found)

    def difficulty(self, side: str = "heroes") -> NoReturn:
        """It takes everybody's sheet, so the service refuses it."""
        self.backend.wire.get(f"{self.backend.path}/difficulty", side=side)
        raise not_from_here()

    def why_not(self, seq: int, name: str) -> list[str]:
        return [str(one) for one in self.backend.wire.get(f"{self.backend.path}/events/{seq}/why-not", name=name)]

    def report(self) -> SeenReport:
        from projections.report.models import SeenReport

        return SeenReport.model_validate(self.backend.wire.get(f"{self.backend.path}/report"))

    def corrections(self) -> list[Audited]:
        from projections.audit import audit_told

        return audit_told(self.seen, self.backend.state)

    def proposals(self) -> list[Proposal]:
        """What was proposed, without how it was planned."""
        from combatlog.remote.plans import proposal_in

        history = self.backend.history()
        return [proposal_in(one, history) for one in self.backend.proposals_told()]

    def proposed_plan(self) -> Plan:
        from combatlog.remote.plans import plan_in
        from rules.engine.corrections.consent import require_open

        told = self.backend.proposals_told()
        if not told or told[-1]["plan"] is None:
            require_open(None)
        return plan_in(told[-1]["plan"], self.backend.history(), self.battle)

    def seen_plan(self, plan: Plan) -> Plan:
        """It was told for this seat."""
        return plan

    def replay_document(self, *, progress: Callable[[int, int], None] = lambda done, total: None) -> Data:
        return dict(self.backend.wire.get(f"{self.backend.path}/replay"))
