"""For tests of rulesets and bots: given a fight, when a combatant acts with these dice, then these events follow.

from combatlog.testing import Drill, only

def test_a_tie_hits():
    drill = Drill()
    drill.join("fighter", "Rurik", (1, 1))
    drill.join("goblin", "Snig", (2, 1), side="foes")
    drill.start(dice=[20, 1])
    drill.do("rurik", "attack")
    events = drill.do("rurik", "strike", target="snig", dice=[10, 4])
    assert only(events, AttackResolved).hit
    assert drill["snig.hp"] == 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

from combatlog.backend import Backend
from combatlog.fight import Fight
from combatlog.fight_setup import Map, opening
from combatlog.messages.commands import TimeUp
from combatlog.rules.content.scenario import look_up
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import Declaration, Reply, require_new_key
from combatlog.rules.engine.corrections.plan import Plan, made_before
from combatlog.rules.engine.resolution.fight_engine import FightEngine as FightInMemory
from combatlog.rules.engine.resolution.referee import Outcome, moved_on
from combatlog.rules.engine.resolution.turns import turn_in_progress
from combatlog.rules.engine.ruleset import Ruleset
from ledger.errors import Problem
from ledger.events import Data, Event, Face
from projections.battle.fold import Battle, fold

E = TypeVar("E", bound=Event)


class Drill(Fight):
    """A fight in memory, resolved by the same code as one in a ledger, with dice given by hand.

    It is a `combatlog.Fight` in every respect: a bot does not notice the difference.
    """

    backend: MemoryBackend

    def __init__(
        self,
        ruleset: str | Ruleset = "dnd5e",
        *,
        dice: str = "table",
        map: Map | None = None,
        options: Data | None = None,
        packs: Sequence[str | Path] = (),
    ) -> None:
        """With a ruleset by name, or one of your own that need not be installed."""
        if isinstance(ruleset, Ruleset):
            rulesets.use(ruleset)
            ruleset = ruleset.name
        super().__init__(MemoryBackend(FightInMemory.open(opening("drill", ruleset, dice, map, options, packs, "gm"))))

    @property
    def fight(self) -> FightInMemory:
        return self.backend.fight

    @fight.setter
    def fight(self, fight: FightInMemory) -> None:
        self.backend.fight = fight

    @property
    def ruleset(self) -> Ruleset:
        return self.fight.ruleset

    def __getitem__(self, path: str) -> Any:
        """A value of the state by its name: `round`, `turn`, `waiting`, `rurik.hp`, `rurik.position`,
        `rurik.conditions`, and everything else that a scenario can expect."""
        return look_up(self.fight.battle, path)

    def refusal(self, *arguments: Any, **named: Any) -> Problem:
        """The problem with which a declaration is refused; it must be refused, and leave no trace.

        Takes what `do` takes.
        """
        before = list(self.fight.events)
        try:
            self.do(*arguments, **named)
        except Problem as problem:
            assert self.fight.events == before, "the refused declaration left events behind"
            return problem
        raise AssertionError("it was not refused")

    def next_turn(self, *, dice: Sequence[Face] | None = None) -> Outcome:
        """End the turn in progress. Only a drill can do this, because nobody else plays in it at the same time."""
        return self.end_turn(turn_in_progress(self.battle), dice=dice)


class MemoryBackend(Backend):
    def __init__(self, fight: FightInMemory) -> None:
        self.fight = fight

    @property
    def battle(self) -> Battle:
        return self.fight.battle

    def record(
        self,
        said: Declaration | Reply | TimeUp,
        *,
        dice: Sequence[Face] | None = None,
        replies: Sequence[Reply] = (),
        command_id: UUID | None = None,
    ) -> Outcome:
        if command_id is not None:
            require_new_key(self.fight.course, command_id)
        if command_id in self.fight.course.commands:
            return Outcome.of(self.fight, (), repeated=True)
        if isinstance(said, Declaration):
            new = self.fight.declare(said, dice=dice, replies=replies, command=command_id)
        elif isinstance(said, Reply):
            new = self.fight.answer(said, dice=dice, command=command_id)
        else:
            new = self.fight.time_up(dice=dice, by=said.by, command=command_id)
        return Outcome.of(self.fight, new)

    def _plan(self, make: Callable[[FightInMemory], Plan], command: UUID | None) -> Plan:
        fight = FightInMemory(self.fight.events, now=self.fight.now, seed=self.fight.seed)
        return made_before(fight, command) or make(fight)

    def apply(self, plan: Plan) -> Outcome:
        plan.require_decided()
        repeated = plan.correction.command in self.fight.course.commands
        if not repeated:
            if plan.before.seq != self.fight.battle.seq:
                raise moved_on()
            self.fight.take_in(plan.new)
        return Outcome.of(self.fight, () if repeated else plan.new, repeated=repeated)

    def state(self, at: int | None = None) -> Battle:
        return fold(self.history(at))

    def history(self, upto: int | None = None) -> list[Event]:
        return self.fight.events[:upto]

    def in_memory(self) -> FightInMemory:
        return self.fight


def only(events: Iterable[Event], kind: type[E]) -> E:
    """The one event of this kind."""
    found = all_of(events, kind)
    assert len(found) == 1, f"there are {len(found)} events of the kind {kind.__name__}"
    return found[0]


def all_of(events: Iterable[Event], kind: type[E]) -> list[E]:
    """The events of this kind, in order."""
    return [event for event in events if isinstance(event, kind)]
