"""Cards that let figures move or attack at once, whoever's activation it is."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NotRequired

from pydantic import ConfigDict
from typing_extensions import TypedDict

from combatlog.rules.skirmish.effects.requirements import Traits
from combatlog.rules.skirmish.figures import chosen_up_to, friends_within, hostiles_of
from combatlog.rules.skirmish.interrupting import attack_now, move_now, place_within
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.registry import Amount, Flag, Nested, effect, setting
from combatlog.rules.skirmish.sheet import has_trait
from combatlog.rules.skirmish.targeting import targets_of
from combatlog.rules.skirmish.vocabulary import Need, Timing
from projections.combatant import Combatant

WHILE_INTERRUPTING = "whileInterrupting"


class Target(StrEnum):
    """Whom an interrupting figure can attack."""

    ANY = "any"
    OTHER = "other"
    DIFFERENT = "different"


class Interrupt(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    move: NotRequired[Amount]
    attack: NotRequired[Flag]
    target: NotRequired[Target]
    friendlyWithin: NotRequired[Amount]
    traits: NotRequired[Traits]
    upTo: NotRequired[Amount]


def _candidates(play: Situation, value: dict[str, Any]) -> list[Combatant]:
    """The figures that may interrupt: the one the card is played for, or its friends."""
    spaces = value.get("friendlyWithin")
    figures = [play.figure] if spaces is None else friends_within(play.battle, play.figure, spaces)
    traits = value.get("traits")
    return [figure for figure in figures if traits is None or has_trait(figure, traits)]


def _targets(play: Situation, figure: Combatant, which: str) -> list[Combatant]:
    hostile = hostiles_of(play.battle, figure)
    if which == Target.ANY:
        return hostile
    return [one for one in hostile if (one is play.other) is (which == Target.OTHER)]


def _does_something(play: Situation, value: dict[str, Any]) -> bool:
    """Somebody can move, or has a target already."""
    figures = _candidates(play, value)
    if value.get("move"):
        return bool(figures)
    allowed = [(one, target) for one in figures for target in _allowed(play, one, value)]
    return any(target in targets_of(play.battle, one) for one, target in allowed)


def _allowed(play: Situation, figure: Combatant, value: dict[str, Any]) -> list[Combatant]:
    return _targets(play, figure, value.get("target", Target.ANY)) if value.get("attack") else []


@effect("interrupt", Interrupt, needs=Need.FIGURE, timing=Timing.HOSTILE_ACTIVATES, last=True, possible=_does_something)
def interrupt(play: Play, value: dict[str, Any]) -> None:
    """the figure, or up to so many friendly figures within some spaces, may move with this many movement points, then
    attack any hostile figure, the other figure, or a different one"""
    for figure in chosen_up_to(play, "interrupt.who", _candidates(play, value), value.get("upTo", 1)):
        if points := value.get("move"):
            move_now(play.table, figure, points, then_attack=value.get("attack", False))
        targets = _allowed(play, figure, value)
        if targets:
            attack_now(play.table, figure, targets, play.ability.inner(WHILE_INTERRUPTING))


setting(
    WHILE_INTERRUPTING,
    Nested,
    of="interrupt",
    nested=True,
    does="these properties apply to the attacks",
)

STILL_FASTER = {"move": 2, "attack": True, "target": Target.DIFFERENT}


@effect("setsStillFaster", Flag, needs=Need.FIGURE, timing=Timing.HOSTILE_ACTIVATES)
def be_faster(play: Play, _: bool) -> None:
    """the figure may move with 2 movement points, then attack a hostile figure other than the one that activates"""
    interrupt(play, STILL_FASTER)


@effect("pounceRange", Amount, needs=Need.MOVER, timing=Timing.SPECIAL_ACTION)
def pounce(play: Play, spaces: int) -> None:
    """the figure is placed in an empty space within this many spaces, which the player chooses; then it may attack"""
    place_within(play.table, play.figure, spaces)
    attack_now(play.table, play.figure, hostiles_of(play.battle, play.figure))
