"""Check committed and shared dice: the numbers of their rolls at any time, every face once the seed is public.

Shared dice are checked link by link, and the host's links against its seed. Checking the numbers needs no seed: each
must be the next one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from hashlib import sha256
from uuid import UUID

from pydantic import BaseModel

from combatlog.rules.engine.dice.dice_notation import Die, parse
from combatlog.rules.engine.dice.dice_settings import COMMITTED, is_shared, read_setting
from combatlog.rules.engine.dice.dice_sources import CommittedDice, commitment_to, face_by_event
from combatlog.rules.engine.dice.shared_dice import Answered, contribution_of, host_link, shared_faces
from combatlog.rules.verification.retracted_rolls import RollHistory
from ledger.events import (
    EncounterClosed,
    Event,
    Face,
    FaceOrigin,
    LinkAsked,
    LinkRevealed,
    LinksCommitted,
    LinkWithheld,
    Rolled,
)
from projections.battle.dice import HOST, RollNumbers
from projections.battle.event_history import EventHistory
from projections.battle.fold import Battle, fold
from projections.battle.timeline import Timeline, is_correction


def committed_rolls(events: Sequence[Event], encounter: UUID) -> list[Rolled]:
    """The rolls that must follow from the encounter's own seed, without those of a shared past."""
    rolls = (event for event in events if isinstance(event, Rolled) and event.encounter == encounter)
    return [roll for roll in rolls if roll.dice_source is FaceOrigin.COMMITTED]


def unfair(events: Sequence[Event]) -> Iterator[tuple[int, str]]:
    """Every event that breaks a commitment, with the problem. The faces of committed dice and the host's links of
    shared dice can only be checked against the seed once the encounter has closed."""
    battle = fold(events)
    shared = is_shared(battle.encounter.dice)
    if battle.commitment is None:
        if shared:
            yield 1, "it has shared dice, but no commitment by the host"
        return
    yield from wrong_links(events, battle.id) if shared else wrong_numbers(events, battle.id)
    closings = [event for event in events if isinstance(event, EncounterClosed) and event.encounter == battle.id]
    if not closings:
        return
    closing = closings[0]
    seed = bytes.fromhex(closing.seed) if closing.seed is not None else None
    if commitment_to(seed) != battle.commitment:
        yield closing.seq, _WRONG_SEED if seed else _NO_SEED
    elif seed is not None and shared:
        yield from links_not_of_seed(events, battle.id, seed)
    elif seed is not None:
        yield from _wrong_faces(events, battle, seed)


_FOREIGN = {FaceOrigin.RNG, FaceOrigin.SEED}
"""Sources that never roll for combatants with committed dice. People may roll for them, which the log shows."""

_NO_SEED = "it does not reveal the seed of the dice"
_WRONG_SEED = "it reveals a seed other than the one that the encounter committed to"


def _wrong_faces(events: Sequence[Event], battle: Battle, seed: bytes) -> Iterator[tuple[int, str]]:
    encounter, setting = battle.id, read_setting(battle.encounter.dice)
    for event in events:
        if not isinstance(event, Rolled) or event.encounter != encounter or event.dice_source not in _FOREIGN:
            continue
        if setting.of(battle.combatants.get(event.roller)) == COMMITTED:
            yield event.seq, f"its faces come from {event.dice_source}, although the encounter has committed dice"
    history = RollHistory(events)
    for roll in committed_rolls(events, encounter):
        computed = _computed(roll, history.correction(roll) or 0, seed)
        carried = [(), *(shown.faces for shown in history.carried(roll))]
        if not any(follows(roll.faces, computed, taped) for taped in carried):
            expected = ", ".join(map(str, computed))
            yield roll.seq, f"its faces do not follow from the seed; they should be {expected}"


def _computed(roll: Rolled, correction: int, seed: bytes) -> list[Face]:
    dice = enumerate(dice_of(roll))
    if roll.drawn is None:
        return [face_by_event(seed, roll.encounter, correction, roll.seq, index, die) for index, die in dice]
    source = CommittedDice(seed, roll.encounter)
    return [source.face(seed, die, roll.drawn, index) for index, die in dice]


def dice_of(roll: Rolled) -> list[Die]:
    """The die of every recorded face; more than in the notation if dice exploded."""
    notation = parse(roll.notation)
    dice: list[Die] = []
    while len(dice) < len(roll.faces) and (needed := notation.needed(roll.faces[: len(dice)])):
        dice += needed
    return dice


def follows(faces: Sequence[object], computed: Sequence[object], taped: Sequence[object]) -> bool:
    """Whether each face was computed for its place, or rolled earlier and carried over by a correction."""
    return len(faces) <= len(computed) and all(
        face in (computed[index], *taped[index : index + 1]) for index, face in enumerate(faces)
    )


Wrong = tuple[int, str]
_OWN = {FaceOrigin.SHARED, FaceOrigin.TABLE}
"""The possible sources of faces in an encounter with shared dice. The log shows if people rolled."""


def wrong_links(events: Sequence[Event], encounter: UUID) -> Iterator[Wrong]:
    """Every event that breaks the protocol, with the problem. A fork's shared past is checked in its parent."""
    check = _Check(events, encounter)
    for event in events:
        yield from check.look_at(event)


def links_not_of_seed(events: Sequence[Event], encounter: UUID, seed: bytes) -> Iterator[Wrong]:
    """With the public seed: every link of the host, used or not, that does not follow from it."""
    for event in events:
        if isinstance(event, LinkAsked) and event.encounter == encounter and event.first is None:
            if sha256(host_link(seed, encounter, event.seq)).hexdigest() != event.binding:
                yield event.seq, "the host's link in it does not follow from the seed"
        elif isinstance(event, Rolled) and event.encounter == encounter and event.drawn is not None:
            host = (event.contributions or ())[:1]
            if host and host[0].secret != host_link(seed, encounter, event.drawn).hex():
                yield event.seq, "the host's link does not follow from the seed"


class _Check:
    def __init__(self, events: Sequence[Event], encounter: UUID) -> None:
        self.encounter = encounter
        self.history = RollHistory(events)
        self.course = EventHistory()
        self.asked: dict[int, LinkAsked] = {}
        self.answers: dict[int, Answered] = {}
        self.rolled: set[int] = set()

    def look_at(self, event: Event) -> Iterator[Wrong]:
        problem = self._problem(event) if event.encounter == self.encounter else None
        if problem is not None:
            yield event.seq, problem
        if isinstance(event, LinkAsked):
            self.asked.setdefault(event.number, event)
        elif isinstance(event, LinkRevealed | LinkWithheld):
            self.answers.setdefault(event.asked, event)
        elif isinstance(event, Rolled) and event.drawn is not None:
            self.rolled.add(event.drawn)
        self.course.feed(event)

    def _problem(self, event: Event) -> str | None:
        if isinstance(event, LinkAsked):
            return self._wrong_question(event)
        if isinstance(event, LinkRevealed | LinkWithheld):
            return self._wrong_answer(event)
        if isinstance(event, Rolled):
            return self._wrong_roll(event)
        return None

    def _wrong_question(self, event: LinkAsked) -> str | None:
        if event.first is not None:
            first = self.asked.get(event.first)
            is_same = first is not None and _meaning(first) == _meaning(event)
            return None if is_same else "it differs from the question that it claims to repeat"
        battle = self.course.battle
        due = battle.links.party_of(event.roller, {combatant.id for combatant in battle.present()})
        return None if event.party == due else f"it asks {event.party}'s player, but {due}'s was next"

    def _wrong_answer(self, event: Answered) -> str | None:
        asked, known = self.asked.get(event.asked), self.answers.get(event.asked)
        if asked is None or asked.party != event.party:
            return "it answers a question that this player was not asked"
        if known is not None:
            return None if contribution_of(known) == contribution_of(event) else "it changes a recorded answer"
        if isinstance(event, LinkWithheld):
            return None
        links = self.course.battle.links
        if event.party not in links.parties or links.skipped(event.party, event.secret) is None:
            return "the link does not follow from the chain that the player committed to"
        return None

    def _wrong_roll(self, roll: Rolled) -> str | None:
        if roll.dice_source not in _OWN:
            return f"its faces come from {roll.dice_source}, although the encounter has shared dice"
        if roll.dice_source is FaceOrigin.TABLE:
            return None
        carried = self.history.carried(roll)
        if roll.drawn is None:  # a correction in a fork of a roll from its parent
            is_carried = any(roll.faces == shown.faces[: len(roll.faces)] for shown in carried)
            return None if is_carried else "no player was asked for a link"
        asked = self.asked.get(roll.drawn)
        if asked is None or (asked.purpose, asked.roller) != (roll.purpose, roll.roller):
            return "no player was asked for a link"
        if roll.drawn in self.rolled and all(roll.drawn != shown.drawn for shown in carried):
            return f"the links of question {roll.drawn} were used before"
        return self._wrong_links(roll, asked) or self._wrong_faces(roll, [shown.faces for shown in carried])

    def _wrong_links(self, roll: Rolled, asked: LinkAsked) -> str | None:
        links = roll.contributions or ()
        if not links or links[0].party != HOST:
            return "the host's link is missing"
        is_bound = asked.encounter == roll.encounter
        if is_bound and sha256(bytes.fromhex(links[0].secret)).hexdigest() != asked.binding:
            return "the host's link is not the one committed to when the player was asked"
        if roll.drawn not in self.answers:
            return "the player had not answered yet"
        if links[1:] != contribution_of(self.answers[roll.drawn]):
            return "the player's link is not the one that was revealed"
        return None

    def _wrong_faces(self, roll: Rolled, carried: Sequence[Sequence[object]]) -> str | None:
        computed = shared_faces(dice_of(roll), roll.contributions or ())
        if any(follows(roll.faces, computed, taped) for taped in [(), *carried]):
            return None
        return f"its faces do not follow from the links; they should be {', '.join(map(str, computed))}"


def _meaning(asked: LinkAsked) -> tuple[str, ...]:
    return asked.purpose, asked.roller, asked.party, asked.binding


class RolledAlone(BaseModel):
    """A roll that the host alone decided, because the player did not reveal a link."""

    seq: int
    roller: str
    purpose: str
    party: str
    withheld_by: str


class LinksSkipped(BaseModel):
    """Links that a player skipped: they may have been revealed, but are not recorded."""

    seq: int
    party: str
    skipped: int


class CommittedAgain(BaseModel):
    """A player who continued with another chain."""

    seq: int
    party: str


class SharedDiceReport(BaseModel):
    """How the dice of an encounter were shared. These are not findings: everything here happened in the open."""

    rolls: int = 0
    """The number of checked rolls."""
    alone: list[RolledAlone] = []
    skipped: list[LinksSkipped] = []
    again: list[CommittedAgain] = []


def shared_report(events: Sequence[Event], encounter: UUID) -> SharedDiceReport:
    report, course, withheld = SharedDiceReport(), EventHistory(), dict[int, LinkWithheld]()
    counted: set[int] = set()
    for event in events:
        links = course.battle.links
        if event.encounter != encounter:
            pass
        elif isinstance(event, LinksCommitted) and event.party in links.parties:
            if links.parties[event.party].anchor != event.anchor:
                report.again.append(CommittedAgain(seq=event.seq, party=event.party))
        elif isinstance(event, LinkRevealed) and event.party in links.parties:
            if skipped := links.skipped(event.party, event.secret):
                report.skipped.append(LinksSkipped(seq=event.seq, party=event.party, skipped=skipped))
        elif isinstance(event, LinkWithheld):
            withheld.setdefault(event.asked, event)
        elif isinstance(event, Rolled) and event.drawn is not None and event.drawn not in counted:
            counted.add(event.drawn)
            report.rolls += 1
            if event.drawn in withheld:
                report.alone.append(_alone(event, withheld[event.drawn]))
        course.feed(event)
    return report


def _alone(roll: Rolled, withheld: LinkWithheld) -> RolledAlone:
    return RolledAlone(
        seq=roll.seq, roller=roll.roller, purpose=roll.purpose, party=withheld.party, withheld_by=withheld.by
    )


def wrong_numbers(events: Sequence[Event], encounter: UUID) -> Iterator[tuple[int, str]]:
    """Rolls with wrong or missing numbers, and the problem."""
    history, numbering = RollHistory(events), Numbering()
    for event in events:
        numbering.follow(event)
        if isinstance(event, Rolled) and event.encounter == encounter:
            if problem := _wrong_number(event, history, numbering):
                yield event.seq, problem
            numbering.add(event)


def _wrong_number(roll: Rolled, history: RollHistory, numbering: Numbering) -> str | None:
    if not roll.faces and roll.drawn is None:  # no dice, such as the damage of an unarmed strike
        return None
    carried = history.carried(roll)
    if roll.drawn is None:
        is_old = not numbering.has_begun or any(roll.faces == shown.faces[: len(roll.faces)] for shown in carried)
        if roll.dice_source is not FaceOrigin.COMMITTED or is_old:
            return None
        return "it has no number, although earlier committed rolls have one"
    if any((roll.encounter, roll.drawn) == (shown.encounter, shown.drawn) for shown in carried):
        return None
    expected = numbering.next_number(in_correction=history.correction(roll) is not None)
    return None if roll.drawn in expected else f"it is committed roll {roll.drawn}, but roll {expected[0]} was next"


class Numbering:
    """The numbers that are held by standing rolls after each event."""

    def __init__(self) -> None:
        self.has_begun = False
        self._held = RollNumbers()
        self._before_correction = RollNumbers()
        """The numbers held before the last correction, and those drawn since. A correction does not reuse the numbers
        that it frees, because it does not know yet which of them it will need again."""
        self._timeline = Timeline()
        self._holders: Counter[int] = Counter()
        self._of: defaultdict[int, list[int]] = defaultdict(list)

    def follow(self, event: Event) -> None:
        """Follow the next event, including rolls that it retracts or restores."""
        if is_correction(event):
            self._before_correction = self._held.copy()
        for declaration in sorted(self._timeline.add(event), reverse=True):
            change = self._drop if declaration in self._timeline.fallen else self._hold
            for number in reversed(self._of.get(declaration, ())):
                change(number)

    def next_number(self, *, in_correction: bool) -> list[int]:
        """The possible next numbers. A declaration resolved by a correction can draw during the correction, or when it
        continues after an answer."""
        held = [self._before_correction, self._held] if in_correction else [self._held]
        return [numbers.lowest_free for numbers in held]

    def add(self, roll: Rolled) -> None:
        if roll.drawn is None:
            return
        self.has_begun = True
        self._of[roll.declaration].append(roll.drawn)
        self._before_correction.take(roll.drawn)
        if roll.declaration not in self._timeline.fallen:
            self._hold(roll.drawn)

    def _hold(self, number: int) -> None:
        self._holders[number] += 1
        self._held.take(number)

    def _drop(self, number: int) -> None:
        self._holders[number] -= 1
        if not self._holders[number]:
            self._held.release(number)
