"""Moments outside a player's own activations and attacks: cards are played there for one of the player's figures."""

from __future__ import annotations

from collections.abc import Sequence

from combatlog.rules.engine.table import Table
from combatlog.rules.skirmish.ability import Ability
from combatlog.rules.skirmish.cards import play_card, playable
from combatlog.rules.skirmish.library import library_of
from combatlog.rules.skirmish.play import Situation
from combatlog.rules.skirmish.player_choice import ask, choose
from combatlog.rules.skirmish.sheet import figures_in_play, opponent_of, player_of
from combatlog.rules.skirmish.vocabulary import Need, Timing, ref
from projections.battle import Battle
from projections.combatant import Combatant

MOMENTS: dict[Timing, str] = {
    Timing.START_OF_ROUND: "round.starting",
    Timing.END_OF_ROUND: "round.ending",
    Timing.END_OF_ACTIVATION: "activation.ending",
    Timing.HOSTILE_ACTIVATES: "activation.started",
    Timing.HOSTILE_ENTERS_ADJACENT: "figure.near",
    Timing.HOSTILE_DEFEATED: "figure.defeated",
    Timing.FRIEND_DEFEATED: "friend.defeated",
}
"""What the windows of these moments are called."""


def open_moment(
    table: Table,
    player: Combatant,
    timing: Timing,
    figures: Sequence[Combatant],
    other: Combatant | None = None,
) -> None:
    """Let a player play cards for one of these figures, card by card until it passes."""
    subject = other.id if other is not None else player.id
    while True:
        found = _playable(table.battle, player, timing, figures, other)
        useful = [one.source for one in found if one.changes_something]
        chosen = ask(table, MOMENTS[timing], player, subject, [one.source for one in found], [*dict.fromkeys(useful)])
        if chosen is None:
            return
        with table.because_of(chosen):
            card = library_of(table.battle).by_ref[chosen.reaction]
            figure = _figure_for(table, player, [one for one in found if one.ability is card])
            play_card(table, player, card, figure, other=other)


def _playable(
    battle: Battle, player: Combatant, timing: Timing, figures: Sequence[Combatant], other: Combatant | None
) -> list[Situation]:
    """Every way to play a card here: for each figure that it can be played for, or for none if it needs none."""
    found = [one for one in playable(battle, player, None, (timing,), other=other) if not needs_figure(one.ability)]
    for figure in figures:
        ways = playable(battle, player, figure, (timing,), other=other)
        found += [one for one in ways if needs_figure(one.ability)]
    return found


def needs_figure(card: Ability) -> bool:
    return card.trait is not None or any(effect.needs in (Need.FIGURE, Need.MOVER) for effect in card.effects())


def _figure_for(table: Table, player: Combatant, ways: Sequence[Situation]) -> Combatant | None:
    figures = {ref("figure", one.figure.id): one for one in ways if one.figure_if_any is not None}
    if not figures:
        return None
    usual = next((name for name, one in figures.items() if one.changes_something), next(iter(figures)))
    return figures[choose(table, "card.figure", player, player.id, list(figures), default=usual)].figure


def own_figures(battle: Battle, player: Combatant) -> list[Combatant]:
    return [figure for figure in figures_in_play(battle) if figure.side == player.side]


def answered_by_opponent(table: Table, timing: Timing, other: Combatant, near: Sequence[Combatant] = ()) -> None:
    """Let the other player of a figure play cards because of what the figure does; for figures near it, if given."""
    opponent = opponent_of(table.battle, player_of(table.battle, other))
    open_moment(table, opponent, timing, near or own_figures(table.battle, opponent), other)
