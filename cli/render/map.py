"""The map as letters on a grid."""

from __future__ import annotations

from rich.text import Text

from ledger.events import Position
from projections.battle import Battle
from projections.combatant import Combatant
from rules.engine.grid import FLOOR, grid_of

_STYLES = ("bold green", "bold red", "bold cyan", "bold magenta", "bold yellow")
_MARGIN = 2
_ByPlace = dict[Position | None, str]


def draw_map(battle: Battle, width: int | None = None) -> list[Text]:
    """The map around those who stand on it, or all of it where it was drawn. Empty without positions."""
    placed = [combatant for combatant in battle.present() if combatant.position is not None]
    if not placed:
        return []
    grid = grid_of(battle.encounter.map)
    left, right, top, bottom = _frame(battle, placed, grid.width, grid.height)
    letters = {combatant.position: letter for combatant, letter in _letters(placed)}
    sides = list(dict.fromkeys(combatant.side for combatant in battle.combatants.values()))
    styles = {c.position: _STYLES[sides.index(c.side) % len(_STYLES)] for c in placed}
    lines = [Text("    " + "".join(str(x % 10) for x in range(left, right)), style="dim")]
    for y in range(top, bottom):
        line = Text(f"{y:>3} ", style="dim")
        for x in range(left, right):
            square = grid.terrain((x, y))
            letter = letters.get((x, y))
            line.append(letter or ("·" if square == FLOOR else square), style=styles.get((x, y), "dim"))
        lines.append(line)
    lines.append(_legend(placed, letters, styles))
    return lines


def _frame(battle: Battle, placed: list[Combatant], width: int, height: int) -> tuple[int, int, int, int]:
    if battle.encounter.map is not None:
        return 0, width, 0, height
    xs = [c.position[0] for c in placed if c.position]
    ys = [c.position[1] for c in placed if c.position]
    return (
        max(0, min(xs) - _MARGIN),
        min(width, max(xs) + _MARGIN + 1),
        max(0, min(ys) - _MARGIN),
        min(height, max(ys) + _MARGIN + 1),
    )


def _letters(placed: list[Combatant]) -> list[tuple[Combatant, str]]:
    """A letter for each: its initial, or the next free one."""
    taken: set[str] = set()
    given = []
    for combatant in placed:
        wanted = [char.upper() for char in combatant.id if char.isalnum()]
        spare = (chr(code) for code in range(ord("a"), ord("z") + 1))
        letter = next((char for char in [*wanted, *spare] if char not in taken), "?")
        taken.add(letter)
        given.append((combatant, letter))
    return given


def _legend(placed: list[Combatant], letters: _ByPlace, styles: _ByPlace) -> Text:
    legend = Text("    ")
    for combatant in placed:
        legend.append(letters[combatant.position], style=styles[combatant.position])
        legend.append(f" {combatant.id}  ", style="dim")
    return legend
