"""The sender of a message: the seat, what it sees, its combatants, and what a refusal tells it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from combatlog.messages.rights import Unseen
from combatlog.rules.engine.commands import Declaration, Reply
from combatlog.rules.engine.naming import known_id
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.dry_run import Foreseen, foresee
from combatlog.rules.engine.resolution.fight_engine import FightEngine as FightInMemory
from combatlog.rules.engine.resolution.turns import require_turn, turn_in_progress
from combatlog.rules.engine.seat_queries import without_the_unseen
from ledger.errors import Problem
from projections.views import Role, Seat
from projections.views.seats import GM

if TYPE_CHECKING:
    from combatlog.backend import Backend
    from combatlog.messages import message as messages
    from combatlog.rules.engine.resolution.referee import Outcome
    from ledger.events import Face
    from projections.battle.fold import Battle
    from projections.views import SeatView

_WAITING = "window/waiting"
_ABOUT_WINDOWS = {_WAITING, "reaction/not-asked", "reaction/no-limit", "reaction/time-left"}


@dataclass(slots=True)
class Sender:
    """A seat at a fight, while one message is handled."""

    backend: Backend
    seat: Seat = GM
    by: str | None = None
    """The name that is recorded, if it is not the combatant that acts."""
    command: UUID | None = None
    """The command's id: one that was carried out before does nothing."""
    dry_run: bool = False
    """Only find out the outcome, without recording anything."""
    onlooker: Callable[[], SeatView] | None = None
    """What the seat sees, if that is known already."""
    actor: str | None = None
    """The combatant that the seat speaks for, once it was looked up."""
    _seen: SeatView | None = None

    @property
    def sees_all(self) -> bool:
        return self.seat.sees_all

    @property
    def seen(self) -> SeatView:
        if self._seen is None:
            self._seen = self.onlooker() if self.onlooker is not None else self.backend.view(self.seat).onlooker
        return self._seen

    @property
    def battle(self) -> Battle:
        """The state as the seat sees it."""
        return self.backend.battle if self.sees_all else self.seen.battle

    # Names

    def who(self, name: str) -> str:
        """The combatant with this name, among those that the seat sees. The rules look up the names that a GM uses.

        A refusal mentions only seen combatants, so it is the same whether or not an unseen one has the name.
        """
        if self.sees_all:
            return name
        try:
            return known_id(self.seen.battle, name)
        except Problem as problem:
            raise Unseen(problem.code, problem.sentence, **problem.facts) from problem

    def names(self, given: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.who(name) for name in given)

    def own(self, name: str) -> str:
        """The same, if this seat acts for it."""
        if self.sees_all:
            return name
        found = self.who(name)
        if self.seat.role is Role.PLAYER and found not in self.seat.combatants:
            raise Unseen(
                "seat/not-yours",
                "This seat does not act for that combatant.",
                who=found,
                available=sorted(self.seat.combatants),
            )
        self.actor = found
        return found

    def acting(self, name: str | None) -> str:
        """The combatant that is named, or the one that has the turn."""
        return self.own(name if name is not None else turn_in_progress(self.battle))

    def replies(self, given: Iterable[messages.ReactionAnswer]) -> list[Reply]:
        return [
            Reply(
                reactor=self.own(one.who),
                reaction=one.reaction,
                options=one.options,
                by=one.by if self.sees_all else None,
                as_seen=None if self.sees_all or one.reaction is None else True,
            )
            for one in given
        ]

    # What is said

    def declare(
        self, said: Declaration | Reply, dice: Sequence[Face] | None = None, replies: Sequence[Reply] = ()
    ) -> Outcome | Foreseen:
        """Declare something, or answer the open window."""
        if said.by is None and self.by is not None:
            said = said.model_copy(update={"by": self.by})
        if self.dry_run:
            return foresee(self.backend.in_memory(), said, dice or (), replies=replies, through_windows=False)
        return self.backend.record(said, dice=dice, replies=replies, command_id=self.command)

    answer = declare

    # What is refused

    @contextmanager
    def as_far_as_seen(self, said: Callable[[FightInMemory], Declaration]) -> Iterator[None]:
        """If an unseen combatant causes a refusal in the block, refuse for a visible reason, if there is one.

        A refusal costs nothing, so a player could try every square of the map to find unseen combatants. Therefore
        reasons that the player sees come first. Only what would be possible without unseen combatants reveals that
        something is there.
        """
        try:
            yield
        except Refusal as refusal:
            if self.sees_all or self.as_seen(refusal) is refusal:
                raise
            raise self._reason_seen(said) or refusal from refusal

    def _reason_seen(self, said: Callable[[FightInMemory], Declaration]) -> Problem | None:
        """Why it would be refused even without the unseen combatants."""
        fight = FightInMemory(start=without_the_unseen(self.seen))
        try:
            foresee(fight, said(fight))
        except Refusal as refusal:
            return refusal
        return None

    def as_seen(self, problem: Problem) -> Problem:
        """The problem; if its facts name an unseen combatant, only its code.

        Names in a message were looked up among seen combatants, so this is rare. The sentence is not checked: every
        combatant that it mentions is among the facts.
        """
        if self.sees_all or isinstance(problem, Unseen):
            return problem
        problem = self._while_waiting(problem)
        unseen = self.seen.viewer.unseen
        names = [one.name for one in self.seen.whole.combatants.values() if one.id in unseen]
        hidden = {name.lower() for name in (*unseen, *names) if name}
        if hidden.isdisjoint(text.lower() for text in texts_in(problem.to_json()["facts"])):
            return problem
        kind = Refusal if isinstance(problem, Refusal) else Problem
        return kind(problem.code, "That is not possible now.")

    def _while_waiting(self, problem: Problem) -> Problem:
        """What a seat learns when the fight waits for another player: not which one, and nothing of an unseen window.
        Otherwise a player who tries something again and again would learn when an unseen combatant is asked."""
        if problem.code == "turn/other" and self.seen.battle.clock.turn is None:
            return Refusal("turn/none", "No turn is in progress.")
        if problem.code not in _ABOUT_WINDOWS or problem.facts.get("asked") in self.seen.viewer.own:
            return problem
        if self.seen.sees_wait:
            return Refusal(problem.code, "Somebody else has to answer first.")
        return self._without_window(problem)

    def _without_window(self, problem: Problem) -> Problem:
        """What would be refused if no window were open."""
        if problem.code != _WAITING:
            who = {"who": problem.facts["who"]} if "who" in problem.facts else {}
            return Refusal("reaction/no-window", "No reaction is being offered.", **who)
        try:
            require_turn(self.seen.battle, self.actor or "")
        except Refusal as refusal:
            return refusal
        return Refusal(_WAITING, "Somebody else has to answer first.")


def texts_in(value: Any) -> Iterable[str]:
    """Every text in a value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in (*value.keys(), *value.values()):
            yield from texts_in(part)
    elif isinstance(value, Iterable):
        for part in value:
            yield from texts_in(part)
