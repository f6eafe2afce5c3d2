"""What holds for a figure or a player until the round ends."""

from __future__ import annotations

from typing import Any

from combatlog.rules.skirmish.conditions.block_per_evade import BLOCK_PER_EVADE
from combatlog.rules.skirmish.conditions.held import UNTIL_ROUND_ENDS, add_entry
from combatlog.rules.skirmish.conditions.out_of_sight import OUT_OF_SIGHT
from combatlog.rules.skirmish.conditions.round_attack import add_attack_surges, add_attack_symbols
from combatlog.rules.skirmish.conditions.round_rules import OVERDRIVE, STEELED, WINDFALL
from combatlog.rules.skirmish.moments import own_figures
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.registry import Amount, Flag, effect
from combatlog.rules.skirmish.sheet import figure_sheet
from combatlog.rules.skirmish.vocabulary import QUICKENED, Need, Symbol, Timing, slug
from projections.combatant import Combatant

_START = Timing.START_OF_ROUND
_DURING = Timing.DURING_ACTIVATION
NEARBY = 3
"""From where a figure in the shadows can be seen."""


@effect("roundAttackSurgeBonus", Amount, needs=Need.FIGURE, timing=_DURING)
def more_surges_all_round(play: Play, amount: int) -> None:
    """the figure's attacks gain surges until the round ends"""
    add_attack_symbols(play.table, play.figure, play.source, Symbol.SURGE, amount)


@effect("roundAttackBonusHits", Amount, needs=Need.FIGURE, timing=_DURING)
def more_hits_all_round(play: Play, amount: int) -> None:
    """the figure's attacks gain hits until the round ends"""
    add_attack_symbols(play.table, play.figure, play.source, Symbol.DAMAGE, amount)


@effect("roundDefenderBonusBlockPerEvade", Amount, needs=Need.FIGURE, timing=_DURING)
def block_per_evade(play: Play, amount: int) -> None:
    """when it defends, the figure gains Block for each evade that its dice show, until the round ends"""
    entry = {"source": play.source, "block": amount}
    add_entry(play.table, play.figure, BLOCK_PER_EVADE, entry, UNTIL_ROUND_ENDS)


def _hide(play: Play, spaces: int) -> None:
    play.table.apply_condition(
        play.figure,
        OUT_OF_SIGHT,
        source=play.source,
        owner=play.player.id,
        until=UNTIL_ROUND_ENDS,
        data={"spaces": spaces},
    )


@effect("roundDefenderCannotBeTargetedUnlessWithinSpaces", Amount, needs=Need.FIGURE, timing=_START, counts_zero=True)
def be_out_of_reach(play: Play, spaces: int) -> None:
    """the figure can only be attacked from within this many spaces until the round ends"""
    _hide(play, spaces)


@effect("roundInTheShadowsPlayerNum", Flag, needs=Need.FIGURE, timing=_START)
def be_in_the_shadows(play: Play, _: bool) -> None:
    """figures 4 or more spaces away have no line of sight to the figure until the round ends"""
    _hide(play, NEARBY)


def _lasts(play: Play, condition: str, **data: Any) -> None:
    play.table.apply_condition(
        play.player, condition, source=play.source, owner=play.player.id, until=UNTIL_ROUND_ENDS, data=data
    )


@effect("setsMandaAsteel", Flag, needs=Need.PLAYER, timing=_START)
def recover_with_block_tokens(play: Play, _: bool) -> None:
    """the player's figures that spend a block token recover 1 damage after the attack, until the round ends"""
    _lasts(play, STEELED)


@effect("setsWindfall", Flag, needs=Need.PLAYER, timing=_START)
def gain_from_discarding(play: Play, _: bool) -> None:
    """the player gains the cost of each of its cards that is discarded from its hand or deck, until the round ends"""
    _lasts(play, WINDFALL)


@effect("roundDroidExtraActionCostDamage", Amount, needs=Need.PLAYER, timing=_START)
def overdrive(play: Play, damage: int) -> None:
    """when they are activated, the player's DROIDS may suffer this much damage for an action more, until the round
    ends"""
    _lasts(play, OVERDRIVE, damage=damage)


JAWAS = "jawa_scavenger"


def _jawas(play: Situation) -> list[Combatant]:
    """The player's Jawa Scavengers."""
    return [one for one in own_figures(play.battle, play.player) if slug(figure_sheet(one).name).startswith(JAWAS)]


@effect("roundUtinniJawaBuffs", Flag, needs=Need.PLAYER, timing=_START, possible=lambda play, _: bool(_jawas(play)))
def rush_jawas(play: Play, _: bool) -> None:
    """until the round ends, the player's Jawa Scavengers have 1 more speed, +1 Accuracy, and Surge: 1 victory point"""
    for jawa in _jawas(play):
        play.table.apply_condition(
            jawa, QUICKENED, source=play.source, owner=play.player.id, until=UNTIL_ROUND_ENDS, data={"speed": 1}
        )
        add_attack_symbols(play.table, jawa, play.source, Symbol.ACCURACY, 1)
        add_attack_surges(play.table, jawa, play.source, ["vp 1"])
