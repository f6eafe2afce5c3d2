"""Cards that stay in play as attachments."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from combatlog.rules.skirmish.attachments import Detach, attach, of_player
from combatlog.rules.skirmish.figures import hostiles_of, one_of
from combatlog.rules.skirmish.moments import own_figures
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.registry import Nested, effect, setting
from combatlog.rules.skirmish.vocabulary import Need, Timing
from projections.combatant import Combatant


class Where(StrEnum):
    """Where an attachment goes."""

    SELF = "self"
    FRIENDLY = "friendly"
    HOSTILE = "hostile"
    PLAYER = "player"


def _is_new(play: Situation, _: object) -> bool:
    return all(one.ability is not play.ability for one in of_player(play.battle, play.player))


@effect("attach", Where, needs=Need.FIGURE, timing=Timing.DURING_ACTIVATION, changes=_is_new)
def attach_card(play: Play, where: str) -> None:
    """the card stays in play: on the figure's deployment card, on that of a friendly or hostile figure, or in front of
    the player"""
    if where == Where.PLAYER:
        attach(play.table, play.player, play.ability, None)
        return
    bearer = _bearer(play, Where(where))
    if bearer is not None:
        attach(play.table, play.player, play.ability, bearer)


def _bearer(play: Play, where: Where) -> Combatant | None:
    if where is Where.SELF:
        return play.figure
    figures = own_figures if where is Where.FRIENDLY else None
    found = figures(play.battle, play.player) if figures else hostiles_of(play.battle, play.figure)
    return one_of(play, "attach.figure", found)


setting(
    "whileAttached",
    Nested,
    of="attach",
    nested=True,
    does="these properties apply to every attack that its bearer is part of, for the player's figure in it",
)
setting(
    "exhaustTo",
    Nested,
    of="attach",
    nested=True,
    does="once per round the player can exhaust the card to use these properties",
)
setting(
    "depleteTo",
    Nested,
    of="attach",
    nested=True,
    does="once per game the player can deplete the card to use these properties",
)
setting(
    "detachAt",
    Annotated[list[Detach], Field(min_length=1)],
    of="attach",
    does="when the card is discarded by itself",
)
