"""Which chain a roll belongs to."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.events import UNRECORDED, ChainModified, Rolled


def modifiers_of(roll: Rolled, collected: Iterable[ChainModified]) -> list[ChainModified]:
    """The modifiers that decided a roll, among those collected before it."""
    return [modifier for modifier in collected if modifier.chain == _chain_of(roll)]


def _chain_of(roll: Rolled) -> str | None:
    """Version 1 did not record the chain. Its rolls begin with the name of their chain, if they have one at all."""
    return roll.purpose.partition(" ")[0] if roll.chain == UNRECORDED else roll.chain
