"""The letters of a map: what each square is. The rules decide what that means for those who stand there."""

from __future__ import annotations

FLOOR, WALL, DIFFICULT = ".", "#", "~"
