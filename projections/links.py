"""Chains of secrets for shared dice: who has committed to one, and how far it has been revealed.

A link that was revealed stays revealed, whatever is taken back. So this is read from the record, event by event in the
order of their numbers, and not from what stands.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from typing_extensions import TypedDict

from ledger.events import Event, Forked, LinkAsked, LinkRevealed, LinksCommitted, Offer

if TYPE_CHECKING:
    from projections.battle import Battle

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
