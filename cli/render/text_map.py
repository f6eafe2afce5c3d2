"""The map as letters on a grid, and a legend by side.

A map that is wider or higher than the screen is folded: only the columns and rows near combatants are drawn, with a
dotted line in place of the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from rich.cells import cell_len
from rich.text import Text

from cli.render.terminal import console, say
from combatlog.rules.engine.grid.squares import FLOOR, Grid, grid_of
from combatlog.rules.engine.ruleset_types import AreaPreview
from combatlog.rules.engine.summary import CombatantSummary, landmarks, summaries
from ledger.events import Position
from projections.battle.combatant import Combatant
from projections.battle.fold import Battle
from projections.story.phrases import place
from projections.story.text import and_list, clean

_STYLES = ("bold green", "bold red", "bold cyan", "bold magenta", "bold yellow")
_MARGIN = 2
_LABELS = 4
_HIGHEST = 40
"""The largest number of rows that are drawn."""
_FALLEN = "†"
_IN_AREA = "*"
"""An empty square of an area that is previewed."""
_Marks = dict[str, tuple[str, str]]
"""The letter of a combatant on the map, and its style, by id."""
_GAP = -1
"""Columns or rows that are not drawn."""


def draw_map(battle: Battle, width: int | None = None, area: Collection[Position] = ()) -> list[Text]:
    """The map with an area marked, then a legend of who is where. Without a map, only the squares around combatants.

    Empty if no combatant has a place.
    """
    present = battle.present()
    placed = [combatant for combatant in present if combatant.position is not None]
    if not placed:
        return []
    seen, room = summaries(battle), width or console().width
    marks = _marks(battle, present, seen)
    return [*_drawn(battle, placed, marks, seen, room, area), *_legend(present, marks, room)]


def _drawn(
    battle: Battle,
    placed: Sequence[Combatant],
    marks: _Marks,
    seen: Mapping[str, CombatantSummary],
    width: int,
    area: Collection[Position],
) -> list[Text]:
    grid = grid_of(battle.map)
    whole = battle.map is not None
    fallen_first = sorted(
        placed, key=lambda combatant: marks[combatant.id][0] != _FALLEN
    )  # so that others are drawn over them
    covered = {space: marks[one.id] for one in fallen_first for space in _spaces(one, seen)}
    xs, ys = ([space[axis] for space in (*covered, *area)] for axis in (0, 1))
    columns = _folded(_range(xs, grid.width, whole), xs, width - _LABELS)
    rows = _folded(_range(ys, grid.height, whole), ys, _HIGHEST)
    if not columns or not rows:
        return [Text("The map does not fit here; the places are below.", "dim")]
    on_map = {**{space: (mark, "dim") for space, mark in landmarks(battle).items()}, **covered}
    for space in area:
        mark, style = on_map.get(space, (_IN_AREA, "yellow"))
        on_map[space] = (mark, f"{style} reverse" if space in covered else style)
    return [*_numbers(columns), *(_map_row(grid, y, columns, on_map) for y in rows)]


def _spaces(combatant: Combatant, seen: Mapping[str, CombatantSummary]) -> list[Position]:
    """The squares that a combatant covers."""
    assert combatant.position is not None
    return seen[combatant.id].spaces or [combatant.position]


def _range(taken: Sequence[int], size: int, whole: bool) -> range:
    return range(size) if whole else range(max(0, min(taken) - _MARGIN), min(size, max(taken) + _MARGIN + 1))


def _folded(numbers: range, near: Iterable[int], most: int) -> list[int]:
    """All numbers if they fit, otherwise as many around the combatants as fit. Empty if even those do not fit."""
    if len(numbers) <= most:
        return list(numbers)
    for margin in (12, 8, 5, 3, 2, 1, 0):
        around = {number for one in near for number in range(one - margin, one + margin + 1)}
        shown = _with_gaps([number for number in numbers if number in around])
        if len(shown) <= most:
            return shown
    return []


def _with_gaps(numbers: Sequence[int]) -> list[int]:
    shown: list[int] = []
    for number in numbers:
        if shown and number != shown[-1] + 1:
            shown.append(_GAP)
        shown.append(number)
    return shown


def _numbers(columns: Sequence[int]) -> list[Text]:
    """The last digit above each column, and the digits before it where they change."""
    last = "".join("┊" if x == _GAP else str(x % 10) for x in columns)
    if max(columns) < 10:
        return [Text(" " * _LABELS + last, "dim")]
    tens = ""
    for index, x in enumerate(columns):
        begins = index == 0 or columns[index - 1] == _GAP
        has_room = x % 10 + len(str(x // 10)) < 10  # before the next number that is written
        if x >= 10 and (x % 10 == 0 or (begins and has_room)):
            tens = tens.ljust(index) + str(x // 10)
    return [Text(" " * _LABELS + tens, "dim"), Text(" " * _LABELS + last, "dim")]


def _map_row(grid: Grid, y: int, columns: Sequence[int], on_map: Mapping[Position, tuple[str, str]]) -> Text:
    if y == _GAP:
        return Text(" " * _LABELS + "┈" * len(columns), "dim")
    line = Text(f"{y:>3} ", "dim")
    for x in columns:
        square = "┊" if x == _GAP else grid.terrain((x, y))
        mark, style = on_map.get((x, y), ("·" if square == FLOOR else square, "dim"))
        line.append(mark, style)
    return line


def _marks(battle: Battle, present: Sequence[Combatant], seen: Mapping[str, CombatantSummary]) -> _Marks:
    """A letter for each, a cross for the fallen; in the colour of its side."""
    sides = list(dict.fromkeys(combatant.side for combatant in battle.combatants.values()))
    marks: _Marks = {}
    taken = {""}
    for combatant in present:
        letter = _FALLEN if seen[combatant.id].fallen else _letter(combatant, taken)
        taken.add(letter)
        marks[combatant.id] = (letter, _STYLES[sides.index(combatant.side) % len(_STYLES)])
    return marks


def _letter(combatant: Combatant, taken: set[str]) -> str:
    """Its initial, or the next free letter that is as wide as a square."""
    wanted = [char.upper() for char in combatant.id if char.isalpha()]
    spare = map(chr, (*range(ord("a"), ord("z") + 1), *range(ord("A"), ord("Z") + 1)))
    return next((char for char in [*wanted, *spare] if char not in taken and cell_len(char) == len(char) == 1), "?")


def _legend(present: Sequence[Combatant], marks: _Marks, width: int) -> list[Text]:
    lines = []
    for side in dict.fromkeys(combatant.side for combatant in present):
        own = [combatant for combatant in present if combatant.side == side]
        lines += _packed(f"{clean(side)}:", [_entry(combatant, marks[combatant.id]) for combatant in own], width)
    return lines


def _entry(combatant: Combatant, mark: tuple[str, str]) -> Text:
    if combatant.position is None:
        return Text(clean(combatant.name), "dim")
    return Text(mark[0], mark[1]).append(f" {clean(combatant.name)} ({place(combatant.position)})", "dim")


def _packed(title: str, entries: Iterable[Text], width: int) -> list[Text]:
    """As many entries on a line as fit. Only an entry that is longer than a line is broken."""
    lines = [Text(f"{title} ", "dim")]
    parts = [part for entry in entries for part in entry.wrap(console(), width - _MARGIN, no_wrap=False)]
    between = 0
    for part in parts:
        if lines[-1].cell_len + between + part.cell_len > width:
            lines.append(Text(" " * _MARGIN))
            between = 0
        lines[-1].append(" " * between).append_text(part)
        between = _MARGIN
    return lines


def print_aim(battle: Battle, found: AreaPreview) -> None:
    """The combatants that an area would affect, on the map; friends first."""
    for line in draw_map(battle, area=found.squares):
        console().print(line)
    friends, foes = ([clean(one.name) for one in found.caught if one.friend is friend] for friend in (True, False))
    if friends:
        say(f"Friends in it: {and_list(friends)}", "bold red")
    say(f"Foes in it: {and_list(foes)}" if foes else "No foe is in it.", "bold green" if foes else "dim")
