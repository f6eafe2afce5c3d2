"""Reading a fight: what happened, why, what is possible now, and what was corrected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from combatlog.base import Kept

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from ledger.events import Data, Event, Position, ResourceChanged
    from projections.audit import Audited
    from projections.comparison import Comparison
    from projections.explanation import Explanation
    from projections.report.models import FightReport
    from projections.views import Onlooker, Seat
    from rules.content.action_reference import Entry
    from rules.content.bestiary import Difficulty
    from rules.engine.aiming import Aim
    from rules.engine.ruleset import Advice, Section


class Reading(Kept):
    def who(self, name: str) -> str:
        """The id of the combatant that a name stands for: its id, its name in any case, or the unique beginning of a
        word of it. Every command and question takes names like that."""
        from rules.engine.naming import known_id

        return known_id(self.battle, name)

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
    ) -> list[Event]:
        """The events from `first` to `last`: of one actor's declarations, or of some kinds, if these are given.

        In the order in which they were recorded or, with `standing`, in the order in which they happened in the fight,
        without those that a correction took back.
        """
        from projections.selection import Selection
        from projections.timeline import standing as counting

        history, actor = self.history(last), self.who(actor) if actor is not None else None
        return Selection(first, actor=actor, kinds=kinds).events(counting(history) if standing else history)

    def seen_by(self, seat: str | Seat, upto: int | None = None) -> Onlooker:
        """The fight as somebody sees it from a seat: `gm`, `players`, `players:SIDE`, `player:NAME,NAME`, `spectator`
        or `auditor`. Now, or after the event `upto`.

        Its `seen` are the events, `battle` is the state, and `cast` knows the names for sentences about them.
        """
        from projections.views import Onlooker

        return Onlooker(self.seat(seat), self.history(upto))

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

        from projections.views.seats import Seat

        found = Seat.read(seat) if isinstance(seat, str) else seat
        return replace(found, combatants=frozenset(map(self.who, found.combatants)))

    def latest_declarations(self, count: int) -> list[Event]:
        """The last events, from so many declarations ago. However long the fight is, few others are read."""
        size = 16 * count
        while True:
            events = self.latest(size)
            begun = [place for place, event in enumerate(events) if event.seq == event.declaration]
            if len(begun) >= count or len(events) < size:
                return events[begun[-count] if len(begun) >= count else 0 :]
            size *= 4

    def aim(self, actor: str, action: str, to: Position) -> Aim:
        """Whom an area would catch if it were aimed at a square: the squares, and everybody in it, friend or foe.

        Nothing is declared, and it need not be the actor's turn.
        """
        fight = self._in_memory()
        combatant = fight.battle.combatants[self.who(actor)]
        return fight.ruleset.aim(fight.battle, combatant, fight.ruleset.action_ref(action, combatant), to)

    def actions(self, actor: str) -> list[Section]:
        """What a combatant can do: each with its cost and, if it cannot be done now, why not."""
        from rules.engine.menu import menu_of

        return menu_of(self._in_memory(), self.who(actor))

    def reference(self, actor: str | None = None) -> list[Entry]:
        """What can be declared and answered under the fight's ruleset, with options; for one combatant, if given."""
        from rules.content.action_reference import reference

        fight = self._in_memory()
        return reference(fight.ruleset, fight.battle.combatants.get(self.who(actor)) if actor is not None else None)

    def advise(self, actor: str) -> list[Advice]:
        """Which choices fit a combatant's situation, the best first."""
        from rules.engine.menu import advice_for

        return advice_for(self._in_memory(), self.who(actor))

    def economy(self, actor: str, resources: Collection[str] = ()) -> list[ResourceChanged]:
        """How a combatant's resources changed, oldest first."""
        from rules.engine.menu import history_of

        return history_of(self._in_memory().battle, self.history(), self.who(actor), resources)

    def explain(self, seq: int) -> Explanation:
        """Why an event is what it is: the declaration, every modifier, every die, and what it changed."""
        from projections.explanation import explain

        return explain(self.history(), seq)

    def why_not(self, seq: int, name: str) -> list[str]:
        """What kept a reaction or modifier out of the declaration that an event belongs to, in sentences."""
        from rules.engine.why_not import why_not

        return why_not(self.history(), seq, name)

    def corrections(self) -> list[Audited]:
        """Who corrected what, when and why, and what it changed."""
        from projections.audit import audit

        return audit(self.history())

    def report(self) -> FightReport:
        """The fight in numbers: who won, who did what, who fell, what turned it, who was lucky, what was corrected."""
        from ledger.events import EncounterOpened
        from projections.report.fight import report_of
        from rules.engine import ruleset as rulesets

        events = self.history()
        opened = next(event for event in events if isinstance(event, EncounterOpened))
        return report_of(events, rulesets.find(opened.ruleset))

    def diff(self, other: Reading, at: int | None = None, other_at: int | None = None) -> Comparison:
        """How this fight differs from another one, or from itself at another moment: events and state."""
        from projections.comparison import compare_histories

        return compare_histories(self.history(at), other.history(other_at))
