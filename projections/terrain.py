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
