"""What an entry requires (traits, range, damage, target), what it lets the player choose, and attachments.

Properties that only tell people what to do are also here.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, StrictStr

from combatlog.rules.skirmish.attachments import Detach, attach, of_player
from combatlog.rules.skirmish.board import is_large
from combatlog.rules.skirmish.cards import own_figures
from combatlog.rules.skirmish.library import CHOOSE_ONE, LibraryAbility
from combatlog.rules.skirmish.pieces import Amount, Flag, Nested, Trait, effect, manual, requirement, setting
from combatlog.rules.skirmish.play import Play, Situation, carry_out
from combatlog.rules.skirmish.sheet import choose, figure_sheet, figures_in_play, has_trait, is_in_play, is_ranged
from combatlog.rules.skirmish.targeting import hostiles_of, is_adjacent, one_of, sees, spaces_between
from combatlog.rules.skirmish.vitality import suffered
from combatlog.rules.skirmish.vocabulary import Need, Timing, ref
from projections.battle.combatant import Combatant

Traits = Annotated[list[Trait], Field(min_length=1)]


def _hostiles(play: Situation) -> list[Combatant]:
    return [figure for figure in figures_in_play(play.battle) if figure.side != play.player.side]


@requirement("onlyIfTrait", Traits)
def figure_has_trait(play: Situation, traits: list[str]) -> bool:
    """only if the figure has one of these traits"""
    return has_trait(play.figure_if_any, traits)


@requirement("onlyIfTargetTrait", Traits)
def other_has_trait(play: Situation, traits: list[str]) -> bool:
    """only if the other figure has one of these traits"""
    return has_trait(play.other, traits)


@requirement("onlyIfTargetSmall", Flag)
def other_is_small(play: Situation, wanted: bool) -> bool:
    """only if the other figure covers a single space"""
    return play.other is not None and is_large(play.other) is not wanted


@requirement("onlyIfTargetRanged", Flag)
def other_is_ranged(play: Situation, wanted: bool) -> bool:
    """only if the other figure's attacks are ranged"""
    return play.other is not None and is_ranged(play.other) is wanted


@requirement("onlyIfMelee", Flag)
def figure_is_in_melee(play: Situation, wanted: bool) -> bool:
    """only if the figure's attacks are melee attacks"""
    return play.figure_if_any is not None and is_ranged(play.figure) is not wanted


@requirement("onlyIfTargetWithinSpaces", Amount)
def other_is_near(play: Situation, spaces: int) -> bool:
    """only if the other figure is within this many spaces"""
    return play.figure_if_any is not None and play.other is not None and _is_within(play, spaces)


def _is_within(play: Situation, spaces: int) -> bool:
    assert play.other is not None
    return play.other.position is not None and spaces_between(play.battle, play.figure, play.other) <= spaces


@requirement("onlyIfTargetInSight", Flag)
def other_is_seen(play: Situation, wanted: bool) -> bool:
    """only if the figure has line of sight to the other figure"""
    other = play.other
    return play.figure_if_any is not None and other is not None and sees(play.battle, play.figure, other) is wanted


@requirement("onlyIfTargetHasHighestCost", Flag)
def other_costs_most(play: Situation, wanted: bool) -> bool:
    """only if no hostile figure costs more than the other figure"""
    if play.other is None:
        return False
    dearest = max((figure_sheet(figure).cost for figure in _hostiles(play)), default=0)
    return (figure_sheet(play.other).cost >= dearest) is wanted


@requirement("onlyIfTargetUnique", Flag)
def other_is_unique(play: Situation, wanted: bool) -> bool:
    """only if the other figure is unique"""
    return play.other is not None and figure_sheet(play.other).unique is wanted


@requirement("onlyIfTargetDefeated", Flag)
def other_is_defeated(play: Situation, wanted: bool) -> bool:
    """only if the other figure was defeated"""
    return play.other is not None and (not is_in_play(play.other)) is wanted


@requirement("onlyIfSufferedDamageGte", Amount)
def figure_is_hurt(play: Situation, damage: int) -> bool:
    """only if the figure has suffered at least this much damage"""
    return play.figure_if_any is not None and suffered(play.figure) >= damage


@requirement("onlyIfHostileAdjacent", Flag)
def hostile_is_adjacent(play: Situation, wanted: bool) -> bool:
    """only if a hostile figure is adjacent; if false, only if none is"""
    if play.figure_if_any is None:
        return False
    return any(is_adjacent(play.battle, play.figure, figure) for figure in _hostiles(play)) is wanted


Choices = Annotated[list[Nested], Field(min_length=1)]


def _open(play: Situation) -> list[LibraryAbility]:
    """The choices that would have an effect now."""
    return [inner for inner in play.ability.inner(CHOOSE_ONE) if play.within(inner).applies]


def _some_change(play: Situation, _: Any) -> bool:
    return any(play.within(inner).changes_something for inner in _open(play))


@effect(CHOOSE_ONE, Choices, needs=Need.PLAYER, timing=Timing.DURING_ACTIVATION, nested=True, changes=_some_change)
def choose_one(play: Play, _: Any) -> None:
    """the player chooses one of these; each has a label and properties"""
    by_ref = {ref("choice", inner.label): inner for inner in _open(play)}
    if not by_ref:
        return
    usual = next((name for name, one in by_ref.items() if play.within(one).changes_something), next(iter(by_ref)))
    subject = (play.figure_if_any or play.player).id
    name = choose(play.table, "card.choice", play.player, subject, list(by_ref), default=usual)
    carry_out(play.playing(by_ref[name]))


@manual("logMessage", Annotated[StrictStr, Field(min_length=1, max_length=300)], does="people carry it out")
def say(message: str, label: str) -> str:
    return message


@manual("informational", Flag, does="people carry it out")
def inform(_: bool, label: str) -> str:
    return label


class AttachmentPlace(StrEnum):
    """Where an attachment goes."""

    SELF = "self"
    FRIENDLY = "friendly"
    HOSTILE = "hostile"
    PLAYER = "player"


def _is_new(play: Situation, _: object) -> bool:
    return all(one.ability is not play.ability for one in of_player(play.battle, play.player))


@effect("attach", AttachmentPlace, needs=Need.FIGURE, timing=Timing.DURING_ACTIVATION, changes=_is_new)
def attach_card(play: Play, where: str) -> None:
    """the card stays in play: on the figure's deployment card, on that of a friendly or hostile figure, or in front of
    the player"""
    if where == AttachmentPlace.PLAYER:
        attach(play.table, play.player, play.ability, None)
        return
    bearer = _bearer(play, AttachmentPlace(where))
    if bearer is not None:
        attach(play.table, play.player, play.ability, bearer)


def _bearer(play: Play, where: AttachmentPlace) -> Combatant | None:
    if where is AttachmentPlace.SELF:
        return play.figure
    figures = own_figures if where is AttachmentPlace.FRIENDLY else None
    found = figures(play.battle, play.player) if figures else hostiles_of(play.battle, play.figure)
    return one_of(play, "attach.figure", found)


setting(
    "whileAttached",
    Nested,
    of="attach",
    nested=True,
    does="these properties apply to the player's figure in every attack that the card's bearer takes part in",
)
setting(
    "exhaustTo",
    Nested,
    of="attach",
    nested=True,
    does="once per round the player can exhaust the card to use these properties",
)
setting(
    "depleteTo",
    Nested,
    of="attach",
    nested=True,
    does="once per game the player can deplete the card to use these properties",
)
setting(
    "detachAt",
    Annotated[list[Detach], Field(min_length=1)],
    of="attach",
    does="when the card is discarded automatically",
)
