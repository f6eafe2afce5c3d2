"""Commands that answer questions across encounters: statistics, SQL, reports and characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

import combatlog
from cli.command import shows
from cli.context import open_fight, open_ledger
from cli.options import ENCOUNTER, JSON, OPTIONAL_ENCOUNTER, REPLICA, SEAT, argument, flag, option
from cli.render.report import (
    print_csv,
    print_page,
    print_reports,
    print_reports_as_csv,
    print_reports_as_json,
    print_roster,
    print_table,
)
from cli.render.terminal import console, present, print_json, progress_bar, say, write
from projections.report.markdown import as_markdown
from projections.report.report_page import page_of
from projections.statistics.statistic_names import By, Figure, Statistic
from projections.story.text import clean, counted

if TYPE_CHECKING:
    from combatlog import Member
    from combatlog.lake import Lake
    from combatlog.ledger import FightSelection, Ledger
    from projections.readmodels.reading import QueryAnswer
    from projections.readmodels.session import ReadModelLag
    from projections.report.models import CampaignReport, FightReport, SeenReport
    from projections.statistics.question import Report

CSV = flag("Print CSV, for spreadsheets.", "--csv")
LAKE = option("Answer from the lake in this folder or at this URL.", metavar="DIR|URL")
SPARK = option("Spark master that does the work: spark://HOST:7077, or local[2].", metavar="MASTER")
STATISTIC = argument(f"One of {', '.join(Statistic)}.")
_DAYS = ["%Y-%m-%d"]


def stats(
    ctx: typer.Context,
    statistic: Statistic = STATISTIC,
    encounters: list[str] | None = argument(
        "Only these; default: all that count. `compare` needs two.", None, metavar="ENCOUNTER"
    ),
    campaign: str | None = option("Only encounters opened with --option campaign=TAG."),
    since: datetime | None = option("Only encounters opened on this day or later.", formats=_DAYS),
    until: datetime | None = option("Only encounters opened on this day or earlier.", formats=_DAYS),
    by: By = option("How to group the results.", default=By.ACTOR),
    undone: bool = flag("Also count what was taken back."),
    forks: bool = flag("Also count forks."),
    practice: bool = flag("Also count practice fights."),
    archived: bool = flag("Also count archived fights."),
    plot: Path | None = option("Draw a figure to this file, .svg or .png."),
    figure: Figure | None = option("Figure to draw; default: the one for the statistic."),
    lake: str | None = LAKE,
    spark: str | None = SPARK,
    replica: str | None = REPLICA,
    as_json: bool = JSON,
    as_csv: bool = CSV,
) -> None:
    """Forks, practice and archived fights count only if they are named or asked for.

    Examples:
    combatlog stats hits --by weapon
    combatlog stats damage "Bridge ambush" --by source
    combatlog stats luck --campaign Riverlands --plot dice.svg
    combatlog stats compare "Bridge ambush" "What if"
    combatlog stats hits --by weapon --lake s3://bucket/lake
    combatlog stats hits --by weapon --lake s3://bucket/lake --spark spark://master:7077
    combatlog stats hits --replica postgresql://reader@replica/ledger
    """
    if as_json and as_csv:
        raise typer.BadParameter("give only one of --json and --csv.")
    if figure is not None and plot is None:
        raise typer.BadParameter("name the file to draw to with --plot.", param_hint="--figure")
    if plot is not None and lake is not None:
        raise typer.BadParameter("figures are drawn from the ledger; omit --lake.", param_hint="--plot")
    if lake is not None and _is_typed(ctx, "replica"):
        raise typer.BadParameter("a lake is read without a database; omit --replica.", param_hint="--replica")
    if spark is not None and lake is None:
        raise typer.BadParameter("Spark reads a lake; name it with --lake.", param_hint="--spark")
    where: FightSelection = {
        "fights": encounters or [],
        "campaign": campaign,
        "since": since.date() if since else None,
        "until": until.date() if until else None,
        "with_undone": undone,
        "forks": forks,
        "practice": practice,
        "archived": archived,
    }
    if lake is not None:
        with opened_lake(lake, spark) as opened:
            reports = opened.statistics(statistic, by, **where)
    else:
        reports = _from_ledger(statistic, by, where, plot, figure)
    printed = print_reports_as_json if as_json else print_reports_as_csv if as_csv else print_reports
    printed(reports)
    if printed is print_reports and (left_out := reports[-1].left_out):
        what = "it" if sum(left_out.values()) == 1 else "them"
        say(f"To count {what}, add {' '.join(f'--{name}' for name in left_out)}.", "dim")


def sql(
    query: str | None = argument("One SELECT on the read models.", None),
    schema: bool = flag("Print the tables and what they mean."),
    seconds: float = option("Time limit in seconds.", default=10.0, min=0.1),
    lake: str | None = LAKE,
    as_json: bool = JSON,
    as_csv: bool = CSV,
) -> None:
    """With --lake, DuckDB answers from the lake, in its own dialect; the table events has every event.

    Examples:
    combatlog sql "SELECT attacker, count(*) FROM attacks WHERE NOT undone GROUP BY attacker"
    combatlog sql --schema
    combatlog sql "SELECT name, count(*) FROM events GROUP BY ALL" --lake s3://bucket/lake
    """
    if (query is None) != schema:
        raise typer.BadParameter("give one query, or --schema.")
    if as_json and as_csv:
        raise typer.BadParameter("give only one of --json and --csv.")
    if query is None:
        _print_schema(as_json, lake)
        return
    answer = _answer(query, seconds, lake)
    if as_json:
        print_json(answer.records())
    elif as_csv:
        print_csv(answer.columns, answer.rows)
    else:
        print_table(answer.columns, answer.rows)


def _is_typed(ctx: typer.Context, option: str) -> bool:
    """Whether an option was given on the command line, not by an environment variable."""
    source = ctx.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"


def _from_ledger(
    statistic: Statistic, by: By, where: FightSelection, plot: Path | None, figure: Figure | None
) -> Sequence[Report]:
    with open_ledger() as ledger:
        reports = ledger.statistics(statistic, by, **where)
        if plot is not None:
            ledger.plot(plot, statistic, figure, **where)
        warn_of_lag(ledger)
    return reports


@contextmanager
def opened_lake(where: str, spark: str | None) -> Iterator[Lake]:
    """A lake, read on this machine or by a Spark cluster. The cluster takes long enough for a progress bar."""

    if spark is None:
        with combatlog.open_lake(where) as lake:
            yield lake
        return
    with progress_bar("parts") as show, combatlog.open_lake(where, spark, show) as lake:
        yield lake


def _answer(query: str, seconds: float, where: str | None) -> QueryAnswer:

    if where is not None:
        with combatlog.open_lake(where) as lake:
            return lake.sql(query, seconds=seconds)
    with open_ledger() as ledger:
        answer = ledger.sql(query, seconds=seconds)
        warn_of_lag(ledger)
    return answer


def _print_schema(as_json: bool, where: str | None) -> None:

    with combatlog.open_lake(where) if where is not None else open_ledger() as asked:
        tables = asked.tables()
    if as_json:
        print_json([{**table._asdict(), "columns": [column._asdict() for column in table.columns]} for table in tables])
        return
    for table in tables:
        say(f"{table.table}: {table.meaning}", style="bold")
        for column in table.columns:
            say(f"  {column.name:<16} {column.type:<26} {column.meaning}")


class ReportFormat(StrEnum):
    HTML = "html"
    MD = "md"


def report(
    encounter: str | None = OPTIONAL_ENCOUNTER,
    campaign: str | None = option("All encounters opened with --option campaign=TAG, instead of one."),
    form: ReportFormat | None = option("Write HTML or Markdown; default: what the file's name ends in.", "--format"),
    output: Path | None = option("File to write; default: standard output."),
    seat: str = SEAT,
    as_json: bool = JSON,
) -> None:
    """Winner, rounds, damage and healing, deaths with the last blows, turning points, reactions and their worth, luck,
    corrections. docs/analytics.md says how each is computed.

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
        print_page(page_of(found))
    else:
        write([_as_html(found) if form is ReportFormat.HTML else as_markdown(page_of(found))], output)
        if output is not None:
            say(f"Wrote the report to {output}.")


def _as_html(found: FightReport | CampaignReport | SeenReport) -> str:
    from projections.report.html import as_html  # the library that draws its figures is slow to import

    return as_html(found)


def _form_of(output: Path | None) -> ReportFormat | None:
    if output is None:
        return None
    known = {
        ".html": ReportFormat.HTML,
        ".htm": ReportFormat.HTML,
        ".md": ReportFormat.MD,
        ".markdown": ReportFormat.MD,
    }
    if output.suffix.lower() not in known:
        raise typer.BadParameter("the file has to end in .html or .md, or give --format.", param_hint="--output")
    return known[output.suffix.lower()]


def _report(encounter: str | None, campaign: str | None, seat: str) -> FightReport | CampaignReport | SeenReport:
    with open_ledger() as ledger:
        if encounter is not None:
            fight = ledger.fight(encounter)
            return fight.seen_by(seat).report()
        found = ledger.report(campaign or "")
        warn_of_lag(ledger)
        return found


@shows(print_roster)
def roster(campaign: str = argument("Campaign, as given to `new --option campaign=NAME`.")) -> Sequence[Member]:
    """Forks, practice fights and archived fights do not count. `combatlog join --from` brings a character to the next
    fight as it is shown here.

    Examples:
    combatlog roster Riverlands
    combatlog roster Riverlands --json
    """
    with open_ledger() as ledger:
        return ledger.roster(campaign)


def difficulty(
    encounter: str = ENCOUNTER, side: str = option("Side of the characters.", default="heroes"), as_json: bool = JSON
) -> None:
    """Compares the experience points of the foes with thresholds for the characters' levels. Foes without experience
    points on their sheets are not counted; they are listed.

    Examples:
    combatlog difficulty "Dragon's lair"
    combatlog difficulty "Dragon's lair" --side guards --json
    """
    from cli.render.content import print_difficulty

    with open_fight(encounter) as fight:
        found = fight.seen_by().difficulty(side)
    present(as_json, lambda: asdict(found), lambda: print_difficulty(found))


def why_behind(lag: ReadModelLag) -> str:
    """Why recorded events are not in the read models yet."""
    if lag.is_read_only:
        return "This server can only be read; they are counted where the ledger is written."
    if lag.writer is None:
        return "Another process is bringing them in."
    user = f" of the database user {lag.writer.user}" if lag.writer.user else ""
    since = f" since {lag.writer.since.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" if lag.writer.since else ""
    return f"They wait for the end of a transaction{user} that has been adding events{since}."


def warn_of_lag(ledger: Ledger) -> None:
    """Say on standard error which events an answer does not include yet."""
    lag = ledger.lag()
    if lag.events:
        events = counted(lag.events, "recorded event")
        console(stderr=True).print(clean(f"Not included yet: {events}. {why_behind(lag)}"), style="yellow")
