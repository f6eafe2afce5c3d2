"""A drill with a duelist and a brigand, and what the tests of this ruleset ask of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from combatlog import Reply
from combatlog.testing import Drill
from ledger.events import ChainModified, Event, Face

ZERO = (0, 0, 0, 0)
"""Fate dice that change nothing."""
ANA, BOR = (5, 5), (6, 5)


def duel(**ana: Any) -> Drill:
    """Ana the duelist next to Bor the brigand, who answers attacks only when told to.

    ana: AP 4, FAT 16, VIT 13; swords 15, dodge 14 (passive 13), focus 11, athletics 10
    bor: AP 2, FAT 14, VIT 19; axes 13, dodge 8 (passive 7), focus 5
    """
    drill = Drill(ruleset="action_points")
    drill.join("duelist", "Ana", ANA, reactions={"*": "never"}, overrides=ana)
    drill.join("brigand", "Bor", BOR, side="foes", reactions={"*": "never"})
    drill.start()
    return drill


def rule(drill: Drill, who: str, **values: int) -> None:
    drill.rule(who, set=values, reason="the test says so")


def pass_turns(drill: Drill, count: int = 1) -> list[Event]:
    return [event for _ in range(count) for event in drill.next_turn()]


def next_round(drill: Drill) -> Sequence[Event]:
    """End turns until the round has ended; the events of the last of them."""
    number = drill["round"]
    while True:
        events = pass_turns(drill)
        if drill["round"] != number or drill["turn"] is None:
            return events


def attack(
    drill: Drill, dice: Sequence[Face], *, answer: str | None = None, by: str = "ana", at: str = "bor", **more: Any
) -> Sequence[Event]:
    """An attack that is answered with a reaction; `how` has the reaction's options, the rest those of the attack."""
    how = more.pop("how", {})
    replies = [Reply(reactor=at, reaction=answer, options=how)] if answer else []
    action = more.pop("action", "attack")
    weapon = more.pop("weapon", None)
    return drill.do(by, action, target=at, weapon=weapon, options=more, dice=dice, replies=replies)


def changes(events: Sequence[Event], chain: str) -> dict[str, int]:
    """What a chain collected, by the last part of each source."""
    found = [event for event in events if isinstance(event, ChainModified) and event.chain == chain]
    return {event.source.rsplit(":", 1)[1]: event.change.amount or 0 for event in found}
