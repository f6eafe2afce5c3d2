"""Commands that ask across encounters: statistics and SQL."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.completion import complete_encounter
from cli.context import JsonOpt, Settings
from projections.analytics_names import By, Figure, Statistic

if TYPE_CHECKING:
    from projections.statistics.scope import Scope

app = typer.Typer()

CsvOpt = Annotated[bool, typer.Option("--csv", help="Print CSV for spreadsheets.")]
_DAYS = ["%Y-%m-%d"]


def _url() -> str:
    from ledger.database import locate

    return locate(Settings.database)


@app.command()
def stats(
    statistic: Annotated[Statistic, typer.Argument(help="What to ask.")],
    encounter: Annotated[
        str | None, typer.Argument(help="Only this encounter; default: all.", autocompletion=complete_encounter)
    ] = None,
    campaign: Annotated[str | None, typer.Option(help="Only encounters opened with -o campaign=TAG.")] = None,
    since: Annotated[datetime | None, typer.Option(formats=_DAYS, help="Only those begun that day or later.")] = None,
    until: Annotated[datetime | None, typer.Option(formats=_DAYS, help="Only those begun that day or earlier.")] = None,
    by: Annotated[By, typer.Option(help="What to tell apart.")] = By.ACTOR,
    undone: Annotated[bool, typer.Option("--undone", help="Count what was taken back, too.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw a figure into this file, .svg or .png.")] = None,
    figure: Annotated[Figure | None, typer.Option(help="What to draw; default: what suits the statistic.")] = None,
    as_json: JsonOpt = False,
    as_csv: CsvOpt = False,
) -> None:
    """Ask a question of one fight, a campaign, a span of dates, or everything on record.

    Examples:
    combatlog stats hits --by weapon
    combatlog stats damage "Bridge ambush" --by source
    combatlog stats luck --campaign Riverlands --plot dice.svg
    """
    from cli.render.report import print_reports, print_reports_as_csv, print_reports_as_json
    from projections.statistics.answers import scope_of, statistics

    if as_json and as_csv:
        raise typer.BadParameter("choose one of --json and --csv.")
    if figure is not None and plot is None:
        raise typer.BadParameter("name the file to draw into with --plot.", param_hint="--figure")
    url = _url()
    days = (since.date() if since else None, until.date() if until else None)
    scope = scope_of(url, encounter, campaign, *days, with_undone=undone)
    reports = statistics(url, statistic, scope, by)
    printed = print_reports_as_json if as_json else print_reports_as_csv if as_csv else print_reports
    if plot is not None:
        _draw(url, figure, statistic, scope, plot)
    printed(reports)


def _draw(url: str, figure: Figure | None, statistic: Statistic, scope: Scope, path: Path) -> None:
    from projections.plots.figures import SUITS, draw

    draw(url, figure or SUITS[statistic], scope, path)


@app.command()
def sql(
    query: Annotated[str | None, typer.Argument(help="One SELECT over the read models.")] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the tables with what they mean.")] = False,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long it may take.")] = 10.0,
    as_json: JsonOpt = False,
    as_csv: CsvOpt = False,
) -> None:
    """Ask the read models in SQL, through a role that can only read.

    Examples:
    combatlog sql "SELECT attacker, count(*) FROM attacks WHERE NOT undone GROUP BY attacker"
    combatlog sql --schema
    """
    from cli.render.report import print_csv, print_table
    from cli.render.text import print_json
    from projections.readmodels.reading import ask
    from projections.statistics.answers import catch_up

    if (query is None) != schema:
        raise typer.BadParameter("give one query, or say --schema.")
    if as_json and as_csv:
        raise typer.BadParameter("choose one of --json and --csv.")
    url = _url()
    catch_up(url)
    if query is None:
        _print_schema(url, as_json)
        return
    answer = ask(url, query, seconds=seconds)
    if as_json:
        print_json([dict(zip(answer.columns, row, strict=True)) for row in answer.rows])
    elif as_csv:
        print_csv(answer.columns, answer.rows)
    else:
        print_table(answer.columns, answer.rows)


def _print_schema(url: str, as_json: bool) -> None:
    from cli.render.text import print_json, say
    from projections.readmodels.reading import describe

    tables = describe(url)
    if as_json:
        print_json([table._asdict() for table in tables])
        return
    for table in tables:
        say(f"{table.table}: {table.meaning}", style="bold")
        for name, kind, meaning in table.columns:
            say(f"  {name:<16} {kind:<26} {meaning}")
