"""Upcasts: how the payload of an old version of a kind becomes that of the next.

An event on record never changes; its payload is upcast each time it is read. What an old version did not say cannot be
made up: such a field gets `UNRECORDED`.
"""

from __future__ import annotations

from collections.abc import Callable

from ledger.events import UNRECORDED, Data

Upcast = Callable[[Data], Data]


def _source_of_change(payload: Data) -> Data:
    """Version 2 says what a resource was spent on; version 1 said so only in words."""
    return {**payload, "source": UNRECORDED}


def _chain_of_roll(payload: Data) -> Data:
    """Version 2 says which chain a roll belongs to."""
    return {**payload, "chain": UNRECORDED}


def _roll_without_number(payload: Data) -> Data:
    """Version 3 gives committed rolls numbers of their own. Those before follow from the event's number."""
    return payload


def _everything_recorded_again(payload: Data) -> Data:
    """Version 1 recorded everything after a correction again, so everything was in its place."""
    return payload


_WITH_BONUSES = ("skirmish:condition:round_defense", "skirmish:condition:next_attacks")


def _condition_without_prose(payload: Data) -> Data:
    """Version 1 kept the reason of each bonus in the condition's data, where no prose belongs."""
    if payload["condition"] not in _WITH_BONUSES:
        return payload
    data = payload.get("data", {})
    bonuses = [{key: value for key, value in bonus.items() if key != "reason"} for bonus in data.get("bonuses", ())]
    return {**payload, "data": {**data, "bonuses": bonuses}}


UPCASTS: dict[tuple[str, int], Upcast] = {
    ("amended", 1): _everything_recorded_again,
    ("condition_applied", 1): _condition_without_prose,
    ("resource_changed", 1): _source_of_change,
    ("rolled", 1): _chain_of_roll,
    ("rolled", 2): _roll_without_number,
    ("undone", 1): _everything_recorded_again,
}
"""Keyed by kind and the version it starts from; each returns the payload of the next version."""
