"""A report as one HTML file: it loads nothing, runs nothing, and reads well on paper, on a phone and in dark mode."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from projections.plots.fight_figures import draw_balance, draw_pools
from projections.plots.figure_basics import inline_svg
from projections.report.models import CampaignReport, FightReport, SeenReport
from projections.report.report_page import BALANCE, POOLS, Cell, ReportPage, ReportSection, ReportTable, page_of
from projections.story.phrases import name_of
from projections.story.text import clean

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Even if a name contained markup, the browser would fetch and run nothing."""

_STYLE = """
:root { color-scheme: light dark; --line: #ccc; --dim: #555; --paper: #fff; --ink: #1a1a1a; }
@media (prefers-color-scheme: dark) { :root { --line: #444; --dim: #aaa; --paper: #16181c; --ink: #e8e8e8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem 1.25rem 3rem; background: var(--paper); color: var(--ink);
       font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
.name, .lines, .words { overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1rem 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .5rem; border-bottom: 2px solid var(--line); }
p { margin: .3rem 0; }
.lead { font-size: 1.1rem; }
.note { color: var(--dim); font-size: .9rem; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; margin: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--dim); font-weight: 600; font-size: .85rem; overflow-wrap: normal; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; padding-right: 1.2rem; }
figure { margin: 1rem 0; overflow-x: auto; }
figure svg { width: 100%; height: auto; min-width: 34rem; }
@media (max-width: 40rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .45rem 0; border-bottom: 1px solid var(--line); }
  td, td.number { display: flex; gap: .35rem; border: 0; padding: 0; text-align: left; white-space: normal; }
  td::before { content: attr(data-label); color: var(--dim); font-size: .85rem; white-space: nowrap; }
  td.name { flex-basis: 100%; font-weight: 600; } td.name::before { display: none; }
  td.lines { flex-basis: 100%; flex-direction: column; gap: 0; }
}
@media print {
  :root { --line: #bbb; --dim: #444; --paper: #fff; --ink: #000; }
  body { max-width: none; padding: 0; font-size: 11pt; }
  h2 { break-after: avoid; } tr, figure { break-inside: avoid; } figure svg { min-width: 0; }
}
"""


def as_html(report: FightReport | CampaignReport | SeenReport) -> str:
    page = page_of(report)
    figures = {} if isinstance(report, SeenReport) else figures_of(report)
    return "\n".join([*_head(page), *_body(page, figures), "</body>", "</html>", ""])


def _head(page: ReportPage) -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{_text(page.title)}</title>"
    yield f"<style>{_STYLE}</style>"
    yield "</head>"
    yield "<body>"


def _body(page: ReportPage, figures: dict[str, str]) -> Iterator[str]:
    yield f"<h1>{_text(page.title)}</h1>"
    for line in page.lead:
        yield f'<p class="lead">{_text(line)}</p>'
    for section in page.sections:
        yield from _section(section, figures)


def _section(section: ReportSection, figures: dict[str, str]) -> Iterator[str]:
    drawn = figures.get(section.figure or "")
    if not section.table.columns and drawn is None:
        return
    yield "<section>"
    yield f"<h2>{_text(section.title)}</h2>"
    if section.table.rows:
        yield from _table(section.table)
    elif section.table.columns:
        yield f"<p>{_text(section.nothing)}</p>"
    if drawn is not None:
        yield f'<figure role="img" aria-label="{_text(section.title)}">{drawn}</figure>'
    for note in section.notes if section.table.rows else ():
        yield f'<p class="note">{_text(note)}</p>'
    yield "</section>"


_LONG = 24
"""Longer text may be broken anywhere; shorter text must stay whole, or `heroes` would be split."""
_NAMES = ("combatant", "who", "fight")
"""Columns that identify a row: on a phone, they become its headline."""


def _table(table: ReportTable) -> Iterator[str]:
    classes = [_class(title, [row[place] for row in table.rows]) for place, title in enumerate(table.columns)]
    titles = [_text(title) for title in table.columns]
    heads = (f'<th scope="col" class="{kind}">{title}</th>' for kind, title in zip(classes, titles, strict=True))
    yield f"<table><thead><tr>{''.join(heads)}</tr></thead><tbody>"
    for row in table.rows:
        cells = zip(classes, titles, row, strict=True)
        shown = (
            f'<td class="{kind}" data-label="{name}"><span>{_cell(cell)}</span></td>' for kind, name, cell in cells
        )
        yield f"<tr>{''.join(shown)}</tr>"
    yield "</tbody></table>"


def _class(title: str, cells: list[Cell]) -> str:
    if all(isinstance(cell, int | float) for cell in cells):
        return "number"
    if title in _NAMES:
        return "name"
    if any(isinstance(cell, list) for cell in cells):
        return "lines"
    return "words" if any(len(str(cell)) > _LONG for cell in cells) else "text"


def _cell(value: Cell) -> str:
    return "<br>".join(map(_text, value)) if isinstance(value, list) else _text(value)


def _text(value: object) -> str:
    return escape(clean(value))


def figures_of(report: FightReport | CampaignReport) -> dict[str, str]:
    """By key. Campaigns have none, since their fights differ in maps, sides and lengths."""
    if isinstance(report, CampaignReport):
        return {}
    end = max([1, *(at for line in report.pools for at, _ in line.points), *(point.at for point in report.balance)])
    found = {}
    if report.balance:
        drawn = draw_balance("Share of all points left", report.balance, report.round_starts, end)
        found[BALANCE] = inline_svg(drawn, BALANCE)
    if report.pools:
        lines = {clean(f"{line.name} {name_of(line.pool)}"): line.points for line in report.pools}
        found[POOLS] = inline_svg(draw_pools("Points left", lines, report.round_starts, end), POOLS)
    return found
