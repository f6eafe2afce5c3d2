"""The figures. The tables at the end name them, and say which statistic has which."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

from ledger.errors import Problem
from ledger.store import Ledger
from projections.analytics_names import Figure, Statistic
from projections.plots.asking import Asked, FromLedger
from projections.plots.counts import damage, dice, reactions
from projections.plots.fight import hit_points, timeline
from projections.plots.maps import heat_map
from projections.plots.rates import hits, luck
from projections.plots.style import save
from projections.readmodels.reading import reading
from projections.readmodels.session import current_session
from projections.statistics.scope import Scope
from projections.text import and_list

Draw = Callable[[Asked], Any]
"""Makes a matplotlib figure, or says how to make it from the ledger. matplotlib is loaded only now."""

SECONDS = 60.0


def draw(ledger: Ledger, figure: Figure, scope: Scope, form: str) -> bytes:
    """A figure as a file, `svg` or `png`, from what is recorded until now."""
    file = BytesIO()
    save(drawn(ledger, figure, scope), file, form)
    return file.getvalue()


def drawn(ledger: Ledger, figure: Figure, scope: Scope) -> Any:
    """The figure itself, before it is written to a file."""
    if figure in OF_ONE_FIGHT and len(scope.encounters) != 1:
        raise Problem(
            "plot/one-fight", f"The figure {figure.value} shows one fight; name the encounter.", figure=figure.value
        )
    with current_session(ledger) as session, reading(session.conn, seconds=SECONDS) as cursor:
        picture = FIGURES[figure](Asked(cursor, scope))
    return picture.draw(ledger) if isinstance(picture, FromLedger) else picture


def figure_of(statistic: Statistic) -> Figure:
    """The statistic's own figure. Another one in its place would not show what was asked for."""
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
    Figure.DAMAGE: damage,
    Figure.HITS: hits,
    Figure.LUCK: luck,
    Figure.REACTIONS: reactions,
    Figure.DICE: dice,
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
"""The figure of each statistic. Those that are not in it have none."""
