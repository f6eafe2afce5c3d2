"""The figures. The tables at the end give their names and the statistics they belong to."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

from ledger.errors import Problem
from ledger.store.ledger import LedgerStore
from projections.plots.counts_and_rates import damage_figure, dice_figure, hit_figure, luck_figure, reaction_figure
from projections.plots.fight_figures import hit_points, timeline
from projections.plots.figure_basics import FigureFromLedger, FigureQuery, save
from projections.plots.maps import heat_map
from projections.readmodels.reading import reading
from projections.readmodels.session import current_session
from projections.statistics.scope import StatisticScope
from projections.statistics.statistic_names import Figure, Statistic
from projections.story.text import and_list

Draw = Callable[[FigureQuery], Any]
"""Makes a matplotlib figure, or says how to make it from the ledger. matplotlib is loaded only at this point."""

SECONDS = 60.0


def draw(ledger: LedgerStore, figure: Figure, scope: StatisticScope, form: str) -> bytes:
    """A figure as a file, `svg` or `png`, from everything recorded so far."""
    file = BytesIO()
    save(drawn(ledger, figure, scope), file, form)
    return file.getvalue()


def drawn(ledger: LedgerStore, figure: Figure, scope: StatisticScope) -> Any:
    """The figure itself, before it is written to a file."""
    if figure in OF_ONE_FIGHT and len(scope.encounters) != 1:
        raise Problem(
            "plot/one-fight", f"The figure {figure.value} shows one fight; name the encounter.", figure=figure.value
        )
    with current_session(ledger) as session, reading(session.conn, seconds=SECONDS) as cursor:
        picture = FIGURES[figure](FigureQuery(cursor, scope))
    return picture.draw(ledger) if isinstance(picture, FigureFromLedger) else picture


def figure_of(statistic: Statistic) -> Figure:
    """The statistic's own figure. Falling back to another one would not show what was asked for."""
    if statistic not in OWN:
        having = [known.value for known in OWN]
        raise Problem(
            "plot/no-figure",
            f"There is no figure of {statistic.value}; {and_list(having)} have one.",
            statistic=statistic.value,
            available=having,
        )
    return OWN[statistic]


FIGURES: dict[Figure, Draw] = {
    Figure.DAMAGE: damage_figure,
    Figure.HITS: hit_figure,
    Figure.LUCK: luck_figure,
    Figure.REACTIONS: reaction_figure,
    Figure.DICE: dice_figure,
    Figure.TIMELINE: timeline,
    Figure.HIT_POINTS: hit_points,
    Figure.HEAT_MAP: heat_map,
}

OF_ONE_FIGHT = {Figure.HIT_POINTS, Figure.TIMELINE}

OWN = {
    Statistic.DAMAGE: Figure.DAMAGE,
    Statistic.HITS: Figure.HITS,
    Statistic.ROLLS: Figure.DICE,
    Statistic.LUCK: Figure.LUCK,
    Statistic.REACTIONS: Figure.REACTIONS,
    Statistic.TURNS: Figure.TIMELINE,
}
"""The figure of each statistic. All others have none."""
