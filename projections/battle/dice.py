"""Recorded dice: their notation, the numbers of committed rolls, and the hash chains of shared dice.

The next committed roll gets the lowest free number.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from typing_extensions import TypedDict

from ledger.events import Event, Forked, LinkAsked, LinkRevealed, LinksCommitted, Offer

if TYPE_CHECKING:
    from projections.battle.fold import Battle


FATE = (1, 1, 0, 0, -1, -1)
_EXPLODING = re.compile(r"([0-9]{1,3})dF\+")
_TERM = re.compile(r"([+-]?)(?:([0-9]{0,3})d([0-9]{1,4}|F|\{[^}]{0,4000}\})(?:k([hl])([0-9]{0,3}))?|([0-9]{1,6}))")
"""More dice than any rules roll. Larger notations, such as a die with a billion sides, are read as None."""


@dataclass(frozen=True, slots=True)
class DiceGroup:
    """Dice of one kind. `keep` 1: only the highest counts; -1: only the lowest; None: all count."""

    count: int
    name: str
    faces: tuple[int | str, ...]
    keep: int | None = None

    @property
    def sides(self) -> int | None:
        """The number of sides of a die that is numbered from 1."""
        return len(self.faces) if self.name[1:].isdigit() else None


@dataclass(frozen=True, slots=True)
class DiceNotation:
    groups: tuple[DiceGroup, ...]
    constant: int = 0
    explodes: bool = False

    def dice(self, faces: int) -> list[DiceGroup]:
        """The kind of each die in a roll with this many faces. Exploded dice are of the kinds first thrown."""
        throw = [group for group in self.groups for _ in range(group.count)]
        return [throw[place % len(throw)] for place in range(faces)] if throw else []


@lru_cache(maxsize=4096)
def read_notation(text: str) -> DiceNotation | None:
    compact = text.replace(" ", "")
    if exploding := _EXPLODING.fullmatch(compact):
        return DiceNotation((DiceGroup(int(exploding[1]), "dF", FATE),), explodes=True)
    terms = list(_TERM.finditer(compact))
    if not terms or "".join(term[0] for term in terms) != compact or not all(term[1] for term in terms[1:]):
        return None
    groups = tuple(_group(term) for term in terms if term[3])
    return DiceNotation(groups, sum(int(term[1] + term[6]) for term in terms if term[6]))


def _group(term: re.Match[str]) -> DiceGroup:
    keep = int(term[5] or 1) * (1 if term[4] == "h" else -1) if term[4] else None
    return DiceGroup(int(term[2] or 1), f"d{term[3]}", _faces(term[3]), keep)


def _faces(die: str) -> tuple[int | str, ...]:
    if die == "F":
        return FATE
    if die.isdigit():
        return tuple(range(1, int(die) + 1))
    parts = die.strip("{}").split(",")
    return tuple(int(part) if re.fullmatch(r"[+-]?[0-9]{1,6}", part) else part for part in parts)


@dataclass(slots=True)
class RollNumbers:
    """Which numbers are taken, counting from 1. They are nearly always consecutive, so only exceptions are stored one
    by one.

    An imported event may hold any number, so no operation may cost as much as a number is large.
    """

    upto: int = 0
    """Every number up to this one is taken, unless it is in `free`."""
    free: set[int] = field(default_factory=set)
    beyond: set[int] = field(default_factory=set)
    """Higher numbers that are taken."""

    def holds(self, number: int) -> bool:
        return number in self.beyond or (number <= self.upto and number not in self.free)

    @property
    def lowest_free(self) -> int:
        return min(self.free, default=self.upto + 1)

    def all_free(self) -> Iterator[int]:
        """Every free number, lowest first. Numbers already yielded may be taken in the meantime."""
        yield from sorted(self.free)
        yield from (number for number in count(self.upto + 1) if not self.holds(number))

    def take(self, number: int) -> None:
        if number <= self.upto:
            self.free.discard(number)
            return
        self.beyond.add(number)
        while self.upto + 1 in self.beyond:
            self.upto += 1
            self.beyond.remove(self.upto)

    def release(self, number: int) -> None:
        if number > self.upto:
            self.beyond.discard(number)
            return
        self.free.add(number)
        while self.upto in self.free:
            self.free.remove(self.upto)
            self.upto -= 1

    def copy(self) -> RollNumbers:
        return RollNumbers(self.upto, set(self.free), set(self.beyond))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RollNumbers) and self._held_above() == other._held_above()

    def _held_above(self) -> tuple[int, set[int]]:
        """The lowest free number and the taken ones above it, regardless of the order in which they were taken."""
        lowest = self.lowest_free
        return lowest, self.beyond | (set(range(lowest, self.upto + 1)) - self.free)


SHARED = "shared"
HOST = "host"
LINK = "core:dice:link"
"""The answer that reveals a link."""
MOMENT = "dice.shared"
"""The window in which a roll waits for a link."""
MOST_SKIPPED = 255
"""How many links a player may skip: one who revealed a link that was never recorded goes on with the next."""
SIT = "core:dice:sit"
"""The declaration that commits to a chain."""


@dataclass(frozen=True, slots=True)
class Party:
    """A player with a hash chain."""

    combatants: tuple[str, ...]
    anchor: str
    last: str
    """The link that was revealed last, or the anchor."""
    since: int
    """The event with which the player joined with this chain."""
    asked: int = 0
    """When the player was last asked; 0: never."""


@dataclass(frozen=True, slots=True)
class Links:
    parties: dict[str, Party] = field(default_factory=dict)
    """By the combatant that identifies the player, in the order in which they first joined."""

    def after(self, event: Event) -> Links:
        """The links after the next event of the record. Events that a correction records again change nothing."""
        match event:
            case LinksCommitted():
                return self._committed(event)
            case LinkAsked() if event.first is None and event.party in self.parties:
                return self._changed(event.party, asked=event.seq)
            case LinkRevealed() if event.party in self.parties and self.skipped(event.party, event.secret) is not None:
                return self._changed(event.party, last=event.secret)
            case Forked():
                return Links()
        return self

    def _committed(self, event: LinksCommitted) -> Links:
        known = self.parties.get(event.party)
        if known is not None and known.anchor == event.anchor:
            return self
        asked = known.asked if known is not None else 0
        party = Party(event.combatants, event.anchor, event.anchor, event.seq, asked)
        return Links({**self.parties, event.party: party})

    def _changed(self, party: str, **changes: str | int) -> Links:
        return Links({**self.parties, party: replace(self.parties[party], **changes)})  # type: ignore[arg-type]

    def skipped(self, party: str, secret: str) -> int | None:
        """How many links are skipped if this one is revealed next; None: it is not a later link of the chain."""
        last = bytes.fromhex(self.parties[party].last)
        link = bytes.fromhex(secret)
        for skipped in range(MOST_SKIPPED + 1):
            link = sha256(link).digest()
            if link == last:
                return skipped
        return None

    def party_of(self, roller: str, present: Container[str]) -> str | None:
        """Whose link goes into a roll: the player of the roller or, if it has none, the player whose turn it is to
        vouch for the GM's dice. Players whose combatants have all left are not asked."""
        seated = {
            name: party for name, party in self.parties.items() if any(who in present for who in party.combatants)
        }
        own = [name for name, party in seated.items() if roller in party.combatants]
        if own:
            return max(own, key=lambda name: seated[name].since)
        return min(seated, key=lambda name: seated[name].asked, default=None)


def links_after(events: Iterable[Event], links: Links | None = None) -> Links:
    known = links or Links()
    for event in events:
        if type(event) in ABOUT_LINKS:
            known = known.after(event)
    return known


ABOUT_LINKS = {LinksCommitted, LinkAsked, LinkRevealed, Forked}


def offer_of(event: LinkAsked) -> Offer:
    """The waiting link as an offer, so that it is answered like a reaction."""
    return Offer(reactor=event.party, reactions=(LINK,))


class SeatedParty(TypedDict):
    combatants: Annotated[list[str], Field(description="the combatants whose rolls the player has a part in")]
    anchor: Annotated[str, Field(description="what the player committed to")]
    last: Annotated[str, Field(description="the link that was revealed last, or the anchor")]


class WaitingRoll(TypedDict):
    party: Annotated[str, Field(description="whose player has to reveal a link")]
    roller: Annotated[str, Field(description="whose roll it is; `gm` if that is not seen")]
    binding: Annotated[str, Field(description="SHA-256 of the host's link, by which the roll is known")]


class SharedDice(TypedDict):
    encounter: Annotated[str, Field(description="the encounter's id")]
    dice: Annotated[str, Field(description="where the dice of the fight come from")]
    commitment: Annotated[str | None, Field(description="SHA-256 of the seed that the host's links follow from")]
    parties: Annotated[dict[str, SeatedParty], Field(description="by the combatant that each is known by")]
    waiting: Annotated[WaitingRoll | None, Field(description="the roll that waits for a link")]


def shared_dice(battle: Battle) -> SharedDice:
    return {
        "encounter": str(battle.id),
        "dice": battle.encounter.dice,
        "commitment": battle.commitment,
        "parties": {
            name: {"combatants": list(party.combatants), "anchor": party.anchor, "last": party.last}
            for name, party in battle.links.parties.items()
        },
        "waiting": _waiting(battle),
    }


def _waiting(battle: Battle) -> WaitingRoll | None:
    window = battle.window
    if window is None or window.waiting is None or window.binding is None:
        return None
    return {"party": window.waiting.reactor, "roller": window.subject, "binding": window.binding}
