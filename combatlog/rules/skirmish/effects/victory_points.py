"""Victory points outside defeats."""

from __future__ import annotations

from combatlog.rules.skirmish.conditions.held import add_entry
from combatlog.rules.skirmish.conditions.worth import BOUNTY
from combatlog.rules.skirmish.dice import AttackColour, pool_notation, symbols
from combatlog.rules.skirmish.figures import hostiles_adjacent_to, hostiles_of, one_of
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.registry import Amount, Flag, effect
from combatlog.rules.skirmish.sheet import figure_sheet, group_of
from combatlog.rules.skirmish.usefulness import never
from combatlog.rules.skirmish.vocabulary import VICTORY_POINTS, WORTH, Need, Symbol, Timing


def gain_points(play: Play, amount: int) -> None:
    play.table.gain(play.player, VICTORY_POINTS, amount, play.reason, play.source)


@effect("vpGainSelf", Amount, needs=Need.PLAYER, timing=Timing.START_OF_ROUND)
def gain_vp(play: Play, amount: int) -> None:
    """the player gains victory points"""
    gain_points(play, amount)


@effect("vpGainOpponent", Amount, needs=Need.PLAYER, timing=Timing.START_OF_ROUND, changes=never)
def give_vp(play: Play, amount: int) -> None:
    """the opponent gains victory points"""
    play.table.gain(play.opponent, VICTORY_POINTS, amount, play.reason, play.source)


@effect("celebrationVp", Amount, needs=Need.DEFEAT, timing=Timing.HOSTILE_DEFEATED)
def celebrate(play: Play, amount: int) -> None:
    """the player gains victory points when a hostile figure is defeated"""
    gain_points(play, amount)


@effect("increaseArmyCostBy", Amount, needs=Need.FIGURE, timing=Timing.HOSTILE_DEFEATED, changes=never)
def cost_more(play: Play, amount: int) -> None:
    """the figure is worth more victory points when it is defeated"""
    _change_worth(play, amount)


@effect(
    "nextDefeatedFriendlyVpReduction",
    Amount,
    needs=Need.DEFEAT,
    timing=Timing.FRIEND_DEFEATED,
    changes=lambda play, _: play.other is not None and figure_sheet(play.other).cost > 0,
)
def cost_less(play: Play, amount: int) -> None:
    """the figure that is defeated is worth fewer victory points, but at least 0"""
    assert play.other is not None
    play.table.apply_condition(play.other, WORTH, source=play.source, owner=play.player.id, data={"by": -amount})


def _change_worth(play: Play, amount: int) -> None:
    held = play.figure.conditions.get(WORTH)
    by = (held.data["by"] if held else 0) + amount
    play.table.apply_condition(play.figure, WORTH, source=play.source, owner=play.player.id, data={"by": by})


def _is_alone(play: Situation) -> bool:
    return not hostiles_adjacent_to(play.battle, play.figure)


@effect(
    "rebelGraffitiVp",
    Amount,
    needs=Need.FIGURE,
    timing=Timing.END_OF_ACTIVATION,
    changes=lambda play, _: _is_alone(play),
)
def graffiti(play: Play, amount: int) -> None:
    """the player gains victory points if no hostile figure is adjacent"""
    if _is_alone(play):
        gain_points(play, amount)


@effect(
    "pickpocketVpByAccuracy",
    Flag,
    needs=Need.FIGURE,
    timing=Timing.DURING_ACTIVATION,
    changes=lambda play, _: not _is_alone(play),
)
def pickpocket(play: Play, _: bool) -> None:
    """next to a hostile figure: a green die is rolled, and its accuracy in victory points goes from the opponent to the
    player"""
    if _is_alone(play):
        return
    rolled = play.table.roll("pickpocket", play.figure.id, pool_notation([AttackColour.GREEN]))
    shown = symbols(rolled.faces[0]).get(Symbol.ACCURACY, 0)
    lost = min(shown, play.opponent.economy.left(VICTORY_POINTS))
    if lost:
        play.table.gain(play.opponent, VICTORY_POINTS, -lost, play.reason, play.source)
    gain_points(play, shown)


@effect("setsBounty", Flag, needs=Need.FIGURE, timing=Timing.SPECIAL_ACTION)
def set_bounty(play: Play, _: bool) -> None:
    """the player gains 4 victory points when the last figure of a hostile group, which it chooses, is defeated"""
    figure = one_of(play, "bounty", hostiles_of(play.battle, play.figure))
    if figure is not None:
        for member in group_of(play.battle, figure):
            entry = {"source": play.source, "player": play.player.id, "vp": BOUNTY_POINTS}
            add_entry(play.table, member, BOUNTY, entry)


BOUNTY_POINTS = 4
