"""Cards that let the player choose one of several effects."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from combatlog.rules.skirmish.ability import CHOOSE_ONE, Ability
from combatlog.rules.skirmish.play import Play, Situation, carry_out
from combatlog.rules.skirmish.player_choice import choose
from combatlog.rules.skirmish.registry import Nested, effect
from combatlog.rules.skirmish.vocabulary import Need, Timing, ref

Choices = Annotated[list[Nested], Field(min_length=1)]


def _open(play: Situation) -> list[Ability]:
    """What would do something now."""
    return [inner for inner in play.ability.inner(CHOOSE_ONE) if play.within(inner).applies]


def _some_change(play: Situation, _: Any) -> bool:
    return any(play.within(inner).changes_something for inner in _open(play))


@effect(CHOOSE_ONE, Choices, needs=Need.PLAYER, timing=Timing.DURING_ACTIVATION, nested=True, changes=_some_change)
def choose_one(play: Play, _: Any) -> None:
    """the player chooses one of these, which are properties with a label"""
    by_ref = {ref("choice", inner.label): inner for inner in _open(play)}
    if not by_ref:
        return
    usual = next((name for name, one in by_ref.items() if play.within(one).changes_something), next(iter(by_ref)))
    subject = (play.figure_if_any or play.player).id
    name = choose(play.table, "card.choice", play.player, subject, list(by_ref), default=usual)
    carry_out(play.playing(by_ref[name]))
