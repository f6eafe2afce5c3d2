"""Becoming Focused or Hidden, and discarding harmful conditions."""

from __future__ import annotations

from pydantic import ConfigDict
from typing_extensions import TypedDict

from combatlog.rules.skirmish.figures import activating, chosen_up_to
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.player_choice import choose_up_to
from combatlog.rules.skirmish.registry import Amount, Flag, effect, refinement
from combatlog.rules.skirmish.sheet import figures_in_play
from combatlog.rules.skirmish.targeting import friends_adjacent_to
from combatlog.rules.skirmish.usefulness import some_lack
from combatlog.rules.skirmish.vitality import harmful_on, make, shed
from combatlog.rules.skirmish.vocabulary import FOCUSED, HIDDEN, VICTORY_POINTS, Need, Timing
from projections.combatant import Combatant


class VpCondition(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    opponentHasAtLeastMore: Amount


@effect("applyFocus", Flag, needs=Need.FIGURE, timing=Timing.DURING_ACTIVATION, changes=some_lack(FOCUSED, activating))
def become_focused(play: Play, _: bool) -> None:
    """the figures of the active card become Focused"""
    for figure in activating(play):
        make(play.table, figure, FOCUSED, play.source, play.player.id)


@effect("applyHide", Flag, needs=Need.FIGURE, timing=Timing.DURING_ACTIVATION, changes=some_lack(HIDDEN, activating))
def become_hidden(play: Play, _: bool) -> None:
    """the figures of the active card become Hidden"""
    for figure in activating(play):
        make(play.table, figure, HIDDEN, play.source, play.player.id)


@effect(
    "applyHideWhenDefending",
    Flag,
    needs=Need.DEFENDER,
    timing=Timing.DEFENDING,
    before_roll=True,
    changes=lambda play, _: not play.figure.has(HIDDEN),
)
def hide_from_attack(play: Play, _: bool) -> None:
    """the target becomes Hidden when the attack is declared"""
    make(play.table, play.figure, HIDDEN, play.source, play.player.id)


def _own_figures(play: Situation) -> list[Combatant]:
    return [figure for figure in figures_in_play(play.battle) if figure.side == play.player.side]


@effect(
    "focusGainToUpToNFigures",
    Amount,
    needs=Need.PLAYER,
    timing=Timing.END_OF_ROUND,
    changes=some_lack(FOCUSED, _own_figures),
)
def focus_some(play: Play, limit: int) -> None:
    """up to this many of the player's figures become Focused"""
    for figure in chosen_up_to(play, "focus.figures", _own_figures(play), limit):
        make(play.table, figure, FOCUSED, play.source, play.player.id)


@refinement("vpCondition", VpCondition, of=("focusGainToUpToNFigures", "vpGainSelf", "vpGainOpponent"))
def only_when_behind(play: Situation, limit: int, condition: VpCondition) -> int | None:
    """only if the opponent has at least this many more victory points"""
    lead = play.opponent.economy.left(VICTORY_POINTS) - play.player.economy.left(VICTORY_POINTS)
    return limit if lead >= condition["opponentHasAtLeastMore"] else None


def _adjacent(play: Situation) -> list[Combatant]:
    return friends_adjacent_to(play.battle, activating(play))


@effect(
    "focusGainToAdjacentUpToN",
    Amount,
    needs=Need.FIGURE,
    timing=Timing.DURING_ACTIVATION,
    changes=some_lack(FOCUSED, _adjacent),
)
def focus_adjacent(play: Play, limit: int) -> None:
    """up to this many adjacent friendly figures become Focused"""
    for figure in chosen_up_to(play, "focus.adjacent", _adjacent(play), limit):
        make(play.table, figure, FOCUSED, play.source, play.player.id)


@effect(
    "discardHarmfulConditions",
    Flag,
    needs=Need.FIGURE,
    timing=Timing.START_OF_ACTIVATION,
    changes=lambda play, _: any(map(harmful_on, activating(play))),
)
def discard_harmful(play: Play, _: bool) -> None:
    """the figures of the active card lose Stun, Weaken and Bleed"""
    for figure in activating(play):
        for condition in harmful_on(figure):
            shed(play.table, figure, condition, play.reason)


@effect(
    "discardHarmfulFromAdjacentFigures",
    Flag,
    needs=Need.FIGURE,
    timing=Timing.SPECIAL_ACTION,
    changes=lambda play, _: any(map(harmful_on, _adjacent(play))),
)
def discard_harmful_from_adjacent(play: Play, _: bool) -> None:
    """adjacent friendly figures lose Stun, Weaken and Bleed"""
    for figure in _adjacent(play):
        for condition in harmful_on(figure):
            shed(play.table, figure, condition, play.reason)


@effect(
    "discardUpToNHarmful",
    Amount,
    needs=Need.FIGURE,
    timing=Timing.START_OF_ACTIVATION,
    changes=lambda play, _: bool(harmful_on(play.figure)),
)
def discard_some_harmful(play: Play, limit: int) -> None:
    """the figure loses up to this many harmful conditions"""
    held = harmful_on(play.figure)
    for condition in choose_up_to(play.table, "conditions.discard", play.player, play.figure.id, held, limit):
        shed(play.table, play.figure, condition, play.reason)
