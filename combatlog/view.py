"""A fight as one seat sees it, with every question about it. `fight.seen_by("players")` gives such a view."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from combatlog.argument_checks import ChecksArguments
from combatlog.backend import Backend, RecordBackend
from combatlog.messages import made
from ledger.errors import Problem
from projections.battle.timeline import standing as counting

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from combatlog.follow import Watching
    from combatlog.messages.fight_questions import FightQuestion
    from combatlog.messages.message import Count
    from combatlog.rules.content.bestiary import Difficulty
    from combatlog.rules.content.reference import MenuSection, ReferenceEntry
    from combatlog.rules.engine.commands import Declaration, Reply
    from combatlog.rules.engine.corrections.consent import ProposalView
    from combatlog.rules.engine.corrections.plan import Plan
    from combatlog.rules.engine.grid.pathfinding import MovePreview
    from combatlog.rules.engine.resolution.dry_run import Foreseen
    from combatlog.rules.engine.resolution.fight_engine import FightEngine as FightInMemory
    from combatlog.rules.engine.ruleset_types import Advice, AreaPreview
    from combatlog.rules.verification.verify import VerificationReport
    from ledger.events import Data, Event, Face, Position, ResourceChanged
    from projections.battle.dice import SharedDice
    from projections.battle.fold import Battle
    from projections.report.models import FightReport, SeenReport
    from projections.review.audit import Audited
    from projections.review.difference import Comparison
    from projections.review.explanation import Explanation
    from projections.review.replay import Replay
    from projections.story.names import CombatantNames
    from projections.story.rolls_needed import RollNeeded
    from projections.views import Seat, SeatView, Viewer
    from projections.views.seats import SeatNumbering


class View(ChecksArguments):
    """A fight as it is seen from a seat: now, or after the event `at`.

    A seat that does not see everything counts only the events that it sees; its questions use these numbers.
    Combatants that it does not see do not exist for it.
    """

    def __init__(self, backend: Backend, seat: Seat, at: int | None = None, watched: SeatView | None = None) -> None:
        """`watched` is what the seat has seen so far, if that is known already."""
        self.backend = backend
        self.seat = seat
        self.at = at
        self._watched = watched
        if at is not None:
            self._check_event(at)

    def _check_event(self, at: int) -> None:
        last = self.backend.latest(1)[-1].seq if self.sees_all else self.backend.onlooker(self.seat).last
        if not (isinstance(at, int) and 1 <= at <= last):
            raise Problem("state/no-event", f"There is no event {at}; the last one is {last}.", found=at, last=last)

    @property
    def sees_all(self) -> bool:
        return self.seat.sees_all

    @cached_property
    def onlooker(self) -> SeatView:
        """What this seat has seen."""
        return self._watched or self.backend.onlooker(self.seat, self.at)

    @property
    def now(self) -> Battle:
        """The state as it is seen. Only look at it: the next command changes it."""
        if self.sees_all and self._watched is None:
            return self.backend.battle if self.at is None else self.battle
        return self.onlooker.battle

    @cached_property
    def seen(self) -> list[Event]:
        """The events as they were seen, in the order of recording."""
        return self.backend.history(self.at) if self.sees_all else self.onlooker.seen

    @property
    def battle(self) -> Battle:
        """The state as it is seen."""
        return self.backend.state(self.at) if self.sees_all else self.onlooker.battle

    @property
    def cast(self) -> CombatantNames:
        """The combatants that the seat has ever seen, with their names for sentences."""
        from projections.story.names import CombatantNames

        return CombatantNames.of(self.backend.introductions()) if self.sees_all else self.onlooker.cast

    @property
    def last(self) -> int:
        """The number of the last event that was seen."""
        return self.seen[-1].seq if self.seen else 0

    @property
    def viewer(self) -> Viewer:
        return self.onlooker.viewer

    @property
    def numbers(self) -> SeatNumbering:
        return self.onlooker.numbers

    def recorded(self, number: int) -> int:
        """The seq in the ledger of the event with this number at the seat."""
        self._check_event(number)
        return number if self.sees_all else self.onlooker.recorded(number)

    # Who and what

    def who(self, name: str) -> str:
        """The id of a combatant, by its id, its name in any case, or the unique beginning of a word of its name.
        Every command and question takes such names."""
        from combatlog.rules.engine.naming import known_id

        return known_id(self.backend.battle if self.sees_all else self.battle, name)

    def own(self, name: str) -> str:
        """The id of a combatant that the seat may know everything about."""
        from combatlog.rules.engine.seat_queries import own_id

        return self.who(name) if self.sees_all else own_id(self.onlooker, name)

    def _whole_fight(self) -> FightInMemory:
        """For questions that need everything."""
        if not self.sees_all:
            sentence = "This cannot be answered from a seat that does not see everything."
            raise Problem("view/whole-only", sentence, seat=self.seat.words)
        return self.backend.in_memory()

    def ask(self, question: FightQuestion) -> Any:
        """The answer to a question that is given as a value, of the type `question.answer`."""
        from combatlog.handlers.fight_answers import answer

        return answer(question, self)

    def _ask(self, kind: str, **fields: Any) -> Any:
        """Ask a question that is given by the name of its class."""
        return self.ask(made(kind, **fields))

    def state(self) -> Battle:
        """The state, to keep."""
        return self._ask("ShowState")

    def events(
        self,
        first: int = 1,
        last: int | None = None,
        *,
        actor: str | None = None,
        kinds: Collection[str] = (),
        standing: bool = False,
    ) -> list[Event]:
        """The events from `first` to `last`, perhaps only of one actor's declarations or of some kinds.

        They are in the order of recording. With `standing`, they are in the order in which they happened in the fight,
        without those that a correction took back.
        """
        from projections.review.replay import Selection

        history = self.backend.history(last) if self.sees_all else self.seen[:last]
        actor = self.who(actor) if actor is not None else None
        wanted = Selection(first, actor=actor, kinds=kinds)
        wanted.check_kinds()
        return wanted.events(counting(history) if standing else history)

    def latest_declarations(self, count: Count) -> list[Event]:
        """The events of the last declarations. Few others are read, however long the fight is."""
        size = 16 * count
        while True:
            events = self.backend.latest(size)
            begun = [place for place, event in enumerate(events) if event.seq == event.declaration]
            if len(begun) >= count or len(events) < size:
                return events[begun[-count] if len(begun) >= count else 0 :]
            size *= 4

    # What is possible

    def actions(self, actor: str) -> list[MenuSection]:
        """A combatant's actions, each with its cost, its options and, if it is not possible now, the reason.

        Players may ask about their own. They do not see the chances to hit others."""
        return self._ask("ListActions", who=actor)

    def reference(self, actor: str | None = None) -> list[ReferenceEntry]:
        """What can be declared and answered under the fight's ruleset, with options; for one combatant, if given."""
        from combatlog.rules.content.reference import reference
        from combatlog.rules.engine import ruleset as rulesets

        battle = self.backend.battle if self.sees_all else self.battle
        ruleset = rulesets.find(battle.encounter.ruleset)
        return reference(ruleset, battle.combatants.get(self.own(actor)) if actor is not None else None)

    def aim(self, actor: str, action: str, to: Position) -> AreaPreview:
        """Preview an area that is aimed at a square: its squares, and every combatant in it, friend or foe.

        Nothing is declared, and it need not be the actor's turn.
        """
        return self._ask("AimAt", who=actor, action=action, column=to[0], row=to[1])

    def way(self, actor: str, action: str, to: Position, *, options: Data | None = None) -> MovePreview:
        """How a combatant would get to a square: each step, what it costs, and who could react on the way.

        Nothing is declared. What could not be declared is refused.
        """
        return self._ask("FindWay", who=actor, action=action, column=to[0], row=to[1], options=options)

    def advise(self, actor: str) -> list[Advice]:
        """Which choices fit a combatant's situation, the best first.

        For players, opponents count as ordinary: only their looks are known."""
        return self._ask("Advise", who=actor)

    def economy(self, actor: str, resources: Collection[str] = ()) -> list[ResourceChanged]:
        """How a combatant's resources changed, oldest first."""
        return self._ask("ListChanges", who=actor, resources=tuple(resources))

    def ways_to_hit(
        self,
        target: str | None = None,
        *,
        actor: str | None = None,
        weapon: str | None = None,
        sees: Callable[[str], bool] | None = None,
    ) -> list[Declaration]:
        """The declarations with which a combatant can attack a target now: one, or several if there is a choice.

        Without a target, it is the actor's last target in this turn, if that is still seen.
        """
        from combatlog.rules.engine.menu import acting, last_target, ways_to_hit

        fight = self._whole_fight()
        whom = target or last_target(fight, acting(fight.battle, actor), sees)
        return ways_to_hit(fight, whom, actor=actor, weapon=weapon)

    def way_to_cast(
        self,
        spell: str,
        target: str | Sequence[str] = (),
        *,
        actor: str | None = None,
        to: Position | None = None,
        options: Data | None = None,
    ) -> Declaration:
        """The declaration that casts a spell."""
        from combatlog.rules.engine.menu import way_to_cast

        targets = (target,) if isinstance(target, str) else target
        return way_to_cast(self._whole_fight(), spell, targets=targets, to=to, options=options, actor=actor)

    def way_to_move(
        self, to: Position, *, via: Sequence[Position] = (), actor: str | None = None, as_seen: bool = False
    ) -> Declaration:
        """The declaration that takes a combatant to a square at the lowest cost."""
        from combatlog.rules.engine.menu import way_to_move

        return way_to_move(self._whole_fight(), to, via=via, actor=actor, as_seen=as_seen)

    def foresee(
        self, said: Declaration | Reply, dice: Sequence[Face] = (), *, through_windows: bool = True
    ) -> Foreseen:
        """The outcome of a declaration or an answer if all missing dice are low and no one who is asked reacts; or
        the outcome up to the first such window. Nothing is recorded. What could not be declared is refused."""
        from combatlog.rules.engine.resolution.dry_run import foresee

        return foresee(self._whole_fight(), said, dice, through_windows=through_windows)

    def needed_rolls(self, said: Declaration | Reply, dice: Sequence[Face] = ()) -> list[RollNeeded]:
        """Every roll that a declaration or an answer still needs after these faces, in order, up to the next window."""
        from combatlog.rules.engine.resolution.dry_run import needed_rolls

        return needed_rolls(self._whole_fight(), said, dice)

    def difficulty(self, side: str = "heroes") -> Difficulty:
        """How hard the fight is for the characters of a side, by the experience points of the others."""
        return self._ask("RateDifficulty", side=side)

    def shared_dice(self) -> SharedDice:
        """The players with a chain for shared dice, and the roll that waits for a link."""
        return self._ask("ShowDice")

    def waits_for_link(self) -> str:
        """The combatant whose player has to reveal a link for a roll; refused if no roll waits."""
        waiting = self.shared_dice()["waiting"]
        if waiting is None:
            raise Problem("dice/no-question", "No roll waits for a link.")
        return waiting["party"]

    # Why

    def explain(self, seq: int) -> Explanation:
        """Explain an event: the declaration, every modifier, every die, and what it changed."""
        return self._ask("Explain", seq=seq)

    def why_not(self, seq: int, name: str) -> list[str]:
        """Why a reaction or modifier did not apply to the declaration of an event, in sentences."""
        return self._ask("WhyNot", seq=seq, name=name)

    # Corrections

    def corrections(self) -> list[Audited]:
        """Every correction, with its author, time, reason and effects."""
        return self._ask("ListCorrections")

    def seen_plan(self, plan: Plan) -> Plan:
        """The plan of a correction as the seat sees it, with its numbers. It can be shown, but not applied."""
        from combatlog.rules.engine.corrections.consent import seen_plan

        return seen_plan(plan, self.backend.history(), self.seat)

    def proposals(self) -> list[ProposalView]:
        """Every proposal that was ever made, of a correction or a command, oldest first."""
        return self._ask("ListProposals")

    def proposal(self) -> ProposalView | None:
        """The last proposal, if any: who is asked, what they answered, and what it would do now."""
        proposals = self.proposals()
        return proposals[-1] if proposals else None

    # The fight as a whole

    def replay(
        self,
        first: int = 1,
        last: int | None = None,
        *,
        actor: str | None = None,
        kinds: Collection[str] = (),
        undone: bool = True,
    ) -> Replay:
        """A replay to step through: the events, the state after each, and the story that they belong to."""
        from projections.review.replay import Replay, Selection
        from projections.story.names import CombatantNames

        events = self.seen
        cast = CombatantNames.of(events) if self.sees_all else self.cast
        Selection(first, last, actor, kinds).check(cast, len(events))
        return Replay(
            events,
            first=first,
            last=last,
            actor=actor,
            kinds=kinds,
            with_undone=undone,
            cast=cast,
            state=None if self.sees_all else self._states(),
        )

    def _states(self) -> Callable[[int], Battle]:
        """The state after each event, worked out when it is needed, even after the ledger is closed."""
        from projections.views import SeatView

        seat, onlooker, history = self.seat, self.onlooker, self.backend.history()
        return lambda number: SeatView(seat, history[: onlooker.recorded(number)]).battle

    def replay_page(self, *, progress: Callable[[int, int], None] = lambda done, total: None) -> str:
        """A replay as one HTML file that needs no network.

        It contains nothing that the seat may not see. `progress` is called with the events done and the total.
        """
        return self._ask("ReplayFight", format="html", progress=progress).decode()

    def replay_document(self, *, progress: Callable[[int, int], None] = lambda done, total: None) -> Data:
        """The data of `replay_page`: events in words, and the changes of the state with each of them."""
        return self._ask("ReplayFight", progress=progress)

    def report(self) -> FightReport | SeenReport:
        """The fight in numbers: who won, who did what, who fell, the turning point, luck, and corrections.

        A seat that does not see everything gets a report of what it saw.
        """
        return self._ask("ReportFight")

    def diff(self, other: View) -> Comparison:
        """How this fight differs from another one, or from itself at another moment: events and state."""
        from projections.review.difference import compare_histories, compare_seen

        if self.sees_all:
            return compare_histories(self.seen, other.seen)
        return compare_seen(self.onlooker, other.onlooker)

    def watch(self) -> Watching:
        """Follow the fight, even across restarts of the database, for a second screen."""
        from combatlog.follow import Watching

        return Watching(self.record, self.backend.newcomer(self.seat))

    @property
    def record(self) -> RecordBackend:
        """The record of the fight; refused if it is only in memory."""
        if not isinstance(self.backend, RecordBackend):
            raise Problem("fight/not-recorded", "This fight is only in memory, so there is no record of it.")
        return self.backend

    def export(self) -> Iterator[str]:
        """What the seat saw, as lines of JSON to keep: a head, and then each event with its proof.

        A proof reveals nothing about unseen events. `verify_shown` checks the lines against the whole log.
        """
        return self.record.export_seen(self)

    def verify_shown(self, lines: Iterable[str]) -> VerificationReport:
        """Check the fight as `verify` does, and check that it agrees with what `export` gave a seat.

        A seat that does not see everything only checks what it was shown itself, by its own numbers.
        """
        return self.record.verify_shown(lines, self.seat)


def seat_in(backend: Backend, seat: str | Seat) -> Seat:
    """A seat in a fight, with the ids of the combatants that it names."""
    found = _named_seat(backend, seat) if isinstance(seat, str) else seat
    if not found.combatants:
        return found
    from dataclasses import replace

    from combatlog.rules.engine.naming import known_id

    battle = backend.battle
    return replace(found, combatants=frozenset(known_id(battle, name) for name in found.combatants))


def _named_seat(backend: Backend, text: str) -> Seat:
    """The name of a combatant stands for the seat of its player."""
    from projections.views.seats import Role, Seat

    if Seat.names_a_role(text):
        return Seat.read(text)
    from combatlog.rules.engine.naming import id_of

    battle = backend.battle
    found = id_of(battle, text)
    return Seat(Role.PLAYER, frozenset({found})) if found in battle.combatants else Seat.read(text)
