"""Rebase: resolve later declarations again, each over its own tape, on the corrected state.

Declarations that come out the same keep their recorded events; only the others are recorded again.

The dice stay as the players rolled them. A roll that needs fewer faces keeps the first ones; if it needs more, only the
missing ones are rolled. A declaration that is no longer legal is dropped, kept as a ruling, or stops the correction,
depending on the remedies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from combatlog.rules.engine.commands import GM, Declaration, Reply
from combatlog.rules.engine.corrections.correction_events import declared_by, declared_in_a_correction
from combatlog.rules.engine.corrections.plan import DiceNeeded, Plan, PlanEntry, PlanVerdict, compare
from combatlog.rules.engine.corrections.segments import Cluster, Runs, Segment, clusters
from combatlog.rules.engine.declarations.uphold import can_be_upheld, outcomes_of
from combatlog.rules.engine.dice.dice_notation import Die
from combatlog.rules.engine.dice.dice_sources import DiceSource
from combatlog.rules.engine.refusal import Refusal, choices
from combatlog.rules.engine.resolution.dry_run import comes_out_the_same
from combatlog.rules.engine.resolution.fight_engine import FightEngine, NewDice
from combatlog.rules.engine.resolution.table import Circumstances
from combatlog.rules.engine.resolution.tape import Tape
from ledger.events import (
    Declared,
    EncounterImported,
    Event,
    Face,
    FaceOrigin,
    Forked,
    Offer,
    ReactionWindowOpened,
    Rolled,
    TurnStarted,
)
from projections.battle.journal import copy_of
from projections.battle.timeline import Correction

END_TURN = "core:time:end-turn"
UPHOLD = "core:ruling:uphold"


class Impossible(StrEnum):
    """What to do with a declaration that is no longer legal."""

    DROP = "drop"
    KEEP = "keep"
    STOP = "stop"
    """The plan shows the problem and cannot be applied."""


class NotRolled(Exception):
    """A plan needs dice that were never rolled, and it must not show their faces or cannot know them."""

    def __init__(self, purpose: str, dice: Sequence[str]) -> None:
        super().__init__(f"the {purpose} roll needs {', '.join(dice)}")
        self.purpose = purpose
        self.dice = tuple(dice)


_FORESEEABLE = (FaceOrigin.SEED, FaceOrigin.TABLE, FaceOrigin.RECORDED)
"""Origins whose faces are the same wherever they are computed."""


@dataclass(slots=True)
class AddedDice:
    """The source of faces that were never rolled. It counts them, and checks for leftovers only at the end."""

    source: DiceSource
    hides: bool = False
    """Whether committed dice stay unrolled: the plan only says that they are needed."""
    elsewhere: bool = False
    """Whether no dice are rolled here, except those whose faces are the same everywhere."""
    counted: list[int] = field(default_factory=lambda: [0])
    """How many dice were rolled. The list is shared with the sources of each roller."""

    @property
    def count(self) -> int:
        return self.counted[0]

    @property
    def origin(self) -> FaceOrigin:
        return self.source.origin

    @property
    def binds(self) -> bool:
        return self.source.binds

    def of(self, roller: str) -> AddedDice:
        return AddedDice(self.source.of(roller), self.hides, self.elsewhere, self.counted)

    def number(self, held: int | None) -> int | None:
        return self.source.number(held)

    def faces(
        self, dice: Sequence[Die], seq: int, purpose: str, after: int = 0, number: int | None = None
    ) -> list[Face]:
        self.counted[0] += len(dice)
        if self.elsewhere and self.origin not in _FORESEEABLE:
            raise NotRolled(purpose, [die.name for die in dice])
        faces = self.source.faces(dice, seq, purpose, after, number)
        if self.hides and self.origin is FaceOrigin.COMMITTED:
            raise NotRolled(purpose, [die.name for die in dice])
        return faces

    def finish(self) -> None:
        """Do nothing yet: more declarations may follow, and the rebase finishes the source at the end."""


@dataclass(frozen=True, slots=True)
class Remedies:
    """Decisions that people made in advance for the rebase."""

    impossible: Impossible = Impossible.STOP
    dice: Sequence[Face] | None = None
    replies: Mapping[int, Sequence[Reply]] = field(default_factory=dict)
    """Answers for new windows, by the declaration in which they open."""


@dataclass(frozen=True, slots=True)
class Restatement:
    """How an amended declaration differs from the recorded one, and its corrected tape."""

    differing: dict[str, Any]
    tape: Tape
    rolls: Sequence[Rolled]
    """The rolls on that tape."""


_UNDECLARED = (Forked, EncounterImported)


@dataclass(frozen=True, slots=True)
class Insertion:
    """A forgotten declaration, to be made before everything that is resolved again."""

    said: Declaration
    replies: Sequence[Reply] = ()


class Rebase:
    """Resolves declarations again on the fight's own battle, and restores the battle afterwards."""

    def __init__(
        self,
        fight: FightEngine,
        correction: Correction,
        remedies: Remedies,
        *,
        waits: int | None = None,
        insertion: Insertion | None = None,
    ) -> None:
        """`waits` is the declaration whose answers are taken back, so that it waits for an answer again."""
        self._insertion = insertion
        self._inserted: Declared | None = None
        self._waits = waits
        self._waited = fight.battle.window.declaration if fight.battle.window is not None else waits
        self._may_wait = False
        self._old = fight
        self._before = copy_of(fight.battle)
        self._correction = correction
        self._remedies = remedies
        self._dice = AddedDice(
            fight.dice_source(remedies.dice),
            hides=fight.new_dice is NewDice.HIDDEN,
            elsewhere=fight.new_dice is NewDice.ELSEWHERE,
        )
        self._moments: dict[int, str] = {}
        self._turns: set[tuple[int, str | None]] = set()
        self._places: dict[int, int] = {}
        self._rolls: dict[int, list[Rolled]] = {}
        """The rolls of the declarations that are resolved again, in all their segments. If a window does not open any
        more, or another one opens, they are made before or after other answers than they were."""
        self._entries: dict[int, PlanEntry] = {}
        self._is_last = False
        self._undecided: Refusal | None = None

    def run(
        self,
        first: int | None,
        gone: Collection[int],
        restated: Mapping[int, Restatement],
        leaving_out: Collection[int] = (),
    ) -> Plan:
        """Plan what happens to everything from the declaration `first` on if those in `gone` are taken back.

        If `first` is None, nothing is resolved again. `leaving_out` are events of other declarations that no longer
        count.
        """
        course = self._old.course
        taken = course.take_from(course.place(first)) if first is not None else []
        changes, seq = course.battle.changes, course.battle.seq
        later = [event for event in taken if event.declaration not in gone and event.seq not in leaving_out]
        try:
            # These events are not declarations. They come first, because what is resolved again belongs to the fork.
            for beginning in (event for event in later if isinstance(event, _UNDECLARED)):
                course.battle.apply(beginning)
            return self._run(clusters(e for e in later if not isinstance(e, _UNDECLARED)), taken, gone, restated)
        finally:
            course.battle.go_back_to(changes)
            course.battle.seq = seq
            course.put_back(taken)

    def _run(
        self,
        later: Sequence[Cluster],
        taken: Sequence[Event],
        gone: Collection[int],
        restated: Mapping[int, Restatement],
    ) -> Plan:
        battle = self._old.battle
        battle.seq = self._correction.seq
        self._fight = FightEngine(start=battle, now=self._old.now, seed=self._old.seed)
        self._runs = Runs(self._old.course, self._fight.course)
        self._moments = {e.seq: e.moment for e in taken if isinstance(e, ReactionWindowOpened)}
        started = {(e.round, e.combatant) for e in self._old.events if isinstance(e, TurnStarted)}
        self._turns = {(battle.clock.round, battle.clock.turn), *started}
        if later:
            self._runs.reach(later[0][0].events[0].seq)
        try:
            self._insert()
        except NotRolled as missing:
            return self._hidden((), later, gone, missing)
        for number, cluster in enumerate(later):
            self._runs.reach(cluster[0].events[0].seq)
            self._is_last = cluster is later[-1]
            try:
                self._resolve_again(cluster, restated)
            except NotRolled as missing:
                return self._hidden(later[:number], later[number:], gone, missing)
        self._dice.source.finish()
        return self._plan(later, gone)

    def _resolve_again(self, cluster: Cluster, restated: Mapping[int, Restatement]) -> None:
        declared = cluster[0].declared
        assert declared is not None
        self._align(declared)
        if not any(self._is_changed(segment, restated) for segment in cluster) and self._keeps(cluster):
            self._runs.keep()
        else:
            self._record_again(cluster, restated)

    def _is_changed(self, segment: Segment, restated: Mapping[int, Restatement]) -> bool:
        return segment.declaration in restated or segment.declaration == self._waits

    def _keeps(self, cluster: Cluster) -> bool:
        """Keep declarations that come out as recorded, in their place and with their numbers. False if they do not."""
        turn = self._fight.battle.clock.turn
        ends = (s.declared for s in cluster if s.declared is not None and s.declared.action == END_TURN)
        if not self._runs.can_keep or any(declared.turn != turn for declared in ends):
            return False
        if not comes_out_the_same(self._fight.battle, [event for segment in cluster for event in segment.events]):
            return False
        for segment in cluster:
            if (declared := segment.declared) is not None:
                self._entries[declared.seq] = PlanEntry(declared, PlanVerdict.KEPT, replaced_by=declared.seq)
        return True

    def _record_again(self, cluster: Cluster, restated: Mapping[int, Restatement]) -> None:
        ends = {segment.declaration: number for number, segment in enumerate(cluster)}
        for segment in cluster:
            made = [event for event in segment.events if isinstance(event, Rolled)]
            self._rolls.setdefault(segment.declaration, []).extend(made)
        self._rolls |= {seq: list(restated[seq].rolls) for seq in ends if seq in restated}
        for number, segment in enumerate(cluster):
            is_last = self._is_last and segment is cluster[-1]
            self._may_wait = is_last or segment.declaration == self._waited
            self._resolve(segment, restated)
            if ends[segment.declaration] == number:
                self._check_answered(segment.declaration)

    def _resolve(self, segment: Segment, restated: Mapping[int, Restatement]) -> None:
        declared = segment.declared
        if declared is not None:
            self._align(declared)
            self._declare_again(declared, segment, restated.get(declared.seq))
        elif self._is_waiting(segment.declaration):
            self._fight.go_on(self._circumstances(self._rest_of(segment.declaration, segment.events)))

    def _rest_of(self, declaration: int, answers: Sequence[Event] = ()) -> Tape:
        """The rolls of a declaration that have not been made again so far, and these answers."""
        again = self._fight.course.group(self._places[declaration])
        made = (event for event in again if isinstance(event, Rolled))
        return Tape(answers, self._moments).with_rolls(self._rolls.get(declaration, ()), made)

    def _declare_again(self, declared: Declared, segment: Segment, restated: Restatement | None) -> None:
        tape = restated.tape if restated else Tape(segment.events).with_rolls(self._rolls[declared.seq])
        differing = {"cause": self._correction.seq, **(restated.differing if restated else {})}
        try:
            self._check_turn(declared)
            circumstances = self._circumstances(tape, self._replies(declared.seq))
            first, *_ = self._fight.declare_again(declared, circumstances, **differing)
        except Refusal as refusal:
            if restated is not None or refusal.code.startswith(("dice/", "reaction/", "amend/")):
                raise
            self._give_up(declared, segment, refusal)
        else:
            self._places[declared.seq] = first.seq
            verdict = PlanVerdict.AMENDED if restated else PlanVerdict.KEPT
            self._entries[declared.seq] = PlanEntry(declared, verdict, replaced_by=first.seq)

    def _give_up(self, declared: Declared, segment: Segment, refusal: Refusal) -> None:
        if self._undecided is None and self._remedies.impossible is Impossible.STOP:
            self._undecided = Refusal(
                "correction/impossible",
                f"Declaration {declared.seq} would no longer be possible: {refusal.sentence}",
                declaration=declared.seq,
                because=refusal.code,
                available=[Impossible.DROP.value, Impossible.KEEP.value],
            )
        upheld = self._remedies.impossible is Impossible.KEEP and can_be_upheld(declared, segment.events)
        if upheld:
            self._uphold(declared, segment.events)
        verdict = PlanVerdict.UPHELD if upheld else PlanVerdict.IMPOSSIBLE
        place = self._places.get(declared.seq)
        self._entries[declared.seq] = PlanEntry(declared, verdict, refusal.sentence, replaced_by=place)

    def _uphold(self, declared: Declared, events: Sequence[Event]) -> None:
        correction = self._correction
        options = {
            "upholds": declared.seq,
            "what": declared.action,
            "reason": correction.reason,
            "outcomes": outcomes_of(events),
        }
        ruling = declared_by(self._fight.battle, GM, UPHOLD, by=correction.by, cause=correction.seq, options=options)
        first, *_ = self._fight.declare_again(ruling, self._circumstances(Tape()))
        self._places[declared.seq] = first.seq

    def _insert(self) -> None:
        """Make the forgotten declaration. If it is refused, so is the correction."""
        if self._insertion is None:
            return
        said = self._fight.settled(self._insertion.said, among=self._before)
        declared = declared_in_a_correction(self._fight.battle, said, self._correction.seq)
        self._inserted = declared
        replies = [*self._insertion.replies, *self._replies(declared.seq)]
        self._fight.declare_again(declared, self._circumstances(Tape(), replies))
        self._places[declared.seq] = declared.seq
        self._entries[declared.seq] = PlanEntry(declared, PlanVerdict.INSERTED, replaced_by=declared.seq)
        self._check_answered(declared.seq)

    # Turns

    def _align(self, declared: Declared) -> None:
        """End turns that did not take place before, such as that of a combatant who was down then and is not now."""
        clock = self._fight.battle.clock
        while (
            clock.turn is not None
            and clock.round <= declared.round
            and (clock.round, clock.turn) not in self._turns
            and (clock.round, clock.turn) != (declared.round, declared.turn)
        ):
            self._pass_turn(clock.turn)
            clock = self._fight.battle.clock

    def _pass_turn(self, whose: str) -> None:
        template = declared_by(self._fight.battle, GM, END_TURN, by=self._correction.by, cause=self._correction.seq)
        self._may_wait = False
        first, *_ = self._fight.declare_again(template, self._circumstances(Tape(), self._replies(template.seq)))
        assert isinstance(first, Declared)
        window = self._fight.battle.window
        if window is not None and window.waiting is not None:
            raise _needs_answer(first.seq, window.waiting)
        why = f"{whose}'s turn was skipped before; now it takes place and ends without a declaration"
        self._entries[first.seq] = PlanEntry(first, PlanVerdict.NEW_TURN, why, replaced_by=first.seq)

    def _check_turn(self, declared: Declared) -> None:
        """Refuse the end of a turn that no longer takes place, so that it does not end another one."""
        turn = self._fight.battle.clock.turn
        if declared.action == END_TURN and declared.turn != turn:
            now = f"it is {turn}'s turn" if turn is not None else "no turn is in progress"
            raise Refusal(
                "turn/gone",
                f"{declared.turn}'s turn no longer takes place; {now}.",
                who=declared.turn,
                turn=turn,
            )

    # Windows

    def _is_waiting(self, declaration: int) -> bool:
        window = self._fight.battle.window
        return window is not None and window.declaration == self._places.get(declaration)

    def _check_answered(self, declaration: int) -> None:
        """Refuse an unanswered new window, unless the fight was already waiting in this declaration.

        It may not wait if a roll came after the window: that roll would be lost.
        """
        window = self._fight.battle.window
        if window is None or window.waiting is None or not self._is_waiting(declaration):
            return
        if self._is_carried_out or (declaration == self._waited and not self._rest_of(declaration).has_rolls):
            return
        raise _needs_answer(declaration, window.waiting)

    def _replies(self, declaration: int) -> Sequence[Reply]:
        return self._remedies.replies.get(declaration, ())

    def _circumstances(self, tape: Tape, replies: Sequence[Reply] = ()) -> Circumstances:
        return Circumstances(
            dice=self._dice,
            now=self._correction.recorded_at,
            replies=[self._fight.with_ref(reply) for reply in replies],
            command=self._correction.command,
            tape=tape,
            seed=self._old.seed,
            nobody_to_ask=self._is_carried_out and not self._may_wait,
        )

    @property
    def _is_carried_out(self) -> bool:
        """Whether dice that cannot be unseen are rolled for it, so that it must go through whatever they show."""
        return self._old.new_dice is NewDice.ROLLED and self._dice.binds

    # The plan

    def _plan(self, later: Sequence[Cluster], gone: Collection[int]) -> Plan:
        recorded = _by_declaration(event for cluster in later for segment in cluster for event in segment.events)
        now = _by_declaration(self._fight.events)
        for seq, place in self._places.items():
            self._compare(self._entries[seq], recorded.get(seq, now[place][:1]), now[place])
        kept = {seq for seq, entry in self._entries.items() if entry.replaced_by == seq}
        correction = self._correction.model_copy(
            update={"retracts": tuple(sorted({*gone, *recorded} - kept)), "places": self._runs.placed()}
        )
        return Plan(
            correction=correction,
            entries=list(self._entries.values()),
            new=[correction, *self._fight.events],
            before=self._before,
            after=copy_of(self._fight.battle),
            dice_added=self._dice.count,
            undecided=self._undecided,
        )

    def _hidden(
        self, done: Sequence[Cluster], undecided: Sequence[Cluster], gone: Collection[int], missing: NotRolled
    ) -> Plan:
        """The plan up to the first roll that needs new dice. What happens after that depends on their faces."""
        later = (segment.declaration for cluster in undecided for segment in cluster)
        stopped = [self._inserted.seq] if self._inserted is not None and not self._entries else []
        opened = list(dict.fromkeys([*stopped, *later]))
        if self._undecided is None and len(opened) > 1 and self._remedies.impossible is Impossible.STOP:
            self._undecided = Refusal(
                "correction/decide-first",
                f"In declaration {opened[0]}, the {missing.purpose} roll needs dice that have not been rolled, and "
                "what follows depends on them; decide first what to do with later declarations that turn out to be "
                "impossible.",
                declaration=opened[0],
                purpose=missing.purpose,
                dice=list(missing.dice),
                available=[Impossible.DROP.value, Impossible.KEEP.value],
            )
        for declaration in opened:
            self._places.pop(declaration, None)
        plan = self._plan(done, gone)
        plan.new, plan.after, plan.dice_added = [], plan.before, 0
        plan.needs = DiceNeeded(opened[0], missing.purpose, missing.dice)
        known = [entry for entry in plan.entries if entry.declared.seq not in opened]
        plan.entries = [*known, *map(self._open, opened)]
        plan.entries[len(known)].verdict = PlanVerdict.NEEDS_DICE
        return plan

    def _open(self, declaration: int) -> PlanEntry:
        inserted = self._inserted
        is_inserted = inserted is not None and declaration == inserted.seq
        declared = inserted if is_inserted else self._old.course.event(declaration)
        assert isinstance(declared, Declared)
        return PlanEntry(declared, PlanVerdict.OPEN)

    def _compare(self, entry: PlanEntry, recorded: Sequence[Event], now: Sequence[Event]) -> None:
        entry.changes = compare(recorded, now)
        if entry.changes and entry.verdict is PlanVerdict.KEPT:
            entry.verdict = PlanVerdict.CHANGED


def _needs_answer(declaration: int, offer: Offer) -> Refusal:
    names = [ref.rsplit(":", 1)[1] for ref in offer.reactions]
    return Refusal(
        "correction/needs-answer",
        f"In declaration {declaration}, {offer.reactor} could now react, and has to choose: "
        f"{choices([*names, 'pass'])}.",
        declaration=declaration,
        who=offer.reactor,
        available=names,
    )


def _by_declaration(events: Iterable[Event]) -> dict[int, list[Event]]:
    groups: dict[int, list[Event]] = {}
    for event in events:
        groups.setdefault(event.declaration, []).append(event)
    return groups


def first_affected(fight: FightEngine, retracted: Collection[int]) -> int:
    """The declaration to begin with. One that continued after a retracted ruling is resolved again from its start."""
    course = fight.course
    start = min(course.place(declaration) for declaration in retracted)
    first = min(retracted, key=course.place)
    for event in reversed(course.standing):
        if course.place(event.seq) < start:
            break
        first = min(first, event.declaration, key=course.place)
    return first
