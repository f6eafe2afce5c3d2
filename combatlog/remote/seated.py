"""A fight behind a service, from a seat that does not see everything: the service tells it what it may know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from combatlog.remote.fight import RemoteFight
from combatlog.remote.problems import not_from_here
from combatlog.remote.received import events_of
from combatlog.remote.view import Told, battle_in

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from uuid import UUID

    from combatlog.remote.wire import Answer
    from combatlog.watching import Watching
    from ledger.events import Data, Event, Position, ResourceChanged
    from projections.audit import Audited
    from projections.battle import Battle
    from projections.consent import Proposal
    from projections.replay import Replay
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


class SeatedFight(RemoteFight):
    """Events have the seat's own numbers. Whatever seat a question names by default, it is this one."""

    # Whose eyes

    def seat(self, seat: str | Seat = GM) -> Seat:
        from ledger.errors import Problem

        own = self.ledger.seat.seat
        wanted = seat if isinstance(seat, str) else seat.words
        if wanted in (GM, own.words) or wanted in own.combatants:
            return own
        raise Problem("server/other-seat", "You see this fight from your own seat, and from no other.", seat=own.words)

    def seen_by(self, seat: str | Seat, upto: int | None = None) -> Told:
        return Told(self.seat(seat), self.history(upto), self._state_after)

    def _seen(self, seat: str | Seat) -> Told:
        return self.seen_by(seat)

    def watch(self, seat: str | Seat = GM) -> Watching:
        watching = super().watch(seat)
        watching.onlooker = Told(self.seat(seat), (), self._state_after)
        return watching

    # Where it is kept

    @property
    def battle(self) -> Battle:
        return self._state_after(self.history())

    def state(self, at: int | None = None) -> Battle:
        return self._state_after(self.history(at))

    def _state_after(self, seen: Sequence[Event]) -> Battle:
        at = seen[-1].seq if seen else None
        return battle_in(self.wire.get(f"{self._path}/state", at=at), seen, self.ledger.seat.seat)

    def _after(self, new: Sequence[Event], seq: int) -> Battle:
        return self._state_after(self.history(seq))

    def outcome_of(self, answer: Answer, command: UUID | None) -> Outcome:
        from combatlog.remote.view import ToldOutcome

        outcome = super().outcome_of(answer, command)
        return ToldOutcome(outcome.events, outcome.state, outcome.repeated)

    def _in_memory(self) -> FightInMemory:
        raise not_from_here()

    def _plan(self, make: Callable[[FightInMemory], Plan], command: UUID | None) -> NoReturn:
        """The service says whether this seat may correct anything."""
        self.wire.ask(f"{self._path}/corrections/plan", {"correction": "undo"})
        raise not_from_here()

    # Consent

    def proposal(self) -> Proposal | None:
        """What was proposed last, without how it was planned."""
        from combatlog.remote.plans import proposal_in

        told = self.proposals_told()
        return proposal_in(told[-1], self.history()) if told else None

    def proposed_plan(self) -> Plan:
        from combatlog.remote.plans import plan_in
        from rules.engine.corrections.consent import require_open

        told = self.proposals_told()
        if not told or told[-1]["plan"] is None:
            require_open(None)
        return plan_in(told[-1]["plan"], self.history(), self.battle)

    def seen_plan(self, plan: Plan, seat: str | Seat) -> Plan:
        """It was told for this seat."""
        return plan

    def carry_out(self) -> NoReturn:
        raise not_from_here()

    # Questions

    def actions(self, actor: str, seat: str | Seat = GM) -> list[Section]:
        from rules.engine.ruleset import Section

        return [Section.model_validate(one) for one in self._asked(actor, "actions")]

    def advise(self, actor: str, seat: str | Seat = GM) -> list[Advice]:
        from rules.engine.ruleset import Advice

        return [Advice.model_validate(one) for one in self._asked(actor, "advice")]

    def economy(self, actor: str, resources: Collection[str] = (), seat: str | Seat = GM) -> list[ResourceChanged]:
        from ledger.events import ResourceChanged

        found = [event for event in events_of(self._asked(actor, "economy")) if isinstance(event, ResourceChanged)]
        return [change for change in found if not resources or change.resource in resources]

    def aim(self, actor: str, action: str, to: Position, seat: str | Seat = GM) -> Aim:
        from rules.engine.aiming import Aim

        return Aim.model_validate(self._asked(actor, "aim", action=action, column=to[0], row=to[1]))

    def way(self, actor: str, action: str, to: Position, seat: str | Seat = GM, *, options: Data | None = None) -> Way:
        from json import dumps

        from rules.engine.way_there import Way

        said = {"options": dumps(options)} if options else {}
        return Way.model_validate(self._asked(actor, "way", action=action, column=to[0], row=to[1], **said))

    def _asked(self, actor: str, what: str, **params: Any) -> Any:
        return self.wire.get(f"{self._path}/combatants/{self.who(actor)}/{what}", **params)

    def reference(self, actor: str | None = None, seat: str | Seat = GM) -> list[Entry]:
        from rules.content.action_reference import reference
        from rules.engine import ruleset as rulesets

        battle = self.battle
        found = battle.combatants.get(self.who(actor)) if actor is not None else None
        return reference(rulesets.find(battle.encounter.ruleset), found)

    def difficulty(self, side: str = "heroes") -> NoReturn:
        """It takes everybody's sheet, so the service refuses it."""
        self.wire.get(f"{self._path}/difficulty", side=side)
        raise not_from_here()

    def why_not(self, seq: int, name: str, seat: str | Seat = GM) -> list[str]:
        return [str(one) for one in self.wire.get(f"{self._path}/events/{seq}/why-not", name=name)]

    def seen_report(self, seat: str | Seat) -> SeenReport:
        from projections.report.models import SeenReport

        return SeenReport.model_validate(self.wire.get(f"{self._path}/report"))

    def export_seen(self, seat: str | Seat) -> Iterator[str]:
        self.seat(seat)
        yield from self.wire.text(f"{self._path}/export").splitlines()

    def corrections(self, seat: str | Seat = GM) -> list[Audited]:
        from projections.audit import audit_told

        return audit_told(self.history(), lambda number: self.state(number))

    def replay(
        self,
        first: int = 1,
        last: int | None = None,
        *,
        actor: str | None = None,
        kinds: Collection[str] = (),
        undone: bool = True,
        seat: str | Seat = GM,
    ) -> Replay:
        from projections.replay import Replay
        from projections.selection import Selection

        told = self.seen_by(seat)
        Selection(first, last, actor, kinds).check(told.cast, len(told.seen))
        return Replay(
            told.seen,
            first=first,
            last=last,
            actor=actor,
            kinds=kinds,
            with_undone=undone,
            cast=told.cast,
            state=lambda number: self.state(number),
        )

    def replay_document(
        self, seat: str | Seat = GM, *, progress: Callable[[int, int], None] = lambda done, total: None
    ) -> Data:
        self.seat(seat)
        return dict(self.wire.get(f"{self._path}/replay"))
