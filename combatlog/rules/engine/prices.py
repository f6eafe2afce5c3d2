"""What a choice costs, as data: so that whoever is asked knows before answering."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pydantic import BaseModel, Field

from ledger.events import Data


class Cost(BaseModel):
    """A resource that a choice uses up."""

    resource: str = Field(description="what is used up, as the events name it: a resource, a pool, or a ref")
    amount: int
    words: str = Field(description="the same for people")


class Price(BaseModel):
    """One way to pay for a choice, and what has to be said to pay in this way."""

    options: Data = Field(default_factory=dict, description="options of the answer; empty: it is the usual way")
    costs: list[Cost] = Field(description="empty: it is free")


def price(costs: Mapping[str, int], words: Callable[[str, int], str], options: Data | None = None) -> Price:
    listed = [Cost(resource=name, amount=amount, words=words(name, amount)) for name, amount in costs.items() if amount]
    return Price(options=options or {}, costs=listed)
