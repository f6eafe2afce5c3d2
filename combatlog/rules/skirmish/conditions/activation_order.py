"""What cards say about who is activated next. Held by a player, at most until the round ends."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.conditions.held import UNTIL_ROUND_ENDS
from combatlog.rules.skirmish.pieces import Condition, piece
from projections.combatant import Combatant

MUST_ACTIVATE = "skirmish:condition:must_activate"
ACTS_AGAIN = "skirmish:condition:acts_again"
SITS_TIGHT = "skirmish:condition:sits_tight"


@piece
class MustActivate(Condition):
    """The player's next activation is that of one of these figures, if they are ready."""

    name = "must_activate"


@piece
class ActsAgain(Condition):
    """After this deployment card the player activates another one, if it is ready."""

    name = "acts_again"


@piece
class SitsTight(Condition):
    """The player activates nobody until it has more ready deployment cards than the opponent."""

    name = "sits_tight"


def bind(table: Table, player: Combatant, condition: str, source: str, figures: Sequence[Combatant]) -> None:
    """One of these figures is the next that the player activates."""
    data = {"figures": [figure.id for figure in figures]}
    table.apply_condition(player, condition, source=source, owner=player.id, until=UNTIL_ROUND_ENDS, data=data)


def figures_bound(player: Combatant, condition: str) -> list[str]:
    held = player.conditions.get(condition)
    return list(held.data["figures"]) if held is not None else []


def release(table: Table, player: Combatant, figure: Combatant) -> None:
    """The figure that the player was bound to is activated."""
    for condition in (ACTS_AGAIN, MUST_ACTIVATE):
        if figure.id in figures_bound(player, condition):
            table.remove_condition(player, condition, f"{figure.id} is activated")
