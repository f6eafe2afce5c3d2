"""Checking shared dice: every link, who had to give it, and every face. All but the host's chain needs no secret."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from uuid import UUID

from pydantic import BaseModel

from combatlog.rules.engine.roll_history import RollHistory
from combatlog.rules.engine.rolled_dice import dice_of, follows
from combatlog.rules.engine.shared_dice import Answered, contribution_of, host_link, shared_faces
from ledger.events import Event, FaceOrigin, LinkAsked, LinkRevealed, LinksCommitted, LinkWithheld, Rolled
from projections.course import Course
from projections.links import HOST

Wrong = tuple[int, str]
_OWN = {FaceOrigin.SHARED, FaceOrigin.TABLE}
"""Where faces come from in such an encounter. If people rolled, the log says so."""


def wrong_links(events: Sequence[Event], encounter: UUID) -> Iterator[Wrong]:
    """Every event that breaks the protocol, and how. What a fork shares with its parent is checked there."""
    check = _Check(events, encounter)
    for event in events:
        yield from check.look_at(event)


def links_not_of_seed(events: Sequence[Event], encounter: UUID, seed: bytes) -> Iterator[Wrong]:
    """Once the seed is public: every link of the host that does not follow from it, used or not."""
    for event in events:
        if isinstance(event, LinkAsked) and event.encounter == encounter and event.first is None:
            if sha256(host_link(seed, encounter, event.seq)).hexdigest() != event.binding:
                yield event.seq, "the host's link that it fixes does not follow from the seed"
        elif isinstance(event, Rolled) and event.encounter == encounter and event.drawn is not None:
            host = (event.contributions or ())[:1]
            if host and host[0].secret != host_link(seed, encounter, event.drawn).hex():
                yield event.seq, "the host's link does not follow from the seed"


class _Check:
    def __init__(self, events: Sequence[Event], encounter: UUID) -> None:
        self.encounter = encounter
        self.history = RollHistory(events)
        self.course = Course()
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
            return None if is_same else "it does not repeat the question that it says it does"
        battle = self.course.battle
        due = battle.links.party_of(event.roller, {combatant.id for combatant in battle.present()})
        return None if event.party == due else f"it asks {event.party}'s player, and {due}'s was next"

    def _wrong_answer(self, event: Answered) -> str | None:
        asked, known = self.asked.get(event.asked), self.answers.get(event.asked)
        if asked is None or asked.party != event.party:
            return "it answers a question that nobody asked this player"
        if known is not None:
            return None if contribution_of(known) == contribution_of(event) else "it changes an answer on record"
        if isinstance(event, LinkWithheld):
            return None
        links = self.course.battle.links
        if event.party not in links.parties or links.skipped(event.party, event.secret) is None:
            return "the link does not follow from the chain that the player committed to"
        return None

    def _wrong_roll(self, roll: Rolled) -> str | None:
        if roll.dice_source not in _OWN:
            return f"its faces come from {roll.dice_source}, in an encounter with shared dice"
        if roll.dice_source is FaceOrigin.TABLE:
            return None
        carried = self.history.carried(roll)
        if roll.drawn is None:  # a correction in a fork, of what its parent rolled
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
            return "it lacks the host's link"
        is_bound = asked.encounter == roll.encounter
        if is_bound and sha256(bytes.fromhex(links[0].secret)).hexdigest() != asked.binding:
            return "the host's link is not the one that was fixed when the player was asked"
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
    """A roll that only the host had a part in, because the player did not reveal a link."""

    seq: int
    roller: str
    purpose: str
    party: str
    withheld_by: str


class LinksSkipped(BaseModel):
    """Links that a player passed over: they were revealed to somebody, and are not on record."""

    seq: int
    party: str
    skipped: int


class SatDownAgain(BaseModel):
    """A player who went on with another chain."""

    seq: int
    party: str


class SharedDiceReport(BaseModel):
    """How the dice of an encounter were shared. These are no findings: everything here happened in the open."""

    rolls: int = 0
    """How many rolls were checked."""
    alone: list[RolledAlone] = []
    skipped: list[LinksSkipped] = []
    again: list[SatDownAgain] = []


def shared_report(events: Sequence[Event], encounter: UUID) -> SharedDiceReport:
    report, course, withheld = SharedDiceReport(), Course(), dict[int, LinkWithheld]()
    counted: set[int] = set()
    for event in events:
        links = course.battle.links
        if event.encounter != encounter:
            pass
        elif isinstance(event, LinksCommitted) and event.party in links.parties:
            if links.parties[event.party].anchor != event.anchor:
                report.again.append(SatDownAgain(seq=event.seq, party=event.party))
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
