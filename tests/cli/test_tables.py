"""Tables on screens of any width: no word is lost and nothing sticks out."""

from __future__ import annotations

import os
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

import cli.render.text_tables as tables
from cli.render.text_tables import TableGrid, print_grid
from projections.statistics.statistic_names import Statistic
from tests.cli.conftest import Run
from tests.cli.golden_fights import play
from tests.effort import examples

WORDS = st.text("abcdefghij-", min_size=1, max_size=12).filter(lambda word: word.strip("-") == word)
CELLS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)


@st.composite
def grids(draw: st.DrawFn) -> TableGrid:
    titles = draw(st.lists(CELLS, min_size=1, max_size=9))
    rows = draw(st.lists(st.lists(CELLS, min_size=len(titles), max_size=len(titles)), min_size=1, max_size=4))
    numbers = draw(st.frozensets(st.integers(0, len(titles) - 1)))
    return TableGrid(titles, rows, numbers, ["███"] * len(rows) if draw(st.booleans()) else ())


def printed(grid: TableGrid, columns: int) -> list[str]:
    screen = Console(file=StringIO(), width=columns, force_terminal=True, color_system=None, soft_wrap=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "console", lambda: screen)
        print_grid(grid)
    assert isinstance(screen.file, StringIO)
    return screen.file.getvalue().splitlines()


@given(grid=grids(), columns=st.integers(30, 120))
@examples(150)
def test_every_word_is_on_the_screen_and_no_line_is_too_long(grid: TableGrid, columns: int) -> None:
    lines = printed(grid, columns)
    assert max(map(cell_len, lines)) <= columns
    shown = " ".join(lines).replace("- ", "-").replace(":", " ").replace(",", " ")
    parts = {part for word in shown.split() for part in word.split("-")}
    for text in (*grid.titles[1:], *(cell for row in grid.rows for cell in row)):
        assert {part for word in text.split() for part in word.split("-")} <= parts


def test_a_table_in_parts_begins_each_with_what_its_rows_are_about() -> None:
    grid = TableGrid(["who", "a" * 12, "b" * 12, "c" * 12], [["rurik", "1", "2", "3"]], frozenset({1, 2, 3}))
    assert [line.rstrip() for line in printed(grid, 40)] == [
        f"who    {'a' * 12}",
        "rurik             1",
        "",
        f"who    {'b' * 12}  {'c' * 12}",
        "rurik             2             3",
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("cli_database")
def test_no_statistic_is_wider_than_the_screen(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from cli.render.terminal import console

    play()
    for columns in (60, 80, 120):
        monkeypatch.setitem(os.environ, "COLUMNS", str(columns))
        console.cache_clear()
        for statistic in Statistic:
            fights = ("Mill at dusk", "Frozen hall") if statistic is Statistic.COMPARE else ("Mill at dusk",)
            ran = run("stats", statistic.value, *fights)
            assert ran.status == 0
            assert max(map(cell_len, ran.out.splitlines())) <= columns, ran.out
        ran = run("report", "Mill at dusk")
        assert max(map(cell_len, ran.out.splitlines())) <= columns, ran.out
    console.cache_clear()
