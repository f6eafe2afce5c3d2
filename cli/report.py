"""The command that makes one page of a fight or a campaign."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from cli.context import open_ledger
from cli.options import JSON, OPTIONAL_ENCOUNTER, SEAT, option
from cli.render.text import print_json, say

if TYPE_CHECKING:
    from projections.report.models import CampaignReport, FightReport, SeenReport

app = typer.Typer()


class Format(StrEnum):
    HTML = "html"
    MD = "md"


@app.command()
def report(
    encounter: str | None = OPTIONAL_ENCOUNTER,
    campaign: str | None = option("campaign", "All encounters opened with --option campaign=TAG, instead of one."),
    form: Format | None = option("form", "Write HTML or Markdown; default: what the file's name ends in.", "--format"),
    output: Path | None = option("output", "File to write; default: standard output."),
    seat: str = SEAT,
    as_json: bool = JSON,
) -> None:
    """Report on a fight or a campaign on one page.

    Winner, rounds, damage and healing, deaths with the last blows, turning points, reactions and their worth, luck,
    corrections. docs/analytics.md says how each is worked out.

    Examples:
    combatlog report "Bridge ambush"
    combatlog report "Bridge ambush" --output bridge.html
    combatlog report --campaign Riverlands --format md
    combatlog report "Bridge ambush" --as players --output for-the-players.html
    """
    if (encounter is None) == (campaign is None):
        raise typer.BadParameter("name an encounter, or give --campaign.")
    if campaign is not None and seat != "gm":
        raise typer.BadParameter("a campaign can only be reported on as gm; name an encounter.", param_hint="--as")
    form = form or _form_of(output)
    if as_json and form is not None:
        raise typer.BadParameter("give only one of --json and --format.")
    found = _report(encounter, campaign, seat)
    if as_json:
        print_json(found.model_dump(mode="json"))
    elif form is None:
        from cli.render.report_page.terminal import print_page
        from projections.report.page import page_of

        print_page(page_of(found))
    else:
        _write(_text(found, form), output)


def _form_of(output: Path | None) -> Format | None:
    if output is None:
        return None
    known = {".html": Format.HTML, ".htm": Format.HTML, ".md": Format.MD, ".markdown": Format.MD}
    if output.suffix.lower() not in known:
        raise typer.BadParameter("the file has to end in .html or .md, or give --format.", param_hint="--output")
    return known[output.suffix.lower()]


def _report(encounter: str | None, campaign: str | None, seat: str) -> FightReport | CampaignReport | SeenReport:
    with open_ledger() as ledger:
        if encounter is not None:
            fight = ledger.fight(encounter)
            return fight.seen_by(seat).report()
        from cli.readmodels import warn_of_lag

        found = ledger.report(campaign or "")
        warn_of_lag(ledger)
        return found


def _text(found: FightReport | CampaignReport | SeenReport, form: Format) -> str:
    if form is Format.HTML:
        from cli.render.report_page.html import as_html

        return as_html(found)
    from cli.render.report_page.markdown import as_markdown
    from projections.report.page import page_of

    return as_markdown(page_of(found))


def _write(text: str, output: Path | None) -> None:
    from cli.exchange import write

    write([text], output)
    if output is not None:
        say(f"Wrote the report to {output}.")
