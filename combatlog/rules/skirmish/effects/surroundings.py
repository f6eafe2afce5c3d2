"""Cards that change the map, or count with it."""

from __future__ import annotations

from combatlog.rules.engine.grid import DIFFICULT, FLOOR
from combatlog.rules.skirmish.board import board_of
from combatlog.rules.skirmish.conditions.held import UNTIL_ROUND_ENDS
from combatlog.rules.skirmish.conditions.surroundings import HARSH_ENVIRONMENT
from combatlog.rules.skirmish.play import Play, Situation
from combatlog.rules.skirmish.registry import Flag, effect
from combatlog.rules.skirmish.usefulness import never
from combatlog.rules.skirmish.vocabulary import Need, Timing
from ledger.events import Position


def _around(play: Situation) -> list[Position]:
    """The space that was aimed at, and those next to it."""
    board, target = board_of(play.battle), play.attack.space
    grid = board.grid
    everywhere = [(x, y) for y in range(grid.height) for x in range(grid.width)]
    return [space for space in everywhere if space == target or board.touch(target, space)]


@effect(
    "placeRubbleOnTargetAndAdjacent",
    Flag,
    needs=Need.RESOLVED_ATTACK,
    timing=Timing.AFTER_ATTACK,
    changes=never,
    possible=lambda play, _: play.attack.hit,
)
def place_rubble(play: Play, _: bool) -> None:
    """after an attack that did not miss, the target's space and those next to it become difficult terrain"""
    for space in _around(play):
        if board_of(play.battle).grid.terrain(space) == FLOOR:
            play.table.change_terrain(space, DIFFICULT, play.source, play.player.id)


@effect("setsHarshEnvironment", Flag, needs=Need.PLAYER, timing=Timing.START_OF_ROUND, changes=never)
def be_harsh(play: Play, _: bool) -> None:
    """until the round ends, figures on exterior spaces have 1 Evade less when they defend, all others 1 Block more; if
    the encounter does not say which spaces are exterior, people decide"""
    if play.battle.encounter.options.get("exterior") is None:
        play.ask_people(f"{play.ability.label} (nobody has said which spaces are exterior)")
        return
    for player in (play.player, play.opponent):
        play.table.apply_condition(
            player, HARSH_ENVIRONMENT, source=play.source, owner=play.player.id, until=UNTIL_ROUND_ENDS
        )
