"""Conditions that last until a figure's activation ends or starts, and those that decide who is activated next."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine.resolution.table import Table
from combatlog.rules.skirmish.pieces import UNTIL_ROUND_ENDS, SkirmishCondition, piece
from combatlog.rules.skirmish.vocabulary import REACHING
from projections.battle.combatant import Combatant

SPECIALS_TWICE = "skirmish:condition:specials_twice"
STUN_AFTER_ACTION = "skirmish:condition:stun_after_action"
OVERRUNNING = "skirmish:condition:overrunning"
ENDING_WITH_ACTIVATION = (SPECIALS_TWICE, STUN_AFTER_ACTION, REACHING, OVERRUNNING, "skirmish:condition:on_the_hunt")


@piece
class SpecialsTwice(SkirmishCondition):
    """The figure can use each special action twice in this activation."""

    name = "specials_twice"


@piece
class StunAfterAction(SkirmishCondition):
    """The figure becomes Stunned after its next action."""

    name = "stun_after_action"


@piece
class Overrunning(SkirmishCondition):
    """Hostile figures whose spaces the figure enters in this activation suffer damage."""

    name = "overrunning"


@piece
class Reaching(SkirmishCondition):
    """The figure's melee attacks have Reach."""

    name = "reaching"


USED_SPECIALS = "skirmish:condition:used_specials"


@piece
class UsedSpecials(SkirmishCondition):
    """The figure has used special actions and cannot use them again before its activation ends."""

    name = "used_specials"


def used_by(figure: Combatant) -> list[str]:
    held = figure.conditions.get(USED_SPECIALS)
    return list(held.data.get("used", ())) if held is not None else []


def note_use(table: Table, figure: Combatant, ability: str) -> None:
    used = [*used_by(figure), ability]
    table.apply_condition(figure, USED_SPECIALS, source=ability, owner=figure.id, data={"used": used})


NEXT_ACTIVATION = "skirmish:condition:next_activation"


@piece
class NextActivation(SkirmishCondition):
    """The figure gains movement points when its next activation starts."""

    name = "next_activation"


@piece
class Vanished(SkirmishCondition):
    """The figure suffers no damage and gets no condition until its next activation."""

    name = "vanished"


@piece
class Quickened(SkirmishCondition):
    """The figure has more speed until the round ends."""

    name = "quickened"


@piece
class HaltedAfterPushing(SkirmishCondition):
    """A massive figure that has pushed others aside cannot move any more before the activation ends."""

    name = "halted"


@piece
class TurnedBase(SkirmishCondition):
    """The figure's base is turned 90 degrees: the spaces across and down on its sheet are swapped."""

    name = "turned"


MUST_ACTIVATE = "skirmish:condition:must_activate"
ACTS_AGAIN = "skirmish:condition:acts_again"
SITS_TIGHT = "skirmish:condition:sits_tight"


@piece
class MustActivate(SkirmishCondition):
    """The player's next activation has to be one of these figures, if any of them is ready."""

    name = "must_activate"


@piece
class ActsAgain(SkirmishCondition):
    """After this deployment card the player activates another one, if it is ready."""

    name = "acts_again"


@piece
class SitsTight(SkirmishCondition):
    """The player activates no figure until it has more ready deployment cards than the opponent."""

    name = "sits_tight"


def bind(table: Table, player: Combatant, condition: str, source: str, figures: Sequence[Combatant]) -> None:
    """Make the player activate one of these figures next."""
    data = {"figures": [figure.id for figure in figures]}
    table.apply_condition(player, condition, source=source, owner=player.id, until=UNTIL_ROUND_ENDS, data=data)


def figures_bound(player: Combatant, condition: str) -> list[str]:
    held = player.conditions.get(condition)
    return list(held.data.get("figures", ())) if held is not None else []


def release(table: Table, player: Combatant, figure: Combatant) -> None:
    """End the player's obligation to activate this figure."""
    for condition in (ACTS_AGAIN, MUST_ACTIVATE):
        if figure.id in figures_bound(player, condition):
            table.remove_condition(player, condition, f"{figure.id} is activated")
