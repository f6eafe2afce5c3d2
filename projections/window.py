"""The open window: who may react to what, and who has not answered yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from ledger.events import LinkAsked, Offer, ReactionWindowOpened
from projections.links import MOMENT, offer_of


@dataclass(slots=True)
class Window:
    seq: int
    declaration: int
    moment: str
    subject: str
    offers: tuple[Offer, ...]
    asked_at: datetime
    """Since when whoever has to answer next is being asked."""
    answered: set[str] = field(default_factory=set)
    binding: str | None = None
    """With a roll of shared dice: SHA-256 of the host's link, by which players know the roll."""

    @classmethod
    def of(cls, event: ReactionWindowOpened) -> Window:
        return cls(event.seq, event.declaration, event.moment, event.subject, event.offers, event.recorded_at)

    @classmethod
    def of_roll(cls, event: LinkAsked) -> Window:
        """A roll of shared dice that waits for a link."""
        offers = (offer_of(event),)
        return cls(event.seq, event.declaration, MOMENT, event.roller, offers, event.recorded_at, binding=event.binding)

    @property
    def is_for_dice(self) -> bool:
        return self.moment == MOMENT

    @property
    def waiting(self) -> Offer | None:
        """The offer that has to be answered next."""
        return next((offer for offer in self.offers if offer.reactor not in self.answered), None)
