"""Chains of secrets for shared dice: who has committed to one, and how far it has been revealed.

A link that was revealed stays revealed, whatever is taken back. So this is read from the record, event by event in the
order of their numbers, and not from what stands.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256

from ledger.events import Event, Forked, LinkAsked, LinkRevealed, LinksCommitted, Offer

SHARED = "shared"
HOST = "host"
LINK = "core:dice:link"
"""The answer that reveals a link."""
MOMENT = "dice.shared"
"""The window in which a roll waits for a link."""
MOST_SKIPPED = 255
"""A player who revealed a link that was never recorded goes on with the next one. Nobody loses more than a few."""
SIT = "core:dice:sit"
"""The declaration that commits to a chain."""


@dataclass(frozen=True, slots=True)
class Party:
    """A player with a chain."""

    combatants: tuple[str, ...]
    anchor: str
    last: str
    """The link that was revealed last, or the anchor."""
    since: int
    """The event with which they sat down with this chain."""
    asked: int = 0
    """The last time that they were asked; 0: never."""


@dataclass(frozen=True, slots=True)
class Links:
    parties: dict[str, Party] = field(default_factory=dict)
    """By the combatant that they are known by, in the order in which they first sat down."""

    def after(self, event: Event) -> Links:
        """With the next event of the record. What a correction made again is nothing new."""
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
        """How many links were passed over if this one is revealed next; None: it is no later link of the chain."""
        last = bytes.fromhex(self.parties[party].last)
        link = bytes.fromhex(secret)
        for skipped in range(MOST_SKIPPED + 1):
            link = sha256(link).digest()
            if link == last:
                return skipped
        return None

    def party_of(self, roller: str, present: Container[str]) -> str | None:
        """Whose link goes into a roll: that of the roller's player or, if it has none, that of the player whose turn it
        is to vouch for the GM's dice. Those whose combatants have all left are not asked."""
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
    """What waits is answered like a reaction."""
    return Offer(reactor=event.party, reactions=(LINK,))
