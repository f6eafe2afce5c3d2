"""The seat of the player at the shell, in a local fight or at a service. It holds the state and shows what is new."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from cli.render.fight_log import print_story
from cli.render.terminal import say
from combatlog import Outcome, RecordedFight
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Reply
from combatlog.rules.engine.menu import last_target, ways_to_hit
from combatlog.rules.engine.resolution.dry_run import Foreseen, foresee
from combatlog.rules.engine.resolution.fight_engine import FightEngine as FightInMemory
from combatlog.rules.engine.ruleset import Ruleset
from combatlog.rules.engine.summary import summaries
from ledger.events import Event, Face
from projections.battle.fold import Battle
from projections.story.names import INTRODUCTIONS, CombatantNames
from projections.story.phrases import or_list, who
from projections.story.telling import tell
from projections.story.text import short

_REMEMBERED = 40
"""Declarations whose events are kept, in case they continue after an answer."""


class PromptContext(NamedTuple):
    """The situation that a typed line refers to."""

    turn: str | None
    asked: str | None
    declaration: int | None


class ShellSeat:
    works_it_out = True
    """Whether the result of a line can be computed before it is sent."""

    def __init__(self, fight: RecordedFight, battle: Battle, own: Collection[str] = ()) -> None:
        """`own` are the combatants that are played here; if empty, all of them."""
        self.fight = fight
        self.battle = battle
        self.own = own
        self.shown = battle.seq
        self._groups: dict[int, list[Event]] = {}
        self._cast: CombatantNames | None = None
        self._in_memory: FightInMemory | None = None

    @property
    def moment(self) -> PromptContext:
        window = self.battle.window
        waiting = window.waiting if window is not None else None
        asked = (waiting.reactor, window.declaration) if window is not None and waiting is not None else (None, None)
        return PromptContext(self.battle.clock.turn, *asked)

    def plays(self, combatant: str) -> bool:
        return not self.own or combatant in self.own

    def name(self, combatant: str | None) -> str:
        known = self.battle.combatants.get(combatant or "")
        return known.name if known is not None else who(combatant or "")

    @property
    def names(self) -> dict[str, str]:
        return {combatant.id: combatant.name for combatant in self.battle.combatants.values()}

    # What the prompt says

    def title(self) -> str:
        clock, moment = self.battle.clock, self.moment
        if moment.asked is not None and self.plays(moment.asked):
            return f"{self.name(moment.asked)}: {or_list([*self.offered(), 'pass'])}? "
        if moment.asked is not None:
            return f"(waiting for {self.name(moment.asked)})> "
        if clock.closed:
            return "(over)> "
        if not clock.started:
            return "(not started)> "
        if moment.turn is None:
            return f"(round {clock.round})> "
        return f"{self.name(moment.turn)}> " if self.plays(moment.turn) else f"({self.name(moment.turn)})> "

    def offered(self) -> list[str]:
        """The names of the reactions that are offered."""
        window = self.battle.window
        waiting = window.waiting if window is not None else None
        return [short(ref) for ref in waiting.reactions] if waiting is not None else []

    def status(self) -> str:
        """One line below the prompt: where the fight is, and what is left of the turn."""
        clock = self.battle.clock
        parts = [self.battle.name, f"round {clock.round}" if clock.started else "not started"]
        if (left := self.left()) and clock.turn is not None:
            parts.append(f"{self.name(clock.turn)}: {left}")
        return " · ".join([*parts, "? for help"])

    def left(self) -> str:
        """What the combatant whose turn it is can still do."""
        turn = self.battle.combatants.get(self.battle.clock.turn or "")
        return ", ".join(self.ruleset.glance(self.battle, turn).left) if turn is not None else ""

    def actions(self, actor: str | None) -> list[str]:
        """The names of the actions of a combatant, or of those that all have."""
        who = self.battle.combatants.get(actor or "")
        return list(self.ruleset.action_refs(who)) if who is not None or self.battle.clock.started else []

    @property
    def ruleset(self) -> Ruleset:
        return rulesets.find(self.battle.encounter.ruleset)

    # Looking ahead, from the state as it was last read: one look at the ledger per line is enough

    @property
    def in_memory(self) -> FightInMemory:
        """The fight as it is now."""
        self._in_memory = self.fight.ledger.referee.fight(str(self.fight.id))
        return self._in_memory

    @property
    def _last_read(self) -> FightInMemory:
        """The fight as it was when it was last read or recorded to."""
        known = self._in_memory
        return known if known is not None and known.battle.seq >= self.battle.seq else self.in_memory

    def foresee(self, said: Declaration | Reply, dice: Sequence[Face], *, through_windows: bool = False) -> Foreseen:
        return foresee(self._last_read, said, dice, through_windows=through_windows)

    def ways_to_hit(self, target: str | None, actor: str, weapon: str | None) -> list[Declaration]:
        fight = self._last_read
        whom = target or last_target(fight, fight.battle.combatants[actor])
        return ways_to_hit(fight, whom, actor=actor, weapon=weapon)

    # What is new

    def refresh(self) -> None:
        """Read what others have recorded, and show it."""
        self.battle = self._now()
        if self.battle.seq > self.shown:
            self.show([], self._unseen())

    def _now(self) -> Battle:
        return self.in_memory.battle

    def show_outcome(self, outcome: Outcome, *, told: bool = False) -> None:
        """Show what others did in the meantime, then the outcome, unless the command has shown it (`told`)."""
        self.battle = self.fight.battle if outcome.repeated else outcome.state
        new = outcome.events
        meanwhile = (
            [event for event in self._unseen() if not new or event.seq < new[0].seq] if self._has_gap(new) else []
        )
        self.show([] if told else new, meanwhile, upto=new[-1].seq if new else None)

    def _has_gap(self, new: Sequence[Event]) -> bool:
        return new[0].seq > self.shown + 1 if new else self.battle.seq > self.shown

    def _unseen(self) -> list[Event]:
        count = self.battle.seq - self.shown
        return [event for event in self.fight.backend.latest(count) if event.seq > self.shown] if count > 0 else []

    def show(self, own: Sequence[Event], meanwhile: Sequence[Event], upto: int | None = None) -> None:
        if meanwhile:
            say("Meanwhile:", "dim")
            self._tell(meanwhile)
        if own:
            self._tell(own)
        seen = [event.seq for event in (*meanwhile, *own)]
        self.shown = max([self.shown, upto or 0, *seen])

    def _tell(self, events: Sequence[Event]) -> None:
        """Print the story of these events. A declaration that continues is told from its beginning."""
        for event in events:
            if event.declaration not in self._groups:
                self._groups[event.declaration] = self._before(event)
            self._groups[event.declaration].append(event)
        if any(isinstance(event, INTRODUCTIONS) for event in events):
            self._cast = None  # a combatant is new, or the order of turns
        declarations = list(dict.fromkeys(event.declaration for event in events))
        known = [event for seq in declarations for event in self._groups[seq]]
        lines = tell(known, declarations, self.cast)
        print_story([line for line in lines if line.declaration is not None])
        for seq in sorted(self._groups)[:-_REMEMBERED]:
            del self._groups[seq]

    def _before(self, event: Event) -> list[Event]:
        """The earlier events of a declaration that began before this shell read the fight."""
        if event.seq == event.declaration:
            return []
        count = self.battle.seq - event.declaration + 1
        return [e for e in self.fight.backend.latest(count) if e.declaration == event.declaration and e.seq < event.seq]

    @property
    def cast(self) -> CombatantNames:
        if self._cast is None:
            self._cast = CombatantNames.of(self.fight.backend.introductions())
        return self._cast


def possible(seat: ShellSeat) -> list[str]:
    """What the combatant whose turn it is can do now."""
    turn = seat.battle.clock.turn
    if turn is None or not (seat.works_it_out or seat.plays(turn)):
        return []
    sections = seat.fight.seen_by().actions(turn)
    known = seat.actions(turn)
    found = [choice.name for section in sections for choice in section.choices if choice.why_not is None]
    return [name.replace("_", " ") for name in dict.fromkeys(found) if name in known]


_OWN = "gm"
"""The default seat. At a service, it is the player's own."""


class RemoteShellSeat(ShellSeat):
    """A seat at a service, which does not see everything. The service says which dice are needed and how to hit."""

    works_it_out = False

    def plays(self, combatant: str) -> bool:
        """A seat without combatants plays none."""
        return combatant in self.own

    def left(self) -> str:
        glance = summaries(self.battle).get(self.battle.clock.turn or "")
        return ", ".join(glance.left) if glance is not None else ""

    def actions(self, actor: str | None) -> list[str]:
        return super().actions(actor if actor is None or self.plays(actor) else None)

    def foresee(self, said: Declaration | Reply, dice: Sequence[Face], *, through_windows: bool = False) -> Foreseen:
        """Assume that the given dice suffice; if not, the service asks for more."""
        return Foreseen(events=(), rolls=(), made=(), used=len(dice))

    def _now(self) -> Battle:
        return self.fight.battle

    @property
    def cast(self) -> CombatantNames:
        return self.fight.seen_by(_OWN).cast


def seat_at(fight: RecordedFight, battle: Battle, own: Sequence[str]) -> ShellSeat:
    """The seat of a player with their own combatants, or some of them."""
    seat = fight.seen_by(_OWN).seat
    if seat.sees_all:
        return ShellSeat(fight, battle, own)
    return RemoteShellSeat(fight, battle, own or sorted(seat.combatants))
