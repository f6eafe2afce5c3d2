"""Commands for the read models themselves: how far they are, keeping them current, making them anew."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.context import JsonOpt, open_ledger

app = typer.Typer(help="The read models that statistics are asked of.", no_args_is_help=True)


@app.command()
def status(as_json: JsonOpt = False) -> None:
    """Say how far the read models are behind the ledger, and what is in them.

    Example: combatlog projections status
    """
    from cli.render.report import print_table
    from cli.render.text import print_json, say
    from projections.readmodels.status import status_of

    with open_ledger() as ledger:
        found = status_of(ledger.store)
    if as_json:
        print_json(found._asdict())
        return
    say(f"They hold the ledger up to notification {found.position} of {found.head}.")
    behind = "They are current." if not found.behind else f"{found.behind} events are still to come in."
    say(behind + " Every statistic brings in what is new before it answers.")
    print_table(("table", "rows"), found.tables.items())


@app.command()
def run(
    once: Annotated[bool, typer.Option("--once", help="Bring in what there is, then stop.")] = False,
) -> None:
    """Keep the read models current until it is stopped with Ctrl-C.

    Example: combatlog projections run
    """
    from cli.render.text import say
    from projections.readmodels.session import catch_up

    with open_ledger() as ledger:
        new = catch_up(ledger.store)
        url = ledger.store.url
    say(f"{new} events were new; the read models are current.")
    if not once:
        _follow(url)


def _follow(url: str) -> None:
    from cli.render.text import say
    from projections.readmodels.runner import Follower

    with Follower(url) as follower:
        say("PollingSubscription the ledger. Ctrl-C stops.")
        try:
            follower.run_forever()
        except KeyboardInterrupt:
            say("Stopped. The next one goes on from here.")


@app.command()
def rebuild() -> None:
    """Make the read models anew from the ledger, while others go on reading the old ones.

    Example: combatlog projections rebuild
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from cli.render.text import console, say
    from projections.readmodels.rebuild import rebuild as make_anew

    with open_ledger() as ledger:
        url = ledger.store.url
    columns = (TextColumn("events"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    err = console(stderr=True)
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task("events", total=None)
        made = make_anew(url, lambda done, total: progress.update(task, completed=done, total=total))
    say(f"{made.events} events became {made.rows} rows. The new tables are in place.")
