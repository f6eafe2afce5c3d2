"""What clients and services of different releases agree on: two numbers that come with every answer of a service."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

HEADER = "X-Combatlog-Contract"
_WRITTEN = re.compile(r"(\d{1,9}) since (\d{1,9})")


class Contract(NamedTuple):
    number: int
    """Raised whenever clients need something that services did not have before."""
    since: int
    """The oldest contract that clients may know. Raised whenever something is taken away that they need."""

    def __str__(self) -> str:
        return f"{self.number} since {self.since}"


OURS = Contract(1, 1)


def contract_in(headers: Mapping[str, str]) -> Contract | None:
    """What a service says; None if whatever answers says nothing, such as a proxy."""
    said = _WRITTEN.fullmatch(headers.get(HEADER.lower(), ""))
    return Contract(int(said[1]), int(said[2])) if said is not None else None
