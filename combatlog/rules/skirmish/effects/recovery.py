"""Recovering damage."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.player_choice import choose
from combatlog.rules.skirmish.registry import Amount, Flag, Trait, effect, refinement
from combatlog.rules.skirmish.sheet import has_trait
from combatlog.rules.skirmish.targeting import friends_adjacent_to
from combatlog.rules.skirmish.vitality import recover, suffered
from combatlog.rules.skirmish.vocabulary import Need, Timing, ref
from projections.combatant import Combatant

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


def _adjacent(play: Situation) -> list[Combatant]:
    return friends_adjacent_to(play.battle, [play.figure])


@effect(
    "recoverDamageToAdjacent",
    Amount,
    needs=Need.FIGURE,
    timing=Timing.DURING_ACTIVATION,
    changes=lambda play, _: any(map(suffered, _adjacent(play))),
)
def recover_adjacent(play: Play, amount: int) -> None:
    """an adjacent friendly figure recovers damage; if there is none, people decide what happens"""
    near = {ref("figure", figure.id): figure for figure in sorted(_adjacent(play), key=suffered, reverse=True)}
    if not near:
        play.ask_people(f"{play.ability.label} (nobody is adjacent)")
        return
    chosen = choose(play.table, "recover.adjacent", play.player, play.figure.id, list(near), default=next(iter(near)))
    recover(play.table, near[chosen], amount, play.reason, play.player.id)


@refinement("recoverDamageToAdjacentIfTrait", AmountByTrait, of=("recoverDamageToAdjacent",))
def more_with_trait(play: Situation, amount: int, by_trait: dict[str, int]) -> int:
    """more, if the figure has one of these traits"""
    return max([amount, *(more for trait, more in by_trait.items() if has_trait(play.figure, [trait]))])
