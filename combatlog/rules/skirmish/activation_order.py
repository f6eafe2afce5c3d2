"""Who can be activated next: the players take turns, one deployment card at a time, unless cards say otherwise."""

from __future__ import annotations

from combatlog.rules.skirmish.conditions.activation_order import ACTS_AGAIN, MUST_ACTIVATE, SITS_TIGHT, figures_bound
from combatlog.rules.skirmish.sheet import figure_sheet, figures_in_play, is_grouped, is_player, opponent_of, players
from combatlog.rules.skirmish.vocabulary import ACTIVATIONS, ref
from projections.battle import Battle
from projections.combatant import Combatant

ACTIVATE = ref("action", "activate")


def may_activate(battle: Battle) -> list[Combatant]:
    """The figures that can be activated next: the rest of a deployment card in progress, or else all that are ready.

    They belong to the player whose turn it is, unless that player has no ready figure left.
    """
    in_turn = sorted(players(battle), key=lambda player: not player.granted_actions(ACTIVATE))
    player = next((player for player in in_turn if can_begin(battle, player)), None)
    if player is None:
        return []
    ready = ready_figures(battle, player)
    under_way = [figure for figure in ready if is_under_way(battle, figure)]
    return under_way or _bound(player, ready) or ready


def _bound(player: Combatant, ready: list[Combatant]) -> list[Combatant]:
    """Those of the ready figures that cards make the next to be activated."""
    names = [*figures_bound(player, ACTS_AGAIN), *figures_bound(player, MUST_ACTIVATE)]
    return [figure for figure in ready if figure.id in names]


def can_begin(battle: Battle, player: Combatant) -> bool:
    """Whether a player has ready figures, and may activate them. If both sit tight, nobody waits."""
    ready, opponent = ready_figures(battle, player), opponent_of(battle, player)
    waits = player.has(SITS_TIGHT) and not opponent.has(SITS_TIGHT)
    if not waits or any(is_under_way(battle, figure) for figure in ready):
        return bool(ready)
    return len(_cards(ready)) > len(_cards(ready_figures(battle, opponent)))


def _cards(figures: list[Combatant]) -> list[str]:
    """The deployment cards of these figures."""
    sheets = [(figure_sheet(figure).group, figure.id) for figure in figures]
    return list(dict.fromkeys(f"group {group}" if group is not None else name for group, name in sheets))


def next_player(battle: Battle, figure: Combatant, player: Combatant) -> Combatant | None:
    """Whose turn it is after an activation by a player; None if the round is over."""
    own = ready_figures(battle, player)
    if is_in_progress(battle, figure, own) or any(other.id in figures_bound(player, ACTS_AGAIN) for other in own):
        return player
    in_turn = (opponent_of(battle, player), player)
    return next((one for one in in_turn if can_begin(battle, one)), None)


def is_in_progress(battle: Battle, figure: Combatant, ready: list[Combatant]) -> bool:
    """Whether others of the figure's deployment card are still to be activated."""
    return any(is_grouped(figure, other) for other in ready) and is_under_way(battle, figure)


def is_under_way(battle: Battle, figure: Combatant) -> bool:
    group = [other for other in battle.combatants.values() if not is_player(other) and is_grouped(figure, other)]
    return any(other.economy[ACTIVATIONS].spent > 0 for other in group)


def ready_figures(battle: Battle, player: Combatant) -> list[Combatant]:
    return [
        figure
        for figure in figures_in_play(battle)
        if figure.side == player.side and figure.economy.left(ACTIVATIONS) > 0
    ]
