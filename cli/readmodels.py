"""Commands for the read models: their status, keeping them current, rebuilding them."""

from __future__ import annotations

from datetime import UTC

from cli.context import open_ledger
from cli.options import JOBS_BESIDE_SERVER, JSON, flag, jobs_beside_server
from cli.render.json_types import ReadModelStatus, WriterData
from cli.render.report import print_table
from cli.render.terminal import console, print_json, progress_bar, say
from combatlog.ledger import Ledger
from projections.readmodels.rebuild import rebuild as make_anew
from projections.readmodels.runner import ReadModelFollower
from projections.readmodels.session import ReadModelLag, ReadModelProgress, catch_up, status_of
from projections.story.text import clean, counted


def status(as_json: bool = JSON) -> None:
    """Example: combatlog projections status"""
    with open_ledger() as ledger:
        found = status_of(ledger.store)
    if as_json:
        print_json(_status_as_data(found))
        return
    behind = f"{counted(found.lag.events, 'event')} behind the ledger" if found.lag.events else "current"
    say(f"The read models are {behind} ({_places(found)}).")
    say(why_behind(found.lag) if found.lag.writer else "Every statistic brings them up to date before it answers.")
    print_table(("table", "rows"), found.tables.items())
    for entry in found.set_aside:
        left_out = f"{counted(entry.events, 'event')} from event {entry.seq} on"
        say(f"Encounter {entry.encounter}: {left_out} left out: {clean(entry.reason)}", "yellow")


def _places(found: ReadModelProgress) -> str:
    if len(found.head) == 1:
        return f"at notification {found.position[0]} of {found.head[0]}"
    return "; ".join(f"node {node} at notification {found.position[node]} of {found.head[node]}" for node in found.head)


def _status_as_data(found: ReadModelProgress) -> ReadModelStatus:
    first, last = min(found.head), found.lag.writer
    writer: WriterData | None = (
        {"user": last.user, "since": last.since.isoformat() if last.since else None} if last is not None else None
    )
    return {
        "position": found.position[first],
        "head": found.head[first],
        "nodes": [
            {"node": node, "position": found.position[node], "head": head} for node, head in sorted(found.head.items())
        ],
        "behind": found.lag.events,
        "writer": writer,
        "tables": found.tables,
        "set_aside": [
            {"encounter": str(entry.encounter), "seq": entry.seq, "events": entry.events, "reason": entry.reason}
            for entry in found.set_aside
        ],
    }


def why_behind(lag: ReadModelLag) -> str:
    """What recorded events wait for before they can be counted."""
    if lag.is_read_only:
        return "This server can only be read; they are counted where the ledger is written."
    if lag.writer is None:
        return "Another process is bringing them in."
    user = f" of the database user {lag.writer.user}" if lag.writer.user else ""
    since = f" since {lag.writer.since.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" if lag.writer.since else ""
    return f"They wait for the end of a transaction{user} that has been adding events{since}."


def warn_of_lag(ledger: Ledger) -> None:
    """Say on standard error what an answer cannot contain yet."""
    lag = ledger.lag()
    if lag.events:
        events = counted(lag.events, "recorded event")
        console(stderr=True).print(clean(f"Not included yet: {events}. {why_behind(lag)}"), style="yellow")


def run(once: bool = flag("once", "Bring them up to date, then stop.")) -> None:
    """Example: combatlog projections run"""
    with open_ledger() as ledger:
        new = catch_up(ledger.store)
        lag = ledger.lag()
        url = ledger.store.url
    how_far = f"{counted(lag.events, 'event')} behind. {why_behind(lag)}" if lag.events else "current."
    say(f"Read {counted(new, 'new event')}; the read models are {how_far}")
    if not once:
        _follow(url)


def _follow(url: str) -> None:
    with ReadModelFollower(url) as follower:
        say("Following the ledger; press Ctrl-C to stop.")
        try:
            follower.run_forever()
        except KeyboardInterrupt:
            say("Stopped; the next run continues from here.")


def rebuild(jobs: int | None = JOBS_BESIDE_SERVER) -> None:
    """Others can read the old ones until the new ones are in place.

    Examples:
    combatlog projections rebuild
    combatlog projections rebuild --jobs 8
    """
    with open_ledger() as ledger:
        url = ledger.store.url
    with progress_bar("events") as progress:
        made = make_anew(url, progress, jobs=jobs_beside_server(jobs))
    say(f"Rebuilt {counted(made.rows, 'row')} from {counted(made.events, 'event')}.")
    if made.still_read:
        say("Somebody is still reading the old tables, so they were left; the next rebuild removes them.", "yellow")
