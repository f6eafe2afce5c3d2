"""Effects on hostile figures outside attacks, movement points, and pushing figures."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from combatlog.rules.skirmish.board import is_large
from combatlog.rules.skirmish.conditions.activations import NEXT_ACTIVATION
from combatlog.rules.skirmish.conditions.focused_hidden_harmful import CRIPPLED, FEWER_DICE, HOLDS_GROUND, expose
from combatlog.rules.skirmish.effects.lasting_bonuses import ConditionWord
from combatlog.rules.skirmish.effects.requirements_and_choices import Traits
from combatlog.rules.skirmish.movement import push
from combatlog.rules.skirmish.pieces import UNTIL_ROUND_ENDS, Amount, Flag, effect, price, setting
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.sheet import has_trait, is_in_play, speed_of
from combatlog.rules.skirmish.targeting import (
    chosen_up_to,
    friends_adjacent_to,
    friends_within,
    hostiles_adjacent_to,
    hostiles_within,
    never_useful,
    one_of,
    some_lack,
)
from combatlog.rules.skirmish.vitality import condition_called, give_condition, suffer, suffer_strain
from combatlog.rules.skirmish.vocabulary import DISABLED, MELEE_ONLY, MOVEMENT, STUNNED, Need, Timing
from ledger.events import DamagePart
from projections.battle.combatant import Combatant

_SPECIAL = Timing.SPECIAL_ACTION
_DURING = Timing.DURING_ACTIVATION


class HarmAdjacent(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    damage: NotRequired[Amount]
    strain: NotRequired[Amount]
    conditions: NotRequired[Annotated[list[ConditionWord], Field(min_length=1)]]


class HarmWithin(HarmAdjacent):
    spaces: Amount
    lineOfSight: NotRequired[Flag]


class Debuff(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    melee: NotRequired[Flag]
    removeAttackDie: NotRequired[Amount]


def _adjacent(play: Situation) -> list[Combatant]:
    """Adjacent hostile figures; only that figure if the card responds to what one of them does."""
    near = hostiles_adjacent_to(play.battle, play.figure)
    return [figure for figure in near if figure is play.other] if play.other is not None else near


def _within(play: Situation, value: dict[str, Any]) -> list[Combatant]:
    near = hostiles_within(play.battle, play.figure, value["spaces"], in_sight=value.get("lineOfSight", False))
    return [figure for figure in near if figure is play.other] if play.other is not None else near


def _harm(play: Play, figure: Combatant, value: dict[str, Any]) -> None:
    if damage := value.get("damage"):
        suffer(play.table, figure, [DamagePart(source=play.source, amount=damage)], play.figure.id)
    if strain := value.get("strain"):
        suffer_strain(play.table, figure, strain, play.source)
    for word in value.get("conditions", ()):
        give_condition(play.table, figure, condition_called(word), play.source, play.player.id)


@effect(
    "chooseAdjacentHostileThen",
    HarmAdjacent,
    needs=Need.FIGURE,
    timing=_DURING,
    changes=lambda play, _: bool(_adjacent(play)),
)
def harm_adjacent(play: Play, value: dict[str, Any]) -> None:
    """an adjacent hostile figure of the player's choice suffers damage, strain or conditions"""
    figure = one_of(play, "hostile.adjacent", _adjacent(play))
    if figure is not None:
        _harm(play, figure, value)


@effect(
    "chooseHostileWithinThen",
    HarmWithin,
    needs=Need.FIGURE,
    timing=_DURING,
    changes=lambda play, value: bool(_within(play, value)),
)
def harm_within(play: Play, value: dict[str, Any]) -> None:
    """a hostile figure of the player's choice within some spaces suffers damage, strain or conditions"""
    figure = one_of(play, "hostile.within", _within(play, value))
    if figure is not None:
        _harm(play, figure, value)


@effect(
    "eachHostileWithinThen",
    HarmWithin,
    needs=Need.FIGURE,
    timing=_DURING,
    changes=lambda play, value: bool(_all_within(play, value)),
)
def harm_all_within(play: Play, value: dict[str, Any]) -> None:
    """each hostile figure within some spaces suffers damage, strain or conditions; in an attack, once it is resolved"""
    if play.attack_if_any is not None and not play.attack.is_resolved:
        play.attack.afterwards.append(lambda: _harm_all(play, value))
    else:
        _harm_all(play, value)


def _all_within(play: Situation, value: dict[str, Any]) -> list[Combatant]:
    return hostiles_within(play.battle, play.figure, value["spaces"], in_sight=value.get("lineOfSight", False))


def _harm_all(play: Play, value: dict[str, Any]) -> None:
    if is_in_play(play.figure):
        for figure in _all_within(play, value):
            _harm(play, figure, value)


def _near(play: Situation) -> list[Combatant]:
    return hostiles_adjacent_to(play.battle, play.figure)


@effect(
    "applyStunToUpToNAdjacentHostiles",
    Amount,
    needs=Need.FIGURE,
    timing=_SPECIAL,
    changes=some_lack(STUNNED, _near),
)
def stun_adjacent(play: Play, limit: int) -> None:
    """up to this many adjacent hostile figures become Stunned"""
    for figure in chosen_up_to(play, "stun.adjacent", _near(play), limit):
        give_condition(play.table, figure, STUNNED, play.source, play.player.id)


def _restrain(play: Play, condition: str, **data: Any) -> None:
    """Give an adjacent hostile figure a condition until the round ends."""
    figure = one_of(play, "hostile.adjacent", _adjacent(play))
    if figure is not None:
        _until_round_ends(play, figure, condition, **data)


def _until_round_ends(play: Play, figure: Combatant, condition: str, **data: Any) -> None:
    play.table.apply_condition(
        figure, condition, source=play.source, owner=play.player.id, until=UNTIL_ROUND_ENDS, data=data
    )


@effect("cripplesFigure", Flag, needs=Need.FIGURE, timing=_SPECIAL, changes=some_lack(CRIPPLED, _near))
def cripple(play: Play, _: bool) -> None:
    """an adjacent hostile figure cannot leave its space until the round ends"""
    _restrain(play, CRIPPLED)


@effect("disablesFigure", Flag, needs=Need.FIGURE, timing=_SPECIAL, changes=some_lack(DISABLED, _near))
def disable(play: Play, _: bool) -> None:
    """an adjacent hostile figure cannot use surge abilities or special actions until the round ends"""
    _restrain(play, DISABLED)


@effect("setsHoldGround", Flag, needs=Need.FIGURE, timing=_SPECIAL, changes=lambda play, _: bool(_near(play)))
def hold_ground(play: Play, _: bool) -> None:
    """small hostile figures cannot leave spaces next to the figure until the round ends"""
    _until_round_ends(play, play.figure, HOLDS_GROUND)


@effect(
    "nextAttackBonusPierce",
    Amount,
    needs=Need.FIGURE,
    timing=_DURING,
    changes=lambda play, _: bool(_adjacent(play)),
)
def expose_adjacent(play: Play, pierce: int) -> None:
    """the next attack against an adjacent hostile figure of the player's choice gains Pierce"""
    figure = one_of(play, "hostile.adjacent", _adjacent(play))
    if figure is not None:
        expose(play.table, figure, play.source, pierce)


@effect("roundDebuffNextHostileActivation", Debuff, needs=Need.FIGURE, timing=Timing.HOSTILE_ACTIVATES)
def debuff(play: Play, value: dict[str, Any]) -> None:
    """until the round ends, the activated figure attacks in melee only, or with fewer dice"""
    if play.other is not None and value.get("melee"):
        _until_round_ends(play, play.other, MELEE_ONLY)
    if play.other is not None and (dice := value.get("removeAttackDie")):
        _until_round_ends(play, play.other, FEWER_DICE, dice=dice)


_WHILE_ACTIVE = Timing.DURING_ACTIVATION


@effect("mpBonus", Amount, needs=Need.MOVER, timing=_WHILE_ACTIVE)
def gain_movement(play: Play, amount: int) -> None:
    """the figure gains movement points"""
    play.table.gain(play.figure, MOVEMENT, amount, play.reason, play.source)


@effect("freeMoveBonus", Amount, needs=Need.MOVER, timing=_WHILE_ACTIVE)
def move_freely(play: Play, amount: int) -> None:
    """the figure gains movement points and may move with them at once"""
    gain_movement(play, amount)


def _adjacent_friends(play: Situation) -> list[Combatant]:
    traits = play.ability.properties.get("mpBonusToAdjacentIfTrait")
    friends = friends_adjacent_to(play.battle, [play.figure])
    return [figure for figure in friends if traits is None or has_trait(figure, traits)]


@effect(
    "mpBonusToAdjacent",
    Amount,
    needs=Need.MOVER,
    timing=_WHILE_ACTIVE,
    changes=lambda play, _: bool(_adjacent_friends(play)),
)
def give_movement_to_adjacent(play: Play, amount: int) -> None:
    """adjacent friendly figures gain movement points, to be spent before this activation ends"""
    for figure in _adjacent_friends(play):
        play.table.gain(figure, MOVEMENT, amount, play.reason, play.source)


setting("mpBonusToAdjacentIfTrait", Traits, of="mpBonusToAdjacent", does="only those with one of these traits")


@effect("mpBonusFromSpeed", Amount, needs=Need.MOVER, timing=_WHILE_ACTIVE, counts_zero=True)
def gain_movement_from_speed(play: Play, amount: int) -> None:
    """the figure gains movement points: its Speed plus this many"""
    gain_movement(play, speed_of(play.figure) + amount)


@effect("mpAfterAttack", Amount, needs=Need.FIGURE, timing=Timing.SPECIAL_ACTION, with_attack=True)
def gain_movement_after_attack(play: Play, amount: int) -> None:
    """the figure attacks, then gains movement points"""
    play.movement_after_attack = amount


@effect("nextActivationMpBonus", Amount, needs=Need.FIGURE, timing=Timing.SPECIAL_ACTION)
def gain_movement_next(play: Play, amount: int) -> None:
    """the figure gains movement points when its next activation starts"""
    play.table.apply_condition(
        play.figure, NEXT_ACTIVATION, source=play.source, owner=play.player.id, data={"mp": amount}
    )


price("mpCost", Amount, resource=MOVEMENT, does="using it costs the figure this many movement points")

PUSHED_WITHIN = 3


def _pushable(play: Situation) -> list[Combatant]:
    return [figure for figure in friends_within(play.battle, play.figure, PUSHED_WITHIN) if not is_large(figure)]


@effect("pushFriendlyWithin3Spaces", Amount, needs=Need.FIGURE, timing=Timing.SPECIAL_ACTION, changes=never_useful)
def push_friend(play: Play, spaces: int) -> None:
    """a small friendly figure within 3 spaces is pushed up to this many spaces; the player chooses which and where"""
    figure = one_of(play, "push.figure", _pushable(play))
    if figure is not None:
        push(play.table, play.player, figure, spaces)
