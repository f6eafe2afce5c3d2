"""The letters of a map: what each square is. The rules decide what that means for those who stand there."""

from __future__ import annotations

FLOOR, WALL, DIFFICULT = ".", "#", "~"
WATER, CLIFF, CHASM = "w", "^", ":"
"""Deep water to swim through, steep ground to climb, and a drop that only fliers cross."""
DOOR, OPEN_DOOR = "+", "/"

TERRAIN = {
    FLOOR: "floor",
    WALL: "wall",
    DIFFICULT: "difficult terrain",
    WATER: "deep water",
    CLIFF: "steep ground",
    CHASM: "a chasm",
    DOOR: "a closed door",
    OPEN_DOOR: "an open door",
}
"""Every letter, in words."""

SOLID = (WALL, DOOR)
"""What nobody passes and nobody sees through."""
ROUGH = (DIFFICULT, WATER, CLIFF)
"""What slows down whoever has no better way to move there."""

OPEN_GROUND = (FLOOR * 30,) * 30
"""The map of an encounter that was opened without one."""


def terrain_at(rows: tuple[str, ...] | None, square: tuple[int, int]) -> str:
    return (rows or OPEN_GROUND)[square[1]][square[0]]


def with_square(rows: tuple[str, ...] | None, square: tuple[int, int], letter: str) -> tuple[str, ...]:
    """The map with one square changed."""
    (x, y), drawn = square, rows or OPEN_GROUND
    return (*drawn[:y], drawn[y][:x] + letter + drawn[y][x + 1 :], *drawn[y + 1 :])
