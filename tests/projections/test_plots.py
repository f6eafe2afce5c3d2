"""Figures say what they show. An SVG keeps its words as text, so they can be looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.errors import Problem
from ledger.store import Ledger, encounter_id
from projections.analytics_names import Figure
from projections.plots.figures import draw
from projections.statistics.scope import Scope
from rules.content.scenario import play_in_memory, read_scenario
from rules.engine.commands import Declaration
from rules.engine.referee import Referee

BRIDGE = Scope((encounter_id("bridge"),))
OTHER = Scope((encounter_id("other"),))


@pytest.fixture
def fought(ledger: Ledger) -> Ledger:
    ledger.append(play_in_memory(read_scenario(Path(__file__).parent / "statistics" / "bridge.yaml"))[0].events)
    shove = {"to": [3, 4], "reason": "shoved"}
    ruling = Declaration(actor="gm", action="core:ruling:rule", targets=("rurik",), options=shove)
    Referee(ledger).declare("bridge", ruling)
    return ledger


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        (Figure.DAMAGE, ["Damage per round", "damage dealt", "rurik", "snig"]),
        (Figure.HIT_POINTS, ["Hit points over time: bridge", "points left", "rurik hp", "snig hp", "R2"]),
        (Figure.DICE, ["d20, rolled 9 times", "a fair die"]),
        (Figure.TIMELINE, ["Timeline: bridge", "osric", "reacts", "is hurt", "R1"]),
        (Figure.HEAT_MAP, ["Where people moved to", "arrivals"]),
    ],
)
def test_a_figure_has_its_labels(fought: Ledger, tmp_path: Path, figure: Figure, words: list[str]) -> None:
    draw(fought, figure, BRIDGE, tmp_path / "figure.svg")
    drawn = (tmp_path / "figure.svg").read_text()
    assert [word for word in words if f">{word}<" not in drawn] == []


def test_a_png_is_a_png(fought: Ledger, tmp_path: Path) -> None:
    draw(fought, Figure.DICE, Scope(), tmp_path / "dice.png")
    assert (tmp_path / "dice.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("figure", "scope", "name", "code"),
    [
        (Figure.DICE, BRIDGE, "dice.pdf", "plot/format"),
        (Figure.DICE, BRIDGE, "nowhere/dice.svg", "file/unusable"),
        (Figure.TIMELINE, Scope(), "t.svg", "plot/one-fight"),
        (Figure.DICE, OTHER, "d.svg", "plot/nothing"),
        (Figure.TIMELINE, OTHER, "t.svg", "plot/nothing"),
    ],
)
def test_what_cannot_be_drawn(
    fought: Ledger, tmp_path: Path, figure: Figure, scope: Scope, name: str, code: str
) -> None:
    with pytest.raises(Problem) as caught:
        draw(fought, figure, scope, tmp_path / name)
    assert caught.value.code == code
    assert list(tmp_path.iterdir()) == []
