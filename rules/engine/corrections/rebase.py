"""Rebase: resolve later declarations again, each over its own tape, on the corrected state.

The dice stay as the players rolled them. A roll that needs fewer faces keeps the first ones; for one that needs more,
only the missing ones are rolled. A declaration that is no longer legal is dropped, kept as a ruling, or stops the
correction, whichever was asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ledger.events import Declared, Event, Face, FaceOrigin, ReactionWindowOpened, TurnStarted
from projections.timeline import standing
from rules.engine.commands import GM, Reply
from rules.engine.corrections.compare import compare
from rules.engine.corrections.plan import Correction, DiceNeeded, Entry, Plan, Verdict
from rules.engine.corrections.segments import Segment, segments
from rules.engine.dice import DiceSource, Die
from rules.engine.fight import Fight, NewDice, declared_by
from rules.engine.kept_as_ruling import can_be_upheld, outcomes_of
from rules.engine.refusal import Refusal, choices
from rules.engine.table import Circumstances
from rules.engine.tape import Tape

END_TURN = "core:time:end-turn"
UPHOLD = "core:ruling:uphold"


class Impossible(StrEnum):
    """What to do with a declaration that is no longer legal."""

    DROP = "drop"
    KEEP = "keep"
    STOP = "stop"


class NotRolled(Exception):
    """A plan needs committed dice that were never rolled, and must not show their faces."""

    def __init__(self, purpose: str, dice: Sequence[str]) -> None:
        super().__init__(f"the {purpose} roll needs {', '.join(dice)}")
        self.purpose = purpose
        self.dice = tuple(dice)


@dataclass(slots=True)
class AddedDice:
    """The source of faces that were never rolled. It counts them, and checks for leftovers only at the end."""

    source: DiceSource
    hides: bool = False
    """Committed dice are not rolled: the plan only says that they are needed."""
    count: int = 0

    @property
    def origin(self) -> FaceOrigin:
        return self.source.origin

    def number(self, held: int | None) -> int | None:
        return self.source.number(held)

    def faces(
        self, dice: Sequence[Die], seq: int, purpose: str, after: int = 0, number: int | None = None
    ) -> list[Face]:
        self.count += len(dice)
        faces = self.source.faces(dice, seq, purpose, after, number)
        if self.hides and self.origin is FaceOrigin.COMMITTED:
            raise NotRolled(purpose, [die.name for die in dice])
        return faces

    def finish(self) -> None:
        """Nothing yet: more declarations may follow, and the rebase finishes the source at the end."""


@dataclass(frozen=True, slots=True)
class Remedies:
    """What people decided in advance for the rebase."""

    impossible: Impossible = Impossible.STOP
    dice: Sequence[Face] | None = None
    replies: Mapping[int, Sequence[Reply]] = field(default_factory=dict)
    """Answers for windows that were not there before, by the declaration they open in."""


@dataclass(frozen=True, slots=True)
class Restatement:
    """How an amended declaration differs from the recorded one, and its corrected tape."""

    differing: dict[str, Any]
    tape: Tape


class Rebase:
    def __init__(self, fight: Fight, correction: Correction, remedies: Remedies, *, waits: int | None = None) -> None:
        """`waits` is the declaration whose answers are taken back, so that the fight waits in it again."""
        self._waited = fight.battle.window.declaration if fight.battle.window is not None else waits
        self._may_wait = False
        self._old = fight
        self._correction = correction
        self._remedies = remedies
        self._dice = AddedDice(fight.dice_source(remedies.dice), hides=fight.new_dice is NewDice.HIDDEN)
        self._fight = Fight([*fight.events, correction])
        self._moments = {e.seq: e.moment for e in fight.events if isinstance(e, ReactionWindowOpened)}
        self._turns = {(e.round, e.combatant) for e in fight.events if isinstance(e, TurnStarted)}
        self._places: dict[int, int] = {}
        self._entries: dict[int, Entry] = {}

    def run(self, later: Sequence[Segment], restated: Mapping[int, Restatement]) -> Plan:
        ends = {segment.declaration: number for number, segment in enumerate(later)}
        for number, segment in enumerate(later):
            self._may_wait = number == len(later) - 1 or segment.declaration == self._waited
            try:
                self._resolve(segment, restated)
            except NotRolled as missing:
                return self._hidden(later[:number], later[number:], missing)
            if ends[segment.declaration] == number:
                self._check_answered(segment.declaration)
        self._dice.source.finish()
        return self._plan(later)

    def _resolve(self, segment: Segment, restated: Mapping[int, Restatement]) -> None:
        declared = segment.declared
        if declared is not None:
            self._align(declared)
            self._declare_again(declared, segment, restated.get(declared.seq))
        elif self._is_waiting(segment.declaration):
            self._fight.go_on(self._circumstances(Tape(segment.events, self._moments)))

    def _declare_again(self, declared: Declared, segment: Segment, restated: Restatement | None) -> None:
        tape = restated.tape if restated else Tape(segment.events)
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
            verdict = Verdict.AMENDED if restated else Verdict.KEPT
            self._entries[declared.seq] = Entry(declared, verdict, replaced_by=first.seq)

    def _give_up(self, declared: Declared, segment: Segment, refusal: Refusal) -> None:
        if self._remedies.impossible is Impossible.STOP:
            raise Refusal(
                "correction/impossible",
                f"Declaration {declared.seq} would no longer be possible: {refusal.sentence}",
                declaration=declared.seq,
                because=refusal.code,
                available=[Impossible.DROP.value, Impossible.KEEP.value],
            )
        upheld = self._remedies.impossible is Impossible.KEEP and can_be_upheld(declared, segment.events)
        if upheld:
            self._uphold(declared, segment.events)
        verdict = Verdict.UPHELD if upheld else Verdict.IMPOSSIBLE
        place = self._places.get(declared.seq)
        self._entries[declared.seq] = Entry(declared, verdict, refusal.sentence, replaced_by=place)

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

    # Turns

    def _align(self, declared: Declared) -> None:
        """End turns that did not take place before, such as that of somebody who was down then and is not now."""
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
        first, *_ = self._fight.declare_again(template, self._circumstances(Tape()))
        assert isinstance(first, Declared)
        why = f"{whose}'s turn was skipped before; now it takes place, and ends with nothing declared"
        self._entries[first.seq] = Entry(first, Verdict.INSERTED, why, replaced_by=first.seq)

    def _check_turn(self, declared: Declared) -> None:
        """The end of a turn concerns that turn only, whoever declares it."""
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
        """A new window has to be answered, unless the fight was waiting in this declaration anyway."""
        window = self._fight.battle.window
        if window is None or window.waiting is None or not self._is_waiting(declaration):
            return
        if declaration == self._waited or self._is_carried_out:
            return
        names = [ref.rsplit(":", 1)[1] for ref in window.waiting.reactions]
        raise Refusal(
            "correction/needs-answer",
            f"In declaration {declaration}, {window.waiting.reactor} could now react, and has to choose: "
            f"{choices([*names, 'pass'])}.",
            declaration=declaration,
            who=window.waiting.reactor,
            available=names,
        )

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
        """Dice have been rolled for it that cannot be unseen, so it goes through whatever comes up."""
        return self._old.new_dice is NewDice.ROLLED and self._dice.origin is FaceOrigin.COMMITTED

    # The plan

    def _plan(self, later: Sequence[Segment]) -> Plan:
        new = self._fight.events[len(self._old.events) :]
        recorded = _by_declaration(event for segment in later for event in segment.events)
        now = _by_declaration(new)
        for seq, place in self._places.items():
            self._compare(self._entries[seq], recorded[seq], now[place])
        return Plan(
            correction=self._correction,
            entries=sorted(self._entries.values(), key=lambda entry: entry.replaced_by or entry.declared.seq),
            new=new,
            before=self._old.battle,
            after=self._fight.battle,
            dice_added=self._dice.count,
        )

    def _hidden(self, done: Sequence[Segment], undecided: Sequence[Segment], missing: NotRolled) -> Plan:
        """What is known before the first dice that have to be rolled. What becomes of the rest is decided by them."""
        opened = list(dict.fromkeys(segment.declaration for segment in undecided))
        if len(opened) > 1 and self._remedies.impossible is Impossible.STOP:
            raise Refusal(
                "correction/decide-first",
                f"In declaration {opened[0]}, the {missing.purpose} roll needs dice that have not been rolled, and "
                "what follows is only known when they are; decide first what to do with later declarations that are "
                "no longer possible then.",
                declaration=opened[0],
                purpose=missing.purpose,
                dice=list(missing.dice),
                available=[Impossible.DROP.value, Impossible.KEEP.value],
            )
        for declaration in opened:
            self._places.pop(declaration, None)
        plan = self._plan(done)
        plan.new, plan.after, plan.dice_added = [], plan.before, 0
        plan.needs = DiceNeeded(opened[0], missing.purpose, missing.dice)
        known = [entry for entry in plan.entries if entry.declared.seq not in opened]
        plan.entries = [*known, *map(self._open, opened)]
        plan.entries[len(known)].verdict = Verdict.NEEDS_DICE
        return plan

    def _open(self, declaration: int) -> Entry:
        declared = self._old.events[declaration - 1]
        assert isinstance(declared, Declared)
        return Entry(declared, Verdict.OPEN)

    def _compare(self, entry: Entry, recorded: Sequence[Event], now: Sequence[Event]) -> None:
        entry.changes = compare(recorded, now)
        if entry.changes and entry.verdict is Verdict.KEPT:
            entry.verdict = Verdict.CHANGED


def _by_declaration(events: Iterable[Event]) -> dict[int, list[Event]]:
    groups: dict[int, list[Event]] = {}
    for event in events:
        groups.setdefault(event.declaration, []).append(event)
    return groups


def later_segments(events: Sequence[Event], retracted: set[int], first: int) -> list[Segment]:
    """What has to be resolved again: every standing declaration from `first` on, except what is taken back."""
    counting = standing(events)
    declared = {event.seq for event in counting if type(event) is Declared and event.seq >= first} - retracted
    return segments(event for event in counting if event.declaration in declared)


def first_affected(events: Sequence[Event], retracted: set[int]) -> int:
    """Where to begin. A declaration that continued after a retracted ruling is resolved again from its beginning."""
    first = min(retracted)
    return min(event.declaration for event in standing(events) if event.seq >= first)
