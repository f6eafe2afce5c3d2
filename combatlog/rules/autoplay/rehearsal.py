"""Trying automatic play without recording anything, so that it does not stop halfway for want of dice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

from combatlog.rules.autoplay.auto import Limits, play
from combatlog.rules.engine.dice_settings import TABLE, DiceSetting, read_setting
from combatlog.rules.engine.fight import Fight
from combatlog.rules.engine.refusal import Refusal, listing
from ledger.events import Event
from projections.journal import copy_of


def check_needs_no_dice(
    fight: Fight, limits: Limits, sides: Collection[str], history: Callable[[], Sequence[Event]]
) -> None:
    """Refuse a fight whose dice are rolled at the table, unless automatic play would need none.

    Where only some roll at the table, those must not be among the sides that are played.
    """
    setting = read_setting(fight.battle.encounter.dice)
    if setting.is_mixed:
        _check_sides(fight, setting, sides)
    if setting.is_mixed or setting.usual != TABLE:
        return
    try:
        for _ in play(_copied(fight, history), limits, sides):
            pass
    except Refusal as refusal:
        if refusal.code != "dice/too-few":
            raise
        raise Refusal(
            "auto/table-dice",
            "The dice of this fight are rolled at the table, so it cannot be played automatically.",
            encounter=fight.battle.name,
            **refusal.facts,
        ) from refusal


def _copied(fight: Fight, history: Callable[[], Sequence[Event]]) -> Fight:
    """An answer runs the waiting declaration again, which takes the events, and not only what they came to."""
    if fight.battle.window is not None:
        return Fight(history(), now=fight.now)
    return Fight(start=copy_of(fight.battle), now=fight.now)


def _check_sides(fight: Fight, setting: DiceSetting, sides: Collection[str]) -> None:
    played = [one for one in fight.battle.present() if not sides or one.side in sides]
    by_hand = [one.id for one in played if setting.of(one) == TABLE]
    if by_hand:
        raise Refusal(
            "auto/table-dice",
            f"The dice of {listing(by_hand)} are rolled at the table, so they cannot be played automatically.",
            encounter=fight.battle.name,
            available=sorted({one.side for one in fight.battle.present() if setting.of(one) != TABLE}),
        )


@contextmanager
def naming_the_roller() -> Iterator[None]:
    """Say whose roll stops automatic play, if others have to roll at the table."""
    try:
        yield
    except Refusal as refusal:
        if refusal.code != "dice/too-few" or not refusal.facts.get("roller"):
            raise
        facts = refusal.facts
        raise Refusal(
            "auto/needs-roll",
            f"{facts['roller']} has to roll {' '.join(facts['dice'])} at the table: {facts['purpose']}. "
            "What comes next cannot be played automatically; what was played before stays.",
            **facts,
        ) from refusal
