"""What a figure gains or suffers in its activation."""

from __future__ import annotations

from typing import Any, NotRequired

from pydantic import ConfigDict
from typing_extensions import TypedDict

from combatlog.rules.skirmish.conditions.held import add_entry
from combatlog.rules.skirmish.conditions.on_the_hunt import ON_THE_HUNT
from combatlog.rules.skirmish.conditions.this_activation import OVERRUNNING, SPECIALS_TWICE, STUN_AFTER_ACTION
from combatlog.rules.skirmish.effects.next_attacks import ConditionWord
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.registry import Amount, Flag, effect
from combatlog.rules.skirmish.usefulness import never
from combatlog.rules.skirmish.vitality import condition_called, make, suffer, suffer_strain
from combatlog.rules.skirmish.vocabulary import ACTIONS, HARMFUL, REACHING, UNDENIABLE, VANISHED, Need, Timing
from ledger.events import DamagePart

_DURING = Timing.DURING_ACTIVATION


def _hold(play: Play, condition: str) -> None:
    play.table.apply_condition(play.figure, condition, source=play.source, owner=play.player.id)


@effect("activationDoubleSpecialAction", Flag, needs=Need.MOVER, timing=Timing.START_OF_ACTIVATION)
def specials_twice(play: Play, _: bool) -> None:
    """the figure can use each special action twice in this activation"""
    _hold(play, SPECIALS_TWICE)


@effect("extraAction", Amount, needs=Need.MOVER, timing=_DURING)
def act_again(play: Play, amount: int) -> None:
    """the figure gains actions"""
    play.table.gain(play.figure, ACTIONS, amount, play.reason, play.source)


@effect("activationExtraActionThenStun", Flag, needs=Need.MOVER, timing=_DURING)
def act_then_stun(play: Play, _: bool) -> None:
    """the figure gains an action, and becomes Stunned after its next one"""
    act_again(play, 1)
    _hold(play, STUN_AFTER_ACTION)


@effect("activationReach", Flag, needs=Need.MOVER, timing=_DURING)
def reach(play: Play, _: bool) -> None:
    """the figure's melee attacks have Reach in this activation"""
    _hold(play, REACHING)


@effect("vanishImmunityUntilNextActivation", Flag, needs=Need.FIGURE, timing=Timing.SPECIAL_ACTION)
def vanish(play: Play, _: bool) -> None:
    """the figure suffers no damage and gets no condition until its next activation"""
    _hold(play, VANISHED)


OVERRUN_DAMAGE = 2


@effect("overrunThisActivation", Flag, needs=Need.MOVER, timing=Timing.START_OF_ACTIVATION)
def overrun(play: Play, _: bool) -> None:
    """hostile figures whose spaces the figure enters in this activation suffer 2 damage"""
    play.table.apply_condition(
        play.figure, OVERRUNNING, source=play.source, owner=play.player.id, data={"damage": OVERRUN_DAMAGE}
    )


@effect("setsYouWillNotDenyMe", Flag, needs=Need.FIGURE, timing=_DURING)
def be_undeniable(play: Play, _: bool) -> None:
    """the figure keeps at least 1 health and gets no harmful condition until the next hostile figure is defeated; then
    it recovers 2 damage"""
    _hold(play, UNDENIABLE)


def _is_good(play: Situation, word: str) -> bool:
    condition = condition_called(word)
    return condition not in HARMFUL and not play.figure.has(condition)


@effect("applySelfCondition", ConditionWord, needs=Need.FIGURE, timing=_DURING, last=True, changes=_is_good)
def get_condition(play: Play, word: str) -> None:
    """the figure gets a condition"""
    make(play.table, play.figure, condition_called(word), play.source, play.player.id)


class Reward(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    vp: NotRequired[Amount]
    recover: NotRequired[Amount]
    within: NotRequired[Amount]


@effect("onNextDefeat", Reward, needs=Need.MOVER, timing=_DURING)
def hunt(play: Play, reward: dict[str, Any]) -> None:
    """when the next hostile figure is defeated in this activation, within some spaces if that is given, the player
    gains victory points or the figure recovers damage"""
    add_entry(play.table, play.figure, ON_THE_HUNT, {"source": play.source, **reward})


@effect("selfStrain", Amount, needs=Need.FIGURE, timing=_DURING, changes=never)
def suffer_own_strain(play: Play, amount: int) -> None:
    """the figure suffers strain"""
    suffer_strain(play.table, play.figure, amount, play.source)


@effect("selfDamage", Amount, needs=Need.FIGURE, timing=_DURING, changes=never)
def suffer_own_damage(play: Play, amount: int) -> None:
    """the figure suffers damage"""
    suffer(play.table, play.figure, [DamagePart(source=play.source, amount=amount)], play.figure.id)
