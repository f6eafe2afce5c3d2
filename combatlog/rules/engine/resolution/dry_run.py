"""Resolve a declaration without recording it: to foresee its effect, or to check that it still comes out the same.

The code is the same as for a real resolution. Missing faces are assumed, and everything is rolled back at the end. A
recorded declaration is resolved again over its own tape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import accumulate, product
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

from combatlog.rules.engine.commands import Declaration, Reply
from combatlog.rules.engine.dice.dice_notation import Die
from combatlog.rules.engine.dice.dice_sources import DiceSource, TableDice, check_face
from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.engine.resolution.fight_engine import resolve_again, revealed_seed
from combatlog.rules.engine.resolution.table import Circumstances, Diverged, DryRunFinished, Table
from combatlog.rules.engine.resolution.tape import tape_of
from ledger.errors import Problem
from ledger.events import (
    Data,
    Declared,
    Event,
    Face,
    FaceOrigin,
    Position,
    ReactionChosen,
    ReactionDeclined,
    ReactionWindowOpened,
)
from projections.battle.fold import Battle
from projections.battle.journal import JournaledBattle
from projections.story.rolls_needed import RollNeeded, merged, missing_in_words, rolls_needed

if TYPE_CHECKING:
    from combatlog.rules.engine.resolution.fight_engine import FightEngine, Resolution


_NOTHING_SAID = UUID(int=0)
_NOTHING_GIVEN = Circumstances(dice=TableDice(()), now=datetime.min.replace(tzinfo=UTC))


def hypothetical(
    battle: Battle,
    actor: str,
    action: str,
    *,
    targets: tuple[str, ...] = (),
    destination: Position | None = None,
    weapon: str | None = None,
    options: Data | None = None,
    as_seen: Literal[True] | None = None,
) -> Declared:
    """A declaration for a dry run. It is not validated: its parts are trusted, and automatic play makes thousands."""
    return Declared.model_construct(
        encounter=battle.id,
        seq=battle.seq + 1,
        recorded_at=battle.encounter.recorded_at,
        declaration=battle.seq + 1,
        command=_NOTHING_SAID,
        actor=actor,
        action=action,
        targets=targets,
        destination=destination,
        weapon=weapon,
        options=dict(options or {}),
        as_seen=as_seen,
    )


def reading_table(battle: Battle) -> Table:
    """A table for checks that roll and record nothing."""
    return Table(battle, _NOTHING_GIVEN)


_NOT_SAID = UUID(int=0)
_LACKING = {"dice/too-few", "dice/revealed", "dice/no-seed"}
"""The codes of refusals that say that dice are missing."""
LOW = 0.0
_FIRST = (LOW, 0.6, 0.85, 0.95, 1.0)
_OTHERS = (LOW, 0.95)
"""How high the assumed faces are, from 0 to 1, in the first roll that lacks some and in later rolls. For a d20 they are
1, 12, 17, 19 and 20: most rules check whether a face is high enough, some whether it is the highest."""


@dataclass(frozen=True, slots=True)
class Assumed:
    """How high the missing faces are assumed to be."""

    first: float = LOW
    others: float = LOW

    def face(self, die: Die, is_first: bool) -> Face:
        numbers = all(isinstance(face, int) for face in die.faces)
        ranked = sorted(die.faces, key=int) if numbers else list(die.faces)
        return ranked[round((self.first if is_first else self.others) * (len(ranked) - 1))]


_ALL_LOW = Assumed()


@dataclass(slots=True)
class AssumedDice:
    """The faces that people gave, followed by assumed ones when they run out."""

    given: Sequence[Face]
    assumed: Assumed
    used: int = field(default=0, init=False)
    lacking: dict[int, list[str]] = field(default_factory=dict, init=False)
    """The dice whose faces were assumed, by the seq of their event."""
    asked: dict[int, list[str]] = field(default_factory=dict, init=False)
    """All dice that were rolled, by the seq of their event."""
    origin: FaceOrigin = FaceOrigin.TABLE
    by_hand: Callable[[str], bool] = lambda _: True
    """Whether a roller's faces have to be given; False if its dice come from another source."""

    @property
    def binds(self) -> bool:
        return False

    def of(self, roller: str) -> DiceSource:
        return self if self.by_hand(roller) else _OthersDice(self)

    def number(self, held: int | None) -> int | None:
        return held

    def faces(
        self, dice: Sequence[Die], seq: int, purpose: str, after: int = 0, number: int | None = None
    ) -> list[Face]:
        rolled = list(self.given[self.used : self.used + len(dice)])
        for die, face in zip(dice, rolled, strict=False):
            check_face(die, face, purpose)
        self.used += len(rolled)
        self.asked.setdefault(seq, []).extend(die.name for die in dice)
        missing = dice[len(rolled) :]
        if not missing:
            return rolled
        is_first = not self.lacking or seq in self.lacking
        self.lacking.setdefault(seq, []).extend(die.name for die in missing)
        return [*rolled, *self.assume(missing, is_first, explodes=bool(after))]

    def assume(self, dice: Sequence[Die], is_first: bool, *, explodes: bool) -> list[Face]:
        """Assume faces. Exploding dice are rolled again while all show the same, so assumed ones must differ."""
        if explodes:
            return [die.faces[place % len(die.faces)] for place, die in zip(range(0, 99, 2), dice, strict=False)]
        return [self.assumed.face(die, is_first) for die in dice]

    def finish(self) -> None:
        """Do nothing: leftover faces are checked elsewhere."""


@dataclass(slots=True)
class _OthersDice:
    """Faces of rollers that do not roll at the table. They are assumed too, but not reported as missing."""

    table: AssumedDice
    origin: FaceOrigin = FaceOrigin.TABLE

    @property
    def binds(self) -> bool:
        return False

    def of(self, roller: str) -> DiceSource:
        return self.table.of(roller)

    def number(self, held: int | None) -> int | None:
        return held

    def faces(
        self, dice: Sequence[Die], seq: int, purpose: str, after: int = 0, number: int | None = None
    ) -> list[Face]:
        return self.table.assume(dice, not self.table.lacking, explodes=bool(after))

    def finish(self) -> None:
        """Do nothing: no faces can be left over."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What would happen if the dice showed certain faces."""

    events: Sequence[Event]
    rolls: Sequence[RollNeeded]
    """The rolls whose faces are missing, in order."""
    made: Sequence[RollNeeded]
    """All rolls, those with given faces included, in order."""
    used: int
    """How many of the given faces are used."""

    @property
    def waits(self) -> bool:
        """Whether it stops at a window that has to be answered first."""
        opened = [event for event in self.events if isinstance(event, ReactionWindowOpened)]
        answered = [event for event in self.events if isinstance(event, ReactionChosen | ReactionDeclined)]
        return sum(len(window.offers) for window in opened) > len(answered)


def foresee(
    fight: FightEngine,
    said: Declaration | Reply,
    dice: Sequence[Face] = (),
    *,
    replies: Sequence[Reply] = (),
    through_windows: bool = True,
    assumed: Assumed = _ALL_LOW,
) -> Foreseen:
    """What a declaration or an answer would lead to; refused if it would be. By default, all reactions are declined."""
    return _run(fight, _resolution(fight, said), dice, replies, assumed, through_windows=through_windows)


def needed_rolls(
    fight: FightEngine, said: Declaration | Reply, dice: Sequence[Face] = (), *, replies: Sequence[Reply] = ()
) -> list[RollNeeded]:
    """Every roll still needed up to the end or the next window, in order, including those that depend on others."""
    return _all_needed(fight, _resolution(fight, said), dice, replies)


def shares_of(
    fight: FightEngine, declarations: Sequence[Declaration], dice: Sequence[Face] | None
) -> list[Sequence[Face] | None]:
    """Divide the faces among several independent declarations.

    If a declaration would be refused, or faces are missing, that is refused now, before any declaration is made.
    Leftover faces go to the first declaration, which refuses them.
    """
    shares: list[Sequence[Face] | None] = []
    rolls: list[RollNeeded] = []
    left = list(dice or ())
    for declaration in declarations:
        foreseen = foresee(fight, declaration, left)
        shares.append(left[: foreseen.used])
        rolls += foreseen.rolls
        left = left[foreseen.used :]
    if dice is None:
        return [None] * len(shares)
    if rolls:
        raise lacking(Refusal("dice/too-few", "Faces are missing.", found=len(dice)), rolls, fight)
    return [[*(shares[0] or ()), *left], *shares[1:]]


def _resolution(fight: FightEngine, said: Declaration | Reply) -> Resolution:
    if isinstance(said, Reply):
        return lambda circumstances: fight.answer_in(said, circumstances)
    return lambda circumstances: fight.declare_in(said, circumstances)


def _run(
    fight: FightEngine,
    resolve: Resolution,
    dice: Sequence[Face],
    replies: Sequence[Reply],
    assumed: Assumed,
    *,
    through_windows: bool,
) -> Foreseen:
    source = AssumedDice(dice, assumed, by_hand=fight.rolls_by_hand)
    circumstances = Circumstances(
        source, fight.now(), list(replies), _NOT_SAID, nobody_to_ask=through_windows, only_imagined=True
    )
    try:
        resolve(circumstances)
    except DryRunFinished as imagined:
        events = imagined.events
        rolls, made = rolls_needed(events, source.lacking), rolls_needed(events, source.asked)
        return Foreseen(events, rolls, made, source.used)
    raise AssertionError("a dry run always ends with DryRunFinished")


def _courses(
    fight: FightEngine, resolve: Resolution, dice: Sequence[Face], replies: Sequence[Reply]
) -> Iterator[Foreseen]:
    """What would happen up to the next window with low, medium and high faces."""
    seen: set[tuple[Any, ...]] = set()
    for first, others in product(_FIRST, _OTHERS):
        try:
            course = _run(fight, resolve, dice, replies, Assumed(first, others), through_windows=False)
        except Refusal:
            continue  # refused with these faces only
        key = tuple(needed.key for needed in course.rolls)
        if key not in seen:
            seen.add(key)
            yield course


def _all_needed(
    fight: FightEngine, resolve: Resolution, dice: Sequence[Face], replies: Sequence[Reply]
) -> list[RollNeeded]:
    return merged([course.rolls for course in _courses(fight, resolve, dice, replies)])


def reconsidered(
    fight: FightEngine, refusal: Refusal, resolve: Resolution, dice: Sequence[Face] | None, replies: Sequence[Reply]
) -> Sequence[Face] | None:
    """The faces without those that turn out to be unneeded; otherwise raises the refusal, with every missing roll."""
    if refusal.code in _LACKING and (rolls := _all_needed(fight, resolve, dice or (), replies)):
        raise lacking(refusal, rolls, fight) from refusal
    if refusal.code == "dice/too-many" and dice is not None:
        useful = dice[: refusal.facts["needed"]]
        if _is_cut_short(fight, resolve, useful, len(dice), replies):
            return useful
    raise refusal


def lacking(refusal: Refusal, rolls: Sequence[RollNeeded], fight: FightEngine) -> Refusal:
    names = {combatant.id: combatant.name for combatant in fight.battle.combatants.values()}
    facts = {**refusal.facts, "rolls": [needed.model_dump(mode="json", exclude_none=True) for needed in rolls]}
    sentence = refusal.sentence if refusal.code != "dice/too-few" else missing_in_words(rolls, names)
    return Refusal(refusal.code, sentence, **facts)


def _is_cut_short(
    fight: FightEngine, resolve: Resolution, useful: Sequence[Face], given: int, replies: Sequence[Reply]
) -> bool:
    """Whether the leftover faces are for rolls that became unnecessary, such as damage after a miss.

    They must be all the faces up to one of the rolls that could have happened, with no question in between.
    """
    made = _keys(_run(fight, resolve, useful, replies, _ALL_LOW, through_windows=False))
    others = [course for course in _courses(fight, resolve, (), replies) if given in _faces_up_to_each(course)]
    return any(len(course.made) > len(made) and _keys(course)[: len(made)] == made for course in others)


def _keys(course: Foreseen) -> list[tuple[str, str, str]]:
    return [roll.key for roll in course.made]


def _faces_up_to_each(course: Foreseen) -> list[int]:
    """The number of faces up to each of its rolls."""
    return list(accumulate(len(roll.dice) for roll in course.made))


def over_its_tape(battle: JournaledBattle, recorded: Sequence[Event]) -> Table:
    """A table that resolves the declaration at the start of these events, using only the dice on its tape."""
    return Table(
        battle,
        Circumstances(
            dice=TableDice(()),
            now=recorded[0].recorded_at,
            recorded=recorded,
            tape=tape_of(recorded),
            seed=revealed_seed(recorded, battle.id),
        ),
    )


def of_first_declaration(events: Sequence[Event]) -> Sequence[Event]:
    """The events up to the last one of the first declaration, including those of others in between."""
    end = max(at for at, event in enumerate(events) if event.declaration == events[0].declaration)
    return events[: end + 1]


def comes_out_the_same(battle: JournaledBattle, recorded: Sequence[Event]) -> bool:
    """Whether each declaration among these events leads to the same events again. If so, they are applied to the
    battle; otherwise it is left unchanged."""
    changes, seq = battle.changes, battle.seq
    alone = all(event.declaration == recorded[0].declaration for event in recorded)
    same = _leads_to(battle, recorded) if alone else _each_leads_to_its_own(battle, recorded)
    battle.seq = seq
    if not same:
        battle.go_back_to(changes)
    return same


def _each_leads_to_its_own(battle: JournaledBattle, recorded: Sequence[Event]) -> bool:
    """The same for several declarations: one made while another waited is resolved on the state of that moment."""
    for at, event in enumerate(recorded):
        if isinstance(event, Declared):
            before = battle.changes
            same = _leads_to(battle, of_first_declaration(recorded[at:]))
            battle.go_back_to(before)
            if not same:
                return False
        battle.apply(event)
    return True


def _leads_to(battle: JournaledBattle, recorded: Sequence[Event]) -> bool:
    declared, table = recorded[0], over_its_tape(battle, recorded)
    assert isinstance(declared, Declared)
    try:
        resolve_again(table, declared)
    except (Diverged, Problem):
        return False
    return table.unmatched is None and not table.new
