"""Figures say what they show. An SVG keeps its words as text, so they can be looked for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from combatlog.rules.content.scenario import Scenario, play_in_memory, read_scenario
from combatlog.rules.engine.commands import Declaration
from combatlog.rules.engine.resolution.referee import Referee
from ledger.errors import Problem
from ledger.store.ledger import LedgerStore, encounter_id
from projections.battle.clock_and_map import footprint
from projections.plots.counts_and_rates import _histogram
from projections.plots.fight_figures import draw_pools
from projections.plots.figure_basics import MARKERS, check_file, inline_svg, label, looks
from projections.plots.figures import FIGURES, OWN, draw, drawn, figure_of
from projections.plots.maps import MOST_MAPS
from projections.statistics.scope import StatisticScope
from projections.statistics.statistic_names import Figure, Statistic

BRIDGE = StatisticScope((encounter_id("bridge"),))
OTHER = StatisticScope((encounter_id("other"),))
MAP = ("...##...", "...##...", "........", "........", "........", ".....~~.")


def play(ledger: LedgerStore, name: str, map: tuple[str, ...] | None = MAP) -> None:
    scenario = read_scenario(Path(__file__).parent / "statistics" / "bridge.yaml")
    drawn = "\n".join(map) if map is not None else None
    changed = Scenario.model_validate({**scenario.model_dump(), "encounter": name, "map": drawn})
    events = play_in_memory(changed)[0].events
    ledger.append(events)
    shove = {"to": [1, 4], "reason": "shoved"}
    Referee(ledger).declare(name, Declaration(actor="gm", action="core:ruling:rule", targets=("rurik",), options=shove))


@pytest.fixture
def fought(ledger: LedgerStore) -> LedgerStore:
    play(ledger, "bridge")
    return ledger


@pytest.mark.slow
@pytest.mark.parametrize(
    ("figure", "words"),
    [
        (Figure.DAMAGE, ["Damage per round", "round (beside each name: damage dealt in all)", "Rurik: 20", "Snig: 6"]),
        (Figure.HIT_POINTS, ["Hit points over time: bridge", "points left", "Rurik hp", "Snig hp", "R2"]),
        (Figure.DICE, ["d20, rolled 9 times", "a fair die"]),
        (Figure.HITS, ["Attacks that hit", "2 of 2", "0 of 1", "1 of 2", "100 %"]),
        (Figure.LUCK, ["Hits compared with chance", "Rurik (2)", "95 % of fair dice", "expected"]),
        (Figure.REACTIONS, ["Chances to react", "Osric", "used", "declined", "missed"]),
        (Figure.TIMELINE, ["Timeline: bridge", "Osric", "reacts", "is hurt", "R1"]),
        (Figure.HEAT_MAP, ["Where people moved to", "bridge", "arrivals"]),
    ],
)
def test_a_figure_has_its_labels(fought: LedgerStore, figure: Figure, words: list[str]) -> None:
    shown = draw(fought, figure, BRIDGE, "svg").decode()
    assert [word for word in words if f">{word}<" not in shown] == []


def test_a_png_is_a_png(fought: LedgerStore) -> None:
    assert draw(fought, Figure.DICE, StatisticScope(), "png").startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("figure", "scope", "code"),
    [
        (Figure.TIMELINE, StatisticScope(), "plot/one-fight"),
        (Figure.DICE, OTHER, "plot/nothing"),
        (Figure.LUCK, OTHER, "plot/nothing"),
        (Figure.TIMELINE, OTHER, "plot/nothing"),
    ],
)
def test_what_cannot_be_drawn(fought: LedgerStore, figure: Figure, scope: StatisticScope, code: str) -> None:
    with pytest.raises(Problem) as caught:
        draw(fought, figure, scope, "svg")
    assert caught.value.code == code


@pytest.mark.parametrize(("name", "code"), [("dice.pdf", "plot/format"), ("nowhere/dice.svg", "file/unusable")])
def test_where_nothing_can_be_drawn_to(tmp_path: Path, name: str, code: str) -> None:
    with pytest.raises(Problem) as caught:
        check_file(tmp_path / name)
    assert caught.value.code == code


# Which statistic has which figure


def test_no_two_statistics_share_a_figure() -> None:
    assert len(set(OWN.values())) == len(OWN)
    assert set(FIGURES) == set(Figure)


@pytest.mark.parametrize("statistic", [Statistic.ECONOMY, Statistic.CONDITIONS, Statistic.CORRECTIONS])
def test_a_statistic_without_a_figure_says_which_have_one(statistic: Statistic) -> None:
    with pytest.raises(Problem) as caught:
        figure_of(statistic)
    assert caught.value.code == "plot/no-figure"
    assert "damage, hits, rolls, luck, reactions and turns have one" in str(caught.value)


# Looks


def grey(colour: str) -> float:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_thirteen_combatants_look_different_in_colour_and_in_grey() -> None:
    given = list(looks([f"combatant {number}" for number in range(13)]).values())
    assert len({(look.colour, look.marker) for look in given}) == 13
    assert len({look.marker for look in given}) == 13
    assert len({(round(grey(look.colour)), look.line) for look in given}) == 13


def test_colours_and_markers_change_independently() -> None:
    """A marker does not come with one colour only, as it would if both changed at the same pace."""
    given = list(looks([str(number) for number in range(5 * len(MARKERS))]).values())
    colours_of = {marker: {look.colour for look in given if look.marker == marker} for marker in MARKERS}
    assert min(map(len, colours_of.values())) > 1
    assert len({(look.colour, look.marker) for look in given}) == len(given)


def test_the_lines_of_thirteen_combatants_are_drawn_with_these_looks() -> None:
    lines = {f"combatant {number}": [(1, 20), (5 + number, number), (40, number)] for number in range(13)}
    (axes,) = draw_pools("Hit points", lines, {1: 3}, 40).axes
    drawn_lines = [line for line in axes.get_lines() if str(line.get_label()).startswith("combatant")]
    assert len({(line.get_color(), line.get_marker()) for line in drawn_lines}) == 13
    assert [text.get_text() for text in axes.get_legend().get_texts()] == list(lines)


def test_on_a_page_nothing_is_drawn_in_black() -> None:
    """On a dark page it would not be seen; the colour of the text around it is."""
    lines = {f"combatant {number}": [(1, 20), (5 + number, number), (40, number)] for number in range(13)}
    svg = inline_svg(draw_pools("Hit points", lines, {1: 3}, 40), "test")
    assert svg.startswith("<svg")
    assert re.findall(r"#000000|#010203|<metadata", svg) == []
    assert svg.count("currentColor") > 20


def test_a_long_name_is_broken_and_not_cut() -> None:
    name = "Sir Osric the Bold of the Northern Marches, called the Wall"
    assert label(name).split("\n") == ["Sir Osric the Bold of", "the Northern Marches,", "called the Wall"]


# Axes


def axes_of(ledger: LedgerStore, figure: Figure, scope: StatisticScope = BRIDGE) -> Any:
    made = drawn(ledger, figure, scope)
    made.canvas.draw()
    return made.axes[0]


@pytest.mark.parametrize("figure", [Figure.HITS, Figure.LUCK])
def test_a_rate_is_on_a_scale_from_0_to_100_percent(fought: LedgerStore, figure: Figure) -> None:
    axes = axes_of(fought, figure)
    assert axes.get_xlim() == (0, 100)
    assert [text.get_text() for text in axes.get_xticklabels()] == ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]


@pytest.mark.parametrize(
    ("figure", "axis"),
    [
        (Figure.REACTIONS, "x"),
        (Figure.DICE, "y"),
        (Figure.HIT_POINTS, "y"),
        (Figure.TIMELINE, "x"),
        (Figure.HEAT_MAP, "x"),
    ],
)
def test_counts_have_ticks_at_whole_numbers(fought: LedgerStore, figure: Figure, axis: str) -> None:
    axes = axes_of(fought, figure)
    ticks = getattr(axes, f"get_{axis}ticks")()
    assert len(ticks) > 0
    assert [tick for tick in ticks if tick != round(tick)] == []


def test_luck_shows_what_fair_dice_give(fought: LedgerStore) -> None:
    """Rurik needs 10 (11/20) and hits twice: chance gives him 0 to 2 of 2, so he was not lucky."""
    axes = axes_of(fought, Figure.LUCK)
    rows = [text.get_text() for text in axes.get_yticklabels()]
    band = next(bar for bar in axes.patches if round(bar.get_y() + bar.get_height() / 2) == rows.index("Rurik (2)"))
    assert (band.get_x(), band.get_x() + band.get_width()) == (0, 100)


def test_a_few_rolls_of_a_die_are_not_called_rare() -> None:
    """Three rolls: a face of a d20 comes up twice or more 0.7 % of the time, so 0 and 1 are what fair dice give."""
    from matplotlib.figure import Figure as Drawing

    axes = Drawing().subplots()
    _histogram(axes, 20, {5: 1, 14: 1, 20: 1})
    band = next(patch for patch in axes.patches if patch.get_label() == "95 % of fair dice")
    assert (band.get_y(), band.get_y() + band.get_height()) == (0, 1)


# Maps


def test_a_map_is_drawn_whole_with_its_walls(fought: LedgerStore) -> None:
    axes = axes_of(fought, Figure.HEAT_MAP)
    assert (axes.get_xlim(), axes.get_ylim()) == ((-0.5, 7.5), (5.5, -0.5))
    squares = {(patch.get_gid(), patch.get_x() + 0.5, patch.get_y() + 0.5) for patch in axes.patches}
    assert squares == {
        ("wall", 3, 0),
        ("wall", 4, 0),
        ("wall", 3, 1),
        ("wall", 4, 1),
        ("difficult", 5, 5),
        ("difficult", 6, 5),
    }


def test_each_fight_has_a_panel_of_its_own(fought: LedgerStore) -> None:
    play(fought, "field", None)
    panels = [axes for axes in drawn(fought, Figure.HEAT_MAP, StatisticScope()).axes if axes.get_title(loc="left")]
    assert [panel.get_title(loc="left") for panel in panels] == ["bridge", "field"]
    boxes = [panel.get_position() for panel in panels]
    assert not boxes[0].overlaps(boxes[1])
    assert panels[1].get_xlim() == (-0.5, 3.5)  # open ground: two squares around 1,4, as far as there are any
    assert [patch.get_gid() for patch in panels[1].patches] == []


@pytest.mark.parametrize(
    ("size", "squares"),
    [("medium", (1, 1)), ("large", (2, 2)), ("gargantuan", (4, 4)), ("1x2", (1, 2)), (None, (1, 1)), ("vast", (1, 1))],
)
def test_how_many_squares_a_size_takes_up(size: str | None, squares: tuple[int, int]) -> None:
    assert footprint({"size": size}) == squares


def test_a_large_creature_arrives_at_all_of_its_squares(ledger: LedgerStore) -> None:
    den = {
        "encounter": "den",
        "dice": "table",
        "combatants": [
            {"sheet": "ogre", "as": "Og", "side": "foes", "at": [2, 2]},
            {"sheet": "fighter", "as": "Rurik", "at": [8, 8]},
        ],
        "script": [
            {"do": "start", "dice": [20, 1]},
            {"do": "move", "actor": "og", "to": [3, 2]},
            {"do": "end-turn", "actor": "og"},
            {"do": "move", "actor": "rurik", "to": [7, 8]},
        ],
    }
    ledger.append(play_in_memory(Scenario.model_validate(den))[0].events)
    axes = axes_of(ledger, Figure.HEAT_MAP, StatisticScope((encounter_id("den"),)))
    shown = {text.get_position(): text.get_text() for text in axes.texts}
    assert shown == {(3, 2): "1", (4, 2): "1", (3, 3): "1", (4, 3): "1", (7, 8): "1"}


def test_more_maps_than_fit_are_refused(fought: LedgerStore) -> None:
    for number in range(MOST_MAPS):
        play(fought, f"bridge {number}")
    with pytest.raises(Problem) as caught:
        drawn(fought, Figure.HEAT_MAP, StatisticScope())
    assert (caught.value.code, caught.value.facts["found"]) == ("plot/too-many-maps", MOST_MAPS + 1)
