"""Why a card was not played in a declaration: what kept each player from it."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.engine.refusal import Refusal
from combatlog.rules.skirmish.ability import Ability
from combatlog.rules.skirmish.cards import IN_ACTIVATION, check_card
from combatlog.rules.skirmish.library import library_of
from combatlog.rules.skirmish.sheet import players
from combatlog.rules.skirmish.vocabulary import Timing, ref
from ledger.events import Declared
from projections.battle import Battle
from projections.combatant import Combatant


def obstacles(before: Battle, declared: Declared, name: str) -> list[str]:
    """One sentence per player; none if the library has no card of this name."""
    card = library_of(before).by_ref.get(ref("card", name))
    return [_obstacle(before, declared, player, card) for player in players(before)] if card is not None else []


def _obstacle(before: Battle, declared: Declared, player: Combatant, card: Ability) -> str:
    for figure, moments in _parts(before, declared):
        if figure.side == player.side:
            try:
                check_card(player, figure, card, moments)
            except Refusal as refusal:
                return refusal.sentence
            return f"{player.id} could have played {card.id}, but did not."
    return f"{player.id} was not part of this."


def _parts(before: Battle, declared: Declared) -> Iterator[tuple[Combatant, tuple[Timing, ...]]]:
    """The figures in the declaration, and when their players could have played cards."""
    if declared.actor in before.combatants:
        yield before.combatants[declared.actor], (*IN_ACTIVATION, Timing.DECLARING, Timing.ATTACKING)
    for target in declared.targets:
        if target in before.combatants:
            yield before.combatants[target], (Timing.DEFENDING,)
