"""Automatic play: the engine plays a side with the same declarations and answers as a person, or advises a player.

It is deterministic: the same battle always leads to the same choice; only the dice are random. With dice rolled at the
table, a rehearsal first plays without recording, so that play does not stop halfway to ask for a die.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice, takewhile
from uuid import UUID, uuid5

from typing_extensions import TypedDict

from combatlog.rules.autoplay.scoring import Score, best, best_first, legal, rank
from combatlog.rules.engine import ruleset as rulesets
from combatlog.rules.engine.commands import GM, CommandedFight, Declaration, PlayableFight, Reply, events_under
from combatlog.rules.engine.dice.dice_settings import TABLE, DiceSetting, read_setting
from combatlog.rules.engine.refusal import Refusal, listing, unknown
from combatlog.rules.engine.resolution.command_checks import closed
from combatlog.rules.engine.resolution.fight_engine import FightEngine
from combatlog.rules.engine.ruleset import Ruleset
from combatlog.rules.engine.ruleset_types import Advice
from ledger.events import Event, Face, Moved, Offer, Position
from ledger.json_shapes import EventData
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.battle.journal import copy_of

WORTH_IT = 0.05
"""In hit points. A choice has to be worth more than this."""
MOST_A_TURN = 40
"""The most declarations in one turn, far more than any turn needs."""
MOST_ROUNDS = 100
"""Play stops after this many rounds, because no side is going to win."""
STALEMATE = 20
"""Play also stops after this many rounds without a new low for any side: the sides cannot reach or harm each other, or
they heal as fast as they are hurt."""
END_TURN = "core:time:end-turn"
CLOSE = "core:time:close"
WALK = "move"
"""The archetype of options that only move the actor to another square."""

Chooser = Callable[[Battle], Score | None]
"""Chooses the next declaration of a combatant that can act; None ends the turn."""


class AutoStep(TypedDict):
    who: str
    what: str
    why: str
    events: list[EventData]


@dataclass(frozen=True, slots=True)
class AutoPlayed:
    """One declaration or answer, with its reason and the events that followed."""

    who: str
    what: str
    why: str
    events: Sequence[Event]
    ends_turn: bool = False

    def to_json(self) -> AutoStep:
        events = [event.to_json() for event in self.events]
        return {"who": self.who, "what": self.what, "why": self.why, "events": events}


@dataclass(frozen=True, slots=True)
class PlayLimits:
    """How many more turns and rounds to play; None means no limit. `to_end` closes the fight once it has been won."""

    turns: int | None = None
    rounds: int | None = None
    to_end: bool = False


def command_of_step(whole: UUID, number: int) -> UUID:
    """The id of a command that is part of automatic play, numbered from 1.

    The first has the id of the whole, so that a key that was used for something else is noticed.
    """
    return whole if number == 1 else uuid5(whole, f"step {number}")


class Numbered:
    """An arena in which the id of each command is derived from the id of the whole play."""

    def __init__(self, arena: CommandedFight, whole: UUID) -> None:
        self._arena = arena
        self._ids = (command_of_step(whole, number) for number in count(1))

    @property
    def battle(self) -> Battle:
        return self._arena.battle

    def declare(
        self, declaration: Declaration, *, dice: Sequence[Face] | None = None, replies: Sequence[Reply] = ()
    ) -> Sequence[Event]:
        return self._arena.declare(declaration, dice=dice, replies=replies, command_id=next(self._ids))

    def answer(self, reply: Reply, *, dice: Sequence[Face] | None = None) -> Sequence[Event]:
        return self._arena.answer(reply, dice=dice, command_id=next(self._ids))


class RecordedSteps:
    """An arena in which automatic play is repeated: each step leads to the events that were recorded for it."""

    def __init__(self, history: Sequence[Event], whole: UUID) -> None:
        self._history = history
        found = (events_under(history, command_of_step(whole, number)) for number in count(1))
        self.steps = list(takewhile(bool, found))
        """The events of each step; none if nothing was recorded under this id."""
        self._fight = FightEngine()
        self._taken = 0
        self._look_at_next()

    @property
    def battle(self) -> Battle:
        return self._fight.battle

    def declare(
        self, declaration: Declaration, *, dice: Sequence[Face] | None = None, replies: Sequence[Reply] = ()
    ) -> Sequence[Event]:
        return self._take()

    def answer(self, reply: Reply, *, dice: Sequence[Face] | None = None) -> Sequence[Event]:
        return self._take()

    def _take(self) -> Sequence[Event]:
        self._taken += 1
        self._look_at_next()
        return self.steps[self._taken - 1]

    def _look_at_next(self) -> None:
        """Fold the events up to the next step; others may have recorded some of them in between."""
        if self.steps:
            is_last = self._taken == len(self.steps)
            upto = self.steps[-1][-1].seq if is_last else self.steps[self._taken][0].seq - 1
            self._fight.take_in(self._history[len(self._fight.events) : upto])


def choose(battle: Battle, left: Collection[Position] = ()) -> Score | None:
    """The best legal choice of the combatants that can act now, if it is worth making.

    A combatant never walks back to a square that it has just left: optimistic estimates would send it back and forth.
    """
    rules = rulesets.find(battle.encounter.ruleset)
    options = [option for actor in rules.to_act(battle) for option in rules.options(battle, actor)]
    scores = best_first(options, rules.metrics(), above=WORTH_IT)
    return best(found for found in scores if not (is_walk(found) and found.aim.place in left))


def is_walk(found: Score) -> bool:
    """Whether the choice only moves the actor to another square."""
    return found.option.archetype == WALK and found.aim.place is not None


def play(
    arena: PlayableFight, limits: PlayLimits, sides: Collection[str] = (), choosers: dict[str, Chooser] | None = None
) -> Iterator[AutoPlayed]:
    """Play until a limit is reached, the fight is decided, or another side has to act or answer."""
    check_playable(arena.battle, sides)
    player = _Player(arena, limits, frozenset(sides), choosers or {})
    yield from player.play()


def check_playable(battle: Battle, sides: Collection[str]) -> None:
    rules = rulesets.find(battle.encounter.ruleset)
    if not rules.metrics():
        raise Refusal("auto/cannot", f"{rules.name} does not support automatic play.", ruleset=rules.name)
    if battle.clock.closed:
        raise closed(battle)
    if not battle.clock.started:
        raise Refusal("auto/not-started", "The fight has not started yet.", encounter=battle.name)
    known = sorted({combatant.side for combatant in battle.present()})
    for side in sides:
        if side not in known:
            raise unknown(
                "auto/unknown-side", f"There is no side {side!r}; the sides are {listing(known)}.", side, known
            )


class _Player:
    def __init__(
        self, arena: PlayableFight, limits: PlayLimits, sides: frozenset[str], choosers: dict[str, Chooser]
    ) -> None:
        self.arena = arena
        self.limits = limits
        self.sides = sides
        self.choosers = choosers
        self.turns = 0
        self.in_turn = 0
        self.left: set[Position] = set()
        """The squares that the combatant has left this turn since its last action other than walking."""
        self.last_round = arena.battle.clock.round + (limits.rounds or 0)
        self.lowest: dict[str, int] = {}
        """The lowest points of each side so far."""
        self.last_low = arena.battle.clock.round
        """The last round in which a side reached a new low."""

    def play(self) -> Iterator[AutoPlayed]:
        while not self._is_over():
            played = self._answer() or self._act()
            if played is None:
                return
            if played.ends_turn:
                self._note_lows()
            yield played
        if self.limits.to_end and not self.arena.battle.clock.closed:
            yield self._close()

    def _is_over(self) -> bool:
        clock = self.arena.battle.clock
        if clock.closed or (self.limits.turns is not None and self.turns >= self.limits.turns):
            return True
        if self.limits.rounds is not None and clock.round >= self.last_round and self.turns:
            return True
        if self.arena.battle.window is not None:
            return False
        return self._is_decided() or clock.round > MOST_ROUNDS or self._is_stalemate()

    def _is_stalemate(self) -> bool:
        return self.arena.battle.clock.round - self.last_low > STALEMATE

    def _note_lows(self) -> None:
        for side, points in points_by_side(self.arena.battle).items():
            if points < self.lowest.get(side, points + 1):
                self.lowest[side] = points
                self.last_low = self.arena.battle.clock.round

    def _is_decided(self) -> bool:
        return len(sides_left(self.arena.battle)) <= 1

    def _plays(self, name: str) -> bool:
        return not self.sides or self.arena.battle.combatants[name].side in self.sides

    def _answer(self) -> AutoPlayed | None:
        """Answer the open window if it asks a side that is played automatically. Links of shared dice are left to the
        players."""
        window = self.arena.battle.window
        offer = window.waiting if window is not None else None
        if window is None or offer is None or window.is_for_dice or not self._plays(offer.reactor):
            return None
        reaction = usual_answer(offer)
        events = self.arena.answer(Reply(reactor=offer.reactor, reaction=reaction))
        what = f"uses {reaction.rsplit(':', 1)[1].replace('_', ' ')}" if reaction else "does not react"
        why = "it can change the outcome" if reaction else "it would change nothing"
        return AutoPlayed(offer.reactor, what, why, events)

    def _act(self) -> AutoPlayed | None:
        """Make the best choice or end the turn; None if it is not the turn of a side that is played automatically."""
        battle = self.arena.battle
        turn = battle.clock.turn
        able = rulesets.find(battle.encounter.ruleset).to_act(battle)
        if not able or battle.window is not None or not self._plays(able[0].id):
            return None
        chosen = self._choose(able[0].id) if self.in_turn < MOST_A_TURN else None
        if chosen is None:
            return self._end_turn(turn) if turn is not None else None
        self.in_turn += 1
        events = self.arena.declare(chosen.declaration)
        self._note(chosen, events)
        return AutoPlayed(chosen.option.actor, chosen.words, chosen.why, events)

    def _choose(self, turn: str) -> Score | None:
        battle = self.arena.battle
        chooser = self.choosers.get(battle.combatants[turn].side)
        return chooser(battle) if chooser is not None else choose(battle, self.left)

    def _note(self, chosen: Score, events: Sequence[Event]) -> None:
        if not is_walk(chosen):
            self.left.clear()
        steps = [event for event in events if isinstance(event, Moved) and event.mover == chosen.option.actor]
        self.left.update(step.origin for step in steps if step.origin is not None and is_walk(chosen))

    def _end_turn(self, turn: str) -> AutoPlayed:
        self.turns += 1
        self.in_turn = 0
        self.left.clear()
        events = self.arena.declare(Declaration(actor=turn, action=END_TURN))
        return AutoPlayed(turn, "ends its turn", "nothing else is worth doing", events, ends_turn=True)

    def _close(self) -> AutoPlayed:
        left = sides_left(self.arena.battle)
        how = f"{left[0]} won" if len(left) == 1 else f"no side won{_why(self._is_stalemate())}"
        said = Declaration(actor=GM, action=CLOSE, options={"why": how})
        return AutoPlayed(GM, "closes the fight", how, self.arena.declare(said))


def _why(is_stalemate: bool) -> str:
    return f": no side got the better of another in {STALEMATE} rounds" if is_stalemate else ""


def points_by_side(battle: Battle) -> dict[str, int]:
    """The total of all vitals left on each side."""
    points: dict[str, int] = {}
    for one in battle.present():
        points[one.side] = points.get(one.side, 0) + sum(vital.current for vital in one.vitals.values())
    return points


def usual_answer(offer: Offer) -> str | None:
    """The first reaction that can change the outcome."""
    return offer.useful[0] if offer.useful else None


def sides_left(battle: Battle) -> list[str]:
    """The sides that still have combatants in the fight."""
    rules = rulesets.find(battle.encounter.ruleset)
    return sorted({combatant.side for combatant in rules.in_the_fight(battle)})


SHOWN = 10


def ranked_advice(rules: Ruleset, battle: Battle, actor: Combatant) -> list[Advice]:
    """The best legal aim of each option. The first one is recommended, unless doing nothing is just as good."""
    ranked = rank(rules.options(battle, actor), rules.metrics())
    shown = islice(_one_each(legal(ranked)), SHOWN)
    return [_advice(actor, score, first=number == 0) for number, score in enumerate(shown)]


def _one_each(scores: Iterable[Score]) -> Iterator[Score]:
    """The first score of each option, to avoid a list of thirty equally good squares."""
    seen: set[str] = set()
    for score in scores:
        if score.option.id not in seen:
            seen.add(score.option.id)
            yield score


def _advice(actor: Combatant, score: Score, *, first: bool) -> Advice:
    cost = score.option.cost_at(score.aim)
    return Advice(
        choice=score.words,
        recommended=first and score.total > WORTH_IT,
        why=score.why,
        leaves={resource: actor.economy.left(resource) - amount for resource, amount in cost.items()},
        score=round(score.total, 2),
        metrics={name: round(value, 3) for name, value in score.metrics.items() if value},
    )


def check_needs_no_dice(
    fight: FightEngine, limits: PlayLimits, sides: Collection[str], history: Callable[[], Sequence[Event]]
) -> None:
    """Refuse a fight with dice rolled at the table, unless automatic play would need no dice.

    If only some combatants roll at the table, they must not be on the sides that are played.
    """
    setting = read_setting(fight.battle.encounter.dice)
    if setting.is_mixed:
        _check_sides(fight, setting, sides)
    if setting.is_mixed or setting.usual != TABLE:
        return
    try:
        for _ in play(_copied(fight, history), limits, sides):
            pass
    except Refusal as refusal:
        if refusal.code != "dice/too-few":
            raise
        raise Refusal(
            "auto/table-dice",
            "The dice of this fight are rolled at the table, so it cannot be played automatically.",
            encounter=fight.battle.name,
            **refusal.facts,
        ) from refusal


def _copied(fight: FightEngine, history: Callable[[], Sequence[Event]]) -> FightEngine:
    """A copy of the fight; an open window needs the events, because its answer resolves the declaration again."""
    if fight.battle.window is not None:
        return FightEngine(history(), now=fight.now)
    return FightEngine(start=copy_of(fight.battle), now=fight.now)


def _check_sides(fight: FightEngine, setting: DiceSetting, sides: Collection[str]) -> None:
    played = [one for one in fight.battle.present() if not sides or one.side in sides]
    by_hand = [one.id for one in played if setting.of(one) == TABLE]
    if by_hand:
        raise Refusal(
            "auto/table-dice",
            f"The dice of {listing(by_hand)} are rolled at the table, so they cannot be played automatically.",
            encounter=fight.battle.name,
            available=sorted({one.side for one in fight.battle.present() if setting.of(one) != TABLE}),
        )


@contextmanager
def naming_the_roller() -> Iterator[None]:
    """Name the combatant with the roll at the table that stops automatic play."""
    try:
        yield
    except Refusal as refusal:
        if refusal.code != "dice/too-few" or not refusal.facts.get("roller"):
            raise
        facts = refusal.facts
        raise Refusal(
            "auto/needs-roll",
            f"{facts['roller']} has to roll {' '.join(facts['dice'])} at the table: {facts['purpose']}. "
            "Automatic play stops here; the steps before this roll are recorded.",
            **facts,
        ) from refusal
