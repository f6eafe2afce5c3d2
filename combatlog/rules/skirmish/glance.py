"""A figure or a player at a glance: defense dice, what is left of its activation, tokens; points and cards."""

from __future__ import annotations

from collections.abc import Iterator

from combatlog.rules.engine.glance import Glance, grants_in_words, resources_in_words
from combatlog.rules.skirmish.attachments import attached_to
from combatlog.rules.skirmish.board import board_of
from combatlog.rules.skirmish.footprint import is_large, spaces_of
from combatlog.rules.skirmish.sheet import figure_sheet, is_player
from combatlog.rules.skirmish.terminals import controlled_by, terminals_of
from combatlog.rules.skirmish.tokens import TokenKind, resource_of
from combatlog.rules.skirmish.vocabulary import (
    ACTIONS,
    ACTIVATIONS,
    ATTACKS,
    DECK,
    DEFEATED,
    DISCARD,
    HAND,
    MOVEMENT,
    VICTORY_POINTS,
)
from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant
from projections.phrases import counted

_OWN = (ACTIONS, ACTIVATIONS, ATTACKS, MOVEMENT)


def glance(battle: Battle, combatant: Combatant) -> Glance:
    if is_player(combatant):
        return Glance(resources=list(_player(combatant)), notes=_terminals(battle, combatant))
    tokens = [resource_of(kind) for kind in TokenKind]
    held = [name for name in tokens if combatant.economy.left(name)]
    return Glance(
        figures={"defense": " + ".join(figure_sheet(combatant).defense) or "none"},
        left=[] if combatant.has(DEFEATED) else list(_left(battle, combatant)),
        resources=[
            *resources_in_words(combatant, [*held, *_others(combatant, (*_OWN, *tokens))]),
            *(one.in_words for one in attached_to(battle, combatant)),
        ],
        spaces=_spaces(combatant),
        fallen=combatant.has(DEFEATED),
    )


def _spaces(figure: Combatant) -> list[Position] | None:
    return spaces_of(figure) if figure.position is not None and is_large(figure) else None


BLOCKING_MARK, IMPASSABLE_MARK, TERMINAL_MARK = "x", "-", "¤"


def landmarks(battle: Battle) -> dict[Position, str]:
    """Terrain that the map has no letters for, and terminals."""
    board = board_of(battle)
    marks = ((board.blocking, BLOCKING_MARK), (board.impassable, IMPASSABLE_MARK))
    found = {space: mark for spaces, mark in marks for space in spaces}
    return {**found, **dict.fromkeys(terminals_of(battle), TERMINAL_MARK)}


def _left(battle: Battle, figure: Combatant) -> Iterator[str]:
    """In its activation, all that it can still spend; otherwise whether it is still to be activated in this round."""
    left = figure.economy.left
    if battle.clock.turn == figure.id:
        yield counted(left(ACTIONS), "action")
        if not left(ATTACKS):
            yield "no attack"
        yield from grants_in_words(figure)
    elif battle.clock.started:
        yield "ready" if left(ACTIVATIONS) else "activated"
    if left(MOVEMENT):
        yield counted(left(MOVEMENT), "movement point")


def _player(player: Combatant) -> Iterator[str]:
    yield counted(player.economy.left(VICTORY_POINTS), "victory point")
    for pile in (HAND, DECK, DISCARD):
        if cards := player.pile(pile):
            yield f"{pile} {len(cards)}"
    yield from resources_in_words(player, _others(player, (VICTORY_POINTS,)))


def _terminals(battle: Battle, player: Combatant) -> list[str]:
    held = controlled_by(battle, player) if player.present else []
    return [f"controls {counted(len(held), 'terminal')}"] if held else []


def _others(combatant: Combatant, known: tuple[str, ...]) -> list[str]:
    return [name for name in combatant.economy if name not in known]
