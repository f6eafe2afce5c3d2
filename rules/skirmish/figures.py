"""The figures that an effect applies to."""

from __future__ import annotations

from collections.abc import Sequence

from projections.combatant import Combatant
from rules.skirmish.play import Play, Situation
from rules.skirmish.player_choice import choose_up_to
from rules.skirmish.sheet import group_of
from rules.skirmish.vocabulary import ref


def activating(play: Situation) -> list[Combatant]:
    """All figures of the active deployment card; in an attack, only the figure that attacks or defends."""
    return [play.figure] if play.attack_if_any is not None else group_of(play.battle, play.figure)


def chosen_up_to(play: Play, moment: str, figures: Sequence[Combatant], limit: int) -> list[Combatant]:
    """Up to this many of the figures; if there are more, the player chooses."""
    by_ref = {ref("figure", figure.id): figure for figure in figures}
    subject = play.player.id
    return [by_ref[name] for name in choose_up_to(play.table, moment, play.player, subject, list(by_ref), limit)]
