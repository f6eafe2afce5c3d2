"""The figures that an effect applies to."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.player_choice import choose, choose_up_to
from combatlog.rules.skirmish.sheet import figures_in_play, group_of
from combatlog.rules.skirmish.targeting import is_adjacent, sees, spaces_between
from combatlog.rules.skirmish.vocabulary import HEALTH, ref
from projections.battle import Battle
from projections.combatant import Combatant


def activating(play: Situation) -> list[Combatant]:
    """All figures of the active deployment card; in an attack, only the figure that attacks or defends."""
    return [play.figure] if play.attack_if_any is not None else group_of(play.battle, play.figure)


def hostiles_of(battle: Battle, figure: Combatant) -> list[Combatant]:
    return [other for other in figures_in_play(battle) if other.side != figure.side]


def hostiles_adjacent_to(battle: Battle, figure: Combatant) -> list[Combatant]:
    return [other for other in hostiles_of(battle, figure) if is_adjacent(battle, figure, other)]


def hostiles_within(battle: Battle, figure: Combatant, spaces: int, in_sight: bool = False) -> list[Combatant]:
    near = [other for other in hostiles_of(battle, figure) if spaces_between(battle, figure, other) <= spaces]
    return [other for other in near if sees(battle, figure, other)] if in_sight else near


def friends_within(battle: Battle, figure: Combatant, spaces: int) -> list[Combatant]:
    """Other friendly figures within so many spaces."""
    friends = [other for other in figures_in_play(battle) if other.side == figure.side and other is not figure]
    return [other for other in friends if spaces_between(battle, figure, other) <= spaces]


def chosen_up_to(play: Play, moment: str, figures: Sequence[Combatant], limit: int) -> list[Combatant]:
    """Up to this many of the figures; if there are more, the player chooses."""
    by_ref = {ref("figure", figure.id): figure for figure in figures}
    subject = play.player.id
    return [by_ref[name] for name in choose_up_to(play.table, moment, play.player, subject, list(by_ref), limit)]


def one_of(play: Play, moment: str, figures: Sequence[Combatant], by: str | None = None) -> Combatant | None:
    """One of the figures, by the player's choice; by default the weakest. If there is none, people decide."""
    if not figures:
        play.ask_people(f"{play.ability.label} (nobody can be chosen)")
        return None
    weakest_first = sorted(figures, key=lambda one: one.vitals[HEALTH].current)
    by_ref = {ref("figure", figure.id): figure for figure in weakest_first}
    subject = by or play.figure.id
    return by_ref[choose(play.table, moment, play.player, subject, list(by_ref), default=next(iter(by_ref)))]
