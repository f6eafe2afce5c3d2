"""Becoming Focused or Hidden, discarding harmful conditions, recovering damage, and gaining power tokens.

Power tokens without a named kind are wild: the player chooses the kind when spending them.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from combatlog.rules.skirmish.pieces import Amount, Flag, Trait, effect, refinement
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.sheet import (
    TOKEN_LIMIT,
    TokenKind,
    choose,
    choose_up_to,
    figures_in_play,
    gain_power_tokens,
    group_of,
    has_trait,
    token_count,
)
from combatlog.rules.skirmish.targeting import (
    activating,
    chosen_up_to,
    friends_adjacent_to,
    one_of,
    some_lack,
    spaces_between,
)
from combatlog.rules.skirmish.vitality import end_condition, give_condition, harmful_on, recover, suffered
from combatlog.rules.skirmish.vocabulary import FOCUSED, HIDDEN, VICTORY_POINTS, Need, Timing, ref
from projections.battle.combatant import Combatant


class VpCondition(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    opponentHasAtLeastMore: Amount


@effect("applyFocus", Flag, needs=Need.FIGURE, timing=Timing.DURING_ACTIVATION, changes=some_lack(FOCUSED, activating))
def become_focused(play: Play, _: bool) -> None:
    """the figures of the active card become Focused"""
    for figure in activating(play):
        give_condition(play.table, figure, FOCUSED, play.source, play.player.id)


@effect("applyHide", Flag, needs=Need.FIGURE, timing=Timing.DURING_ACTIVATION, changes=some_lack(HIDDEN, activating))
def become_hidden(play: Play, _: bool) -> None:
    """the figures of the active card become Hidden"""
    for figure in activating(play):
        give_condition(play.table, figure, HIDDEN, play.source, play.player.id)


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
    give_condition(play.table, play.figure, HIDDEN, play.source, play.player.id)


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
        give_condition(play.table, figure, FOCUSED, play.source, play.player.id)


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
        give_condition(play.table, figure, FOCUSED, play.source, play.player.id)


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
            end_condition(play.table, figure, condition, play.reason)


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
            end_condition(play.table, figure, condition, play.reason)


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
        end_condition(play.table, play.figure, condition, play.reason)


AmountByTrait = Annotated[dict[Trait, Amount], Field(min_length=1)]


def _is_hurt(play: Situation, _: object) -> bool:
    return suffered(play.figure) > 0


@effect("recoverDamage", Amount, needs=Need.FIGURE, timing=Timing.SPECIAL_ACTION, changes=_is_hurt)
def recover_damage(play: Play, amount: int) -> None:
    """the figure recovers damage"""
    recover(play.table, play.figure, amount, play.reason, play.player.id)


@effect("recoverSelf", Amount, needs=Need.FIGURE, timing=Timing.SPECIAL_ACTION, changes=_is_hurt)
def recover_self(play: Play, amount: int) -> None:
    """the figure recovers damage"""
    recover_damage(play, amount)


@effect("recoverDamageFromRound", Flag, needs=Need.FIGURE, timing=Timing.DURING_ACTIVATION, changes=_is_hurt)
def recover_round(play: Play, _: bool) -> None:
    """the figure recovers damage equal to the number of the round"""
    recover(play.table, play.figure, play.battle.clock.round, play.reason, play.player.id)


def _adjacent_hurt(play: Situation) -> list[Combatant]:
    return friends_adjacent_to(play.battle, [play.figure])


@effect(
    "recoverDamageToAdjacent",
    Amount,
    needs=Need.FIGURE,
    timing=Timing.DURING_ACTIVATION,
    changes=lambda play, _: any(map(suffered, _adjacent_hurt(play))),
)
def recover_adjacent(play: Play, amount: int) -> None:
    """an adjacent friendly figure recovers damage; if there is none, people decide what happens"""
    near = {ref("figure", figure.id): figure for figure in sorted(_adjacent_hurt(play), key=suffered, reverse=True)}
    if not near:
        play.ask_people(f"{play.ability.label} (no friendly figure is adjacent)")
        return
    chosen = choose(play.table, "recover.adjacent", play.player, play.figure.id, list(near), default=next(iter(near)))
    recover(play.table, near[chosen], amount, play.reason, play.player.id)


@refinement("recoverDamageToAdjacentIfTrait", AmountByTrait, of=("recoverDamageToAdjacent",))
def more_with_trait(play: Situation, amount: int, by_trait: dict[str, int]) -> int:
    """more if the figure has one of these traits"""
    return max([amount, *(more for trait, more in by_trait.items() if has_trait(play.figure, [trait]))])


_DURING = Timing.DURING_ACTIVATION
AmountByDamage = Annotated[
    dict[Annotated[str, Field(pattern=r"^[1-9]\d?$")], Amount], Field(min_length=1, description="by damage suffered")
]


@effect(
    "powerTokenGain",
    Amount,
    needs=Need.FIGURE,
    timing=Timing.DURING_ACTIVATION,
    changes=lambda play, _: token_count(play.figure) < TOKEN_LIMIT,
)
def gain_tokens(play: Play, amount: int) -> None:
    """the figure gains power tokens"""
    gain_power_tokens(play.table, play.player, play.figure, TokenKind.WILD, amount, play.reason, play.source)


@refinement("powerTokenGainIfDamagedGte", AmountByDamage, of=("powerTokenGain",))
def more_when_damaged(play: Situation, amount: int, by_damage: dict[str, int]) -> int:
    """a different number, depending on how much damage the figure has suffered"""
    reached = [int(least) for least in by_damage if suffered(play.figure) >= int(least)]
    return by_damage[str(max(reached))] if reached else amount


def _has_room(play: Situation, _: object) -> bool:
    return token_count(play.figure) < TOKEN_LIMIT


def _gain(play: Play, figure: Combatant, kind: TokenKind, amount: int) -> None:
    gain_power_tokens(play.table, play.player, figure, kind, amount, play.reason, play.source)


@effect("hitTokenGain", Amount, needs=Need.FIGURE, timing=_DURING, changes=_has_room)
def gain_hit_tokens(play: Play, amount: int) -> None:
    """the figure gains hit tokens"""
    _gain(play, play.figure, TokenKind.HIT, amount)


@effect("surgeTokenGain", Amount, needs=Need.FIGURE, timing=_DURING, changes=_has_room)
def gain_surge_tokens(play: Play, amount: int) -> None:
    """the figure gains surge tokens"""
    _gain(play, play.figure, TokenKind.SURGE, amount)


@effect("blockTokenGain", Amount, needs=Need.FIGURE, timing=_DURING, changes=_has_room)
def gain_block_tokens(play: Play, amount: int) -> None:
    """the figure gains block tokens"""
    _gain(play, play.figure, TokenKind.BLOCK, amount)


@effect("evadeTokenGain", Amount, needs=Need.FIGURE, timing=_DURING, changes=_has_room)
def gain_evade_tokens(play: Play, amount: int) -> None:
    """the figure gains evade tokens"""
    _gain(play, play.figure, TokenKind.EVADE, amount)


def _with_room(play: Situation) -> list[Combatant]:
    group = group_of(play.battle, play.figure)
    return [figure for figure in group if token_count(figure) < TOKEN_LIMIT]


@effect(
    "powerTokenGainToGroup",
    Amount,
    needs=Need.FIGURE,
    timing=Timing.SPECIAL_ACTION,
    changes=lambda play, _: bool(_with_room(play)),
)
def distribute_tokens(play: Play, amount: int) -> None:
    """the player distributes hit tokens among the figures of the group"""
    for _ in range(amount):
        room = _with_room(play)
        figure = one_of(play, "tokens.distribute", room) if room else None
        if figure is not None:
            _gain(play, figure, TokenKind.HIT, 1)


DEFEATED_WITHIN = 3


def _saw_the_defeat(play: Situation) -> bool:
    other = play.other
    return (
        other is not None
        and other.position is not None
        and spaces_between(play.battle, play.figure, other) <= DEFEATED_WITHIN
    )


@effect(
    "whenDefeatHostileWithin3GainBlockTokens",
    Amount,
    needs=Need.FIGURE,
    timing=Timing.HOSTILE_DEFEATED,
    changes=lambda play, _: _saw_the_defeat(play) and _has_room(play, None),
)
def block_tokens_for_defeat(play: Play, amount: int) -> None:
    """the figure gains block tokens when a hostile figure within 3 spaces is defeated"""
    if _saw_the_defeat(play):
        _gain(play, play.figure, TokenKind.BLOCK, amount)
