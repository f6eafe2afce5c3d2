"""Reading a fight: what happened, why, what is possible now, and what was corrected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from combatlog.base import Kept

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from ledger.events import Data, Event, Position, ResourceChanged
    from projections.audit import Audited
    from projections.battle import Battle
    from projections.comparison import Comparison
    from projections.explanation import Explanation
    from projections.replay import Replay
    from projections.report.models import FightReport, SeenReport
    from projections.views import Onlooker, Seat
    from rules.content.action_reference import Entry
    from rules.content.bestiary import Difficulty
    from rules.engine.aiming import Aim
    from rules.engine.corrections.plan import Plan
    from rules.engine.ruleset import Advice, Section
    from rules.engine.way_there import Way

GM = "gm"


class Reading(Kept):
    """What is asked about a fight is answered for the `seat` that is named: by default `gm`, who sees everything.

    Whoever does not see everything counts what it sees, so its events have numbers of their own; questions about an
    event take them. Names of those who are not seen are names of nobody.
    """

    def who(self, name: str, seat: str | Seat = GM) -> str:
        """The id of the combatant that a name stands for: its id, its name in any case, or the unique beginning of a
        word of it. Every command and question takes names like that."""
        from rules.engine.naming import known_id

        seen = self._seen(seat)
        return known_id(self.battle if seen is None else seen.battle, name)

    def _seen(self, seat: str | Seat) -> Onlooker | None:
        """What a seat sees; None: everything."""
        if seat == GM:
            return None
        chosen = self.seat(seat)
        return None if chosen.sees_all else self.seen_by(chosen)

    def difficulty(self, side: str = "heroes") -> Difficulty:
        """How hard the fight is for the characters of a side, by the experience points of the others."""
        from rules.engine import ruleset as rulesets
        from rules.engine.refusal import Refusal

        rules = rulesets.find(self.battle.encounter.ruleset)
        if rules.bestiary is None:
            raise Refusal("bestiary/none", f"{rules.name} has no bestiary.", ruleset=rules.name)
        return rules.bestiary.difficulty(self.battle, side)

    def events(
        self,
        first: int = 1,
        last: int | None = None,
        *,
        actor: str | None = None,
        kinds: Collection[str] = (),
        standing: bool = False,
        seat: str | Seat = GM,
    ) -> list[Event]:
        """The events from `first` to `last`: of one actor's declarations, or of some kinds, if these are given.

        In the order in which they were recorded or, with `standing`, in the order in which they happened in the fight,
        without those that a correction took back.
        """
        from projections.selection import Selection
        from projections.timeline import standing as counting

        seen = self._seen(seat)
        history = self.history(last) if seen is None else seen.seen[:last]
        actor = self.who(actor, seat) if actor is not None else None
        return Selection(first, actor=actor, kinds=kinds).events(counting(history) if standing else history)

    def seen_by(self, seat: str | Seat, upto: int | None = None) -> Onlooker:
        """The fight as somebody sees it from a seat: `gm`, `players`, `players:SIDE`, `player:NAME,NAME`, `spectator`
        or `auditor`; or just the name of a combatant. Now, or after the event that has the number `upto` there.

        Its `seen` are the events, `battle` is the state, and `cast` knows the names for sentences about them.
        """
        from projections.views import Onlooker

        chosen = self.seat(seat)
        return Onlooker.until(chosen, self.history(upto if chosen.sees_all else None), upto)

    def replay_page(
        self, seat: str | Seat = "gm", *, progress: Callable[[int, int], None] = lambda done, total: None
    ) -> str:
        """The fight to step through, as one HTML file that needs no network; from a seat, as in `seen_by`.

        It holds nothing that the seat may not see. `progress` is called with how many events of how many are done.
        """
        from combatlog.web.page import replay_page

        return replay_page(self.replay_document(seat, progress=progress))

    def replay_document(
        self, seat: str | Seat = "gm", *, progress: Callable[[int, int], None] = lambda done, total: None
    ) -> Data:
        """The data of `replay_page`: events in words, and the changes of the state with each of them."""
        from combatlog.web.document import replay_document

        chosen = self.seat(seat)
        return replay_document(self.history(), chosen, checked=self._checked(chosen), progress=progress)

    def _checked(self, seat: Seat) -> Data | None:
        """What verifying the fight found, as far as the seat may know; None: it cannot be verified where it is kept."""
        return None

    def seat(self, seat: str | Seat) -> Seat:
        """A seat in this fight, with the ids of the combatants that it names."""
        from dataclasses import replace

        found = self._named_seat(seat) if isinstance(seat, str) else seat
        if not found.combatants:
            return found
        from rules.engine.naming import known_id

        return replace(found, combatants=frozenset(known_id(self.battle, name) for name in found.combatants))

    def _named_seat(self, text: str) -> Seat:
        """The name of a combatant is the seat of whoever plays it."""
        from projections.views.seats import Role, Seat

        if Seat.names_a_role(text):
            return Seat.read(text)
        from rules.engine.naming import id_of

        found = id_of(self.battle, text)
        return Seat(Role.PLAYER, frozenset({found})) if found in self.battle.combatants else Seat.read(text)

    def latest_declarations(self, count: int) -> list[Event]:
        """The last events, from so many declarations ago. However long the fight is, few others are read."""
        size = 16 * count
        while True:
            events = self.latest(size)
            begun = [place for place, event in enumerate(events) if event.seq == event.declaration]
            if len(begun) >= count or len(events) < size:
                return events[begun[-count] if len(begun) >= count else 0 :]
            size *= 4

    def aim(self, actor: str, action: str, to: Position, seat: str | Seat = GM) -> Aim:
        """Whom an area would catch if it were aimed at a square: the squares, and everybody in it, friend or foe.

        Nothing is declared, and it need not be the actor's turn.
        """
        if (seen := self._seen(seat)) is not None:
            from rules.engine.from_a_seat import aim_from

            return aim_from(seen, actor, action, to)
        fight = self._in_memory()
        combatant = fight.battle.combatants[self.who(actor)]
        return fight.ruleset.aim(fight.battle, combatant, fight.ruleset.action_ref(action, combatant), to)

    def way(self, actor: str, action: str, to: Position, seat: str | Seat = GM, *, options: Data | None = None) -> Way:
        """How somebody would get to a square: each step, what it costs, and who could react on the way.

        Nothing is declared. It is refused if the declaration would be.
        """
        if (seen := self._seen(seat)) is not None:
            from rules.engine.from_a_seat import way_from

            return way_from(seen, actor, action, to, options)
        from rules.engine.way_there import way_there

        return way_there(self._in_memory(), self.who(actor), action, to, options)

    def actions(self, actor: str, seat: str | Seat = GM) -> list[Section]:
        """What a combatant can do: each with its cost and, if it cannot be done now, why not.

        Players may ask about their own. They are not told the chances to hit others."""
        if (seen := self._seen(seat)) is not None:
            from rules.engine.from_a_seat import menu_from

            return menu_from(seen, actor)
        from rules.engine.menu import menu_of

        return menu_of(self._in_memory(), self.who(actor))

    def reference(self, actor: str | None = None, seat: str | Seat = GM) -> list[Entry]:
        """What can be declared and answered under the fight's ruleset, with options; for one combatant, if given."""
        from rules.content.action_reference import reference

        fight = self._in_memory()
        if actor is None:
            return reference(fight.ruleset, None)
        return reference(fight.ruleset, fight.battle.combatants.get(self._own(actor, seat)))

    def _own(self, name: str, seat: str | Seat) -> str:
        """The id of a combatant that a seat may know everything about."""
        from rules.engine.from_a_seat import own_id

        seen = self._seen(seat)
        return self.who(name) if seen is None else own_id(seen, name)

    def advise(self, actor: str, seat: str | Seat = GM) -> list[Advice]:
        """Which choices fit a combatant's situation, the best first.

        For players, opponents are taken to be ordinary: nothing is known of them but how they look."""
        if (seen := self._seen(seat)) is not None:
            from rules.engine.from_a_seat import advice_from

            return advice_from(seen, actor)
        from rules.engine.menu import advice_for

        return advice_for(self._in_memory(), self.who(actor))

    def economy(self, actor: str, resources: Collection[str] = (), seat: str | Seat = GM) -> list[ResourceChanged]:
        """How a combatant's resources changed, oldest first."""
        from rules.engine.menu import history_of

        if (seen := self._seen(seat)) is not None:
            return history_of(seen.battle, seen.seen, self._own(actor, seat), resources)
        return history_of(self._in_memory().battle, self.history(), self.who(actor), resources)

    def explain(self, seq: int, seat: str | Seat = GM) -> Explanation:
        """Why an event is what it is: the declaration, every modifier, every die, and what it changed."""
        from dataclasses import replace

        from projections.explanation import explain

        if (seen := self._seen(seat)) is not None:
            return replace(explain(seen.seen, seq), cast=seen.cast)
        return explain(self.history(), seq)

    def why_not(self, seq: int, name: str, seat: str | Seat = GM) -> list[str]:
        """What kept a reaction or modifier out of the declaration that an event belongs to, in sentences."""
        if (seen := self._seen(seat)) is not None:
            from rules.engine.from_a_seat import why_not_from

            return why_not_from(seen, seq, name)
        from rules.engine.why_not import why_not

        return why_not(self.history(), seq, name)

    def corrections(self, seat: str | Seat = GM) -> list[Audited]:
        """Who corrected what, when and why, and what it changed."""
        from projections.audit import audit, audit_seen

        chosen = self.seat(seat)
        return audit(self.history()) if chosen.sees_all else audit_seen(self.history(), chosen)

    def seen_plan(self, plan: Plan, seat: str | Seat) -> Plan:
        """The plan of a correction as a seat sees it, with its numbers: for showing, not for applying."""
        from rules.engine.corrections.seen_plan import seen_plan

        return seen_plan(plan, self.history(), self.seat(seat))

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
        """The fight to step through: its events, the state after each, and the story that they belong to."""
        from projections.cast import Cast
        from projections.replay import Replay
        from projections.selection import Selection
        from projections.views import Onlooker

        chosen, history = self.seat(seat), self.history()
        seen = Onlooker(chosen, history)
        events, cast = (history, Cast.of(history)) if chosen.sees_all else (seen.seen, seen.cast)
        Selection(first, last, actor, kinds).check(cast, len(events))

        def state(number: int) -> Battle:
            return Onlooker(chosen, history[: seen.recorded(number)]).battle

        return Replay(
            events,
            first=first,
            last=last,
            actor=actor,
            kinds=kinds,
            with_undone=undone,
            cast=cast,
            state=None if chosen.sees_all else state,
        )

    def seen_report(self, seat: str | Seat) -> SeenReport:
        """The fight in numbers from a seat that does not see everything: of nothing but what it saw."""
        from projections.report.seen import seen_report

        return seen_report(self.seen_by(seat))

    def report(self) -> FightReport:
        """The fight in numbers: who won, who did what, who fell, what turned it, who was lucky, what was corrected."""
        from ledger.events import EncounterOpened
        from projections.report.fight import report_of
        from rules.engine import ruleset as rulesets

        events = self.history()
        opened = next(event for event in events if isinstance(event, EncounterOpened))
        return report_of(events, rulesets.find(opened.ruleset))

    def diff(
        self, other: Reading, at: int | None = None, other_at: int | None = None, seat: str | Seat = GM
    ) -> Comparison:
        """How this fight differs from another one, or from itself at another moment: events and state."""
        from projections.comparison import compare_histories, compare_seen

        chosen = self.seat(seat)
        if not chosen.sees_all:
            return compare_seen(self.seen_by(chosen, at), other.seen_by(chosen, other_at))
        return compare_histories(self.history(at), other.history(other_at))
