"""The open window: who may react to what, and who has not answered yet."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from ledger.events import Offer, ReactionWindowOpened


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

    @classmethod
    def of(cls, event: ReactionWindowOpened) -> Window:
        return cls(event.seq, event.declaration, event.moment, event.subject, event.offers, event.recorded_at)

    @property
    def waiting(self) -> Offer | None:
        """The offer that has to be answered next."""
        return next((offer for offer in self.offers if offer.reactor not in self.answered), None)
