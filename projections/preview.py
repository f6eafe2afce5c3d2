"""What something would cost and provoke, read off the events of a resolution that was only imagined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, Field

from ledger.events import Event, Moved, ReactionWindowOpened, Ref, ResourceChanged, Who
from projections.phrases import name_of, place, who
from projections.text import and_list, clean, short


class Spent(BaseModel):
    """What is spent of a resource, and what is left of it."""

    resource: str
    amount: int
    left: int


class Provoked(BaseModel):
    """A reaction that somebody could take."""

    who: Who
    reaction: Ref


class Preview(BaseModel):
    """What something would cost and provoke, if nobody reacts who is asked."""

    to: tuple[int, int] | None = Field(default=None, description="where it leads")
    spent: list[Spent] = Field(default_factory=list)
    provoked: list[Provoked] = Field(default_factory=list)


def preview(events: Sequence[Event], actor: str) -> Preview:
    changes = [event for event in events if isinstance(event, ResourceChanged) and event.owner == actor]
    steps = [event for event in events if isinstance(event, Moved) and event.mover == actor]
    return Preview(
        to=steps[-1].to if steps else None,
        spent=[
            spent for name in dict.fromkeys(change.resource for change in changes) if (spent := _spent(name, changes))
        ],
        provoked=[
            provoked for event in events if isinstance(event, ReactionWindowOpened) for provoked in _offered(event)
        ],
    )


def _spent(resource: str, changes: Sequence[ResourceChanged]) -> Spent | None:
    own = [change for change in changes if change.resource == resource]
    amount = own[0].before - own[-1].after
    return Spent(resource=resource, amount=amount, left=own[-1].after) if amount > 0 else None


def _offered(window: ReactionWindowOpened) -> list[Provoked]:
    return [Provoked(who=offer.reactor, reaction=ref) for offer in window.offers for ref in offer.reactions]


def move_in_words(found: Preview, names: Mapping[str, str]) -> str:
    """`To 6,2: 15 movement, 15 left. Provokes opportunity attack from Fang.`"""
    costs = and_list([f"{spent.amount} {name_of(spent.resource)}, {spent.left} left" for spent in found.spent])
    where = f"To {place(found.to)}: {costs or 'free'}." if found.to is not None else "Nowhere."
    by_reaction: dict[str, list[str]] = {}
    for provoked in found.provoked:
        by_reaction.setdefault(short(provoked.reaction), []).append(names.get(provoked.who) or who(provoked.who))
    provokes = [f"{reaction} from {and_list(list(dict.fromkeys(those)))}" for reaction, those in by_reaction.items()]
    return clean(where + (f" Provokes {and_list(provokes)}." if provokes else ""))
