"""The capacity table in docs/scaling.md, worked out from the ratios in docs/performance.md and from simulated fights.

`python -m benchmarks.capacity` writes it, and so does `python -m benchmarks --write`. It contains no measurement of its
own. A test fails if it is not up to date.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from benchmarks.sample_fights import templates

PERFORMANCE = Path(__file__).parent.parent / "docs" / "performance.md"
BEGIN = "<!-- worked out: python -m benchmarks.capacity -->"
END = "<!-- end of what was worked out -->"
_FIGHTS = (1_000, 100_000, 1_000_000)
_SECONDS_OF_A_DECLARATION = 30
_BARE = 1_000
"""Bare commits a second of the machine that the table counts in."""
_DAY = 24 * 60 * 60
_ROW = re.compile(r"^\| `(?P<name>\w+)` \| (?P<what>.+?) \| (?P<ratio>[\d.]+) \|", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Figures:
    """What everything follows from: each is a property of the events, or a ratio of docs/performance.md."""

    said: float
    """Bytes that an event says."""
    events: float
    """Events of a declaration."""
    stored: float
    """Bytes that events say, against those of the ledger."""
    projected: float
    """Bytes of the ledger, against those of the read models."""
    appended: float
    """Appends, against bare commits."""
    declared: float
    """Declarations, against bare commits."""
    distributed: float
    """Appends through all nodes of a cluster, against one server."""

    @classmethod
    def of(cls, performance: str) -> Figures:
        rows = [row for fight in templates() for row in fight.rows]
        declarations = sum(topic.partition(".")[0] == "declared" for topic, _ in rows)
        return cls(
            said=sum(len(state) for _, state in rows) / len(rows),
            events=len(rows) / declarations,
            stored=_ratio(performance, "sizes", "bytes that events say, against"),
            projected=_ratio(performance, "sizes", "bytes of the ledger, against those of the read models"),
            appended=_ratio(performance, "load", "4 writers, an encounter each, appending"),
            declared=_ratio(performance, "load", "4 writers, an encounter each, declaring"),
            distributed=_ratio(performance, "citus", "4 writers appending through all"),
        )


def _ratio(performance: str, name: str, beginning: str) -> float:
    """Of the first row of a benchmark that begins like that."""
    rows = (row for row in _ROW.finditer(performance) if row["name"] == name and row["what"].startswith(beginning))
    return float(next(rows)["ratio"])


def table(known: Figures) -> str:
    lines = [
        "| | | |",
        "|---|---|---|",
        f"| *s* | {known.said:.0f} | bytes that an event says |",
        f"| *e* | {known.events:.1f} | events of a declaration |",
        f"| *l* | {known.stored:.2f} | `sizes`: bytes that events say, against those of the ledger |",
        f"| *m* | {known.projected:.2f} | `sizes`: bytes of the ledger, against those of the read models |",
        f"| *a* | {known.appended:.2f} | `load`: appends, against bare commits |",
        f"| *d* | {known.declared:.2f} | `load`: declarations, against bare commits |",
        f"| *c* | {known.distributed:.2f} | `citus`: appends through all nodes, against one server |",
        "",
        "| live fights | declarations a second | events a second | events a day | ledger a day | read models a day"
        " | servers | Citus nodes | machines for the rules |",
        "|---|---|---|---|---|---|---|---|---|",
        f"| *f* | *n* = *f* / {_SECONDS_OF_A_DECLARATION} | *n* · *e* | *n* · *e* · {_DAY:,}"
        " | · *s* / *l* | / *m* | *n* / (*a* · *B*) | *n* / (*a* · *c* · *B*) | *n* · (1 / *d* - 1 / *a*) / *B* |",
    ]
    return "\n".join([*lines, *(_row(known, fights) for fights in _FIGHTS)])


def _row(known: Figures, fights: int) -> str:
    declarations = fights / _SECONDS_OF_A_DECLARATION
    events = declarations * known.events
    ledger = events * _DAY * known.said / known.stored
    cells = [
        f"{fights:,}",
        _rounded(declarations),
        _rounded(events),
        _rounded(events * _DAY, {9: " billion", 6: " million"}),
        _rounded(ledger, {12: " TB", 9: " GB"}),
        _rounded(ledger / known.projected, {12: " TB", 9: " GB"}),
        _rounded(declarations / (known.appended * _BARE)),
        _rounded(declarations / (known.appended * known.distributed * _BARE)),
        _rounded(declarations * (1 / known.declared - 1 / known.appended) / _BARE),
    ]
    return f"| {' | '.join(cells)} |"


def _rounded(number: float, units: Mapping[int, str] = MappingProxyType({})) -> str:
    """To two digits: no figure is better than that."""
    rounded = float(f"{number:.2g}")
    for power, unit in units.items():
        if rounded >= 10**power:
            return f"{rounded / 10**power:g}{unit}"
    return f"{rounded:,.0f}" if rounded >= 10 else f"{rounded:g}"


def brought_up_to_date(scaling: str, performance: str) -> str:
    """The document with the table that follows from the ratios in the other one."""
    before, _, rest = scaling.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n\n{table(Figures.of(performance))}\n\n{END}{after}"


def write(performance: Path) -> None:
    """Into the document beside the one with the ratios, if there is one."""
    scaling = performance.with_name("scaling.md")
    if scaling.exists():
        scaling.write_text(brought_up_to_date(scaling.read_text(), performance.read_text()))


if __name__ == "__main__":
    write(PERFORMANCE)
