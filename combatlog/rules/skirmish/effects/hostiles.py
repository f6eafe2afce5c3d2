"""What is done to hostile figures outside attacks."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from combatlog.rules.skirmish.conditions.exposed import expose
from combatlog.rules.skirmish.conditions.held import UNTIL_ROUND_ENDS
from combatlog.rules.skirmish.conditions.restrained import CRIPPLED, FEWER_DICE, HOLDS_GROUND
from combatlog.rules.skirmish.effects.next_attacks import ConditionWord
from combatlog.rules.skirmish.figures import chosen_up_to, hostiles_adjacent_to, hostiles_within, one_of
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.registry import Amount, Flag, effect
from combatlog.rules.skirmish.sheet import is_in_play
from combatlog.rules.skirmish.usefulness import some_lack
from combatlog.rules.skirmish.vitality import condition_called, make, suffer, suffer_strain
from combatlog.rules.skirmish.vocabulary import DISABLED, MELEE_ONLY, STUNNED, Need, Timing
from ledger.events import DamagePart
from projections.combatant import Combatant

_SPECIAL = Timing.SPECIAL_ACTION
_DURING = Timing.DURING_ACTIVATION


class Harm(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    damage: NotRequired[Amount]
    strain: NotRequired[Amount]
    conditions: NotRequired[Annotated[list[ConditionWord], Field(min_length=1)]]


class HarmWithin(Harm):
    spaces: Amount
    lineOfSight: NotRequired[Flag]


class Debuff(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    melee: NotRequired[Flag]
    removeAttackDie: NotRequired[Amount]


def _adjacent(play: Situation) -> list[Combatant]:
    """Adjacent hostile figures. If the card answers what one of them does, that one."""
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
        make(play.table, figure, condition_called(word), play.source, play.player.id)


@effect(
    "chooseAdjacentHostileThen",
    Harm,
    needs=Need.FIGURE,
    timing=_DURING,
    changes=lambda play, _: bool(_adjacent(play)),
)
def harm_adjacent(play: Play, value: dict[str, Any]) -> None:
    """an adjacent hostile figure suffers damage, strain or conditions; the player chooses which figure"""
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
    """a hostile figure within some spaces suffers damage, strain or conditions; the player chooses which figure"""
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
        make(play.table, figure, STUNNED, play.source, play.player.id)


def _restrain(play: Play, condition: str, **data: Any) -> None:
    """An adjacent hostile figure gets a condition until the round ends."""
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
    """the next attack against an adjacent hostile figure, which the player chooses, gains Pierce"""
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
