"""Commands that manage the database."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import typer

import combatlog
from cli.context import CommandSettings
from cli.options import JSON, argument, flag, option
from cli.render.report import print_table
from cli.render.terminal import print_json, progress_bar, say
from ledger.exchange.backup import back_up, connected, restore_backup, upgrade_ledger
from ledger.store import schema
from ledger.store.citus import Cluster
from ledger.store.database import URL_VARIABLE, EmbeddedPostgres, data_folder, locate
from projections.readmodels.rebuild import distribute_ledger, examine_cluster
from projections.story.text import clean, counted


def status(as_json: bool = JSON) -> None:
    """Example: combatlog db status"""
    given = CommandSettings.database or os.environ.get(URL_VARIABLE)
    url = given or EmbeddedPostgres(data_folder()).running_url()
    facts: dict[str, Any] = {
        "database": "server" if given else "embedded",
        "place": _without_password(given) if given else str(data_folder()),
        "running": url is not None,
    }
    if url is not None:
        with combatlog.open(url) as ledger:
            facts |= ledger.store.facts()
    if as_json:
        print_json(facts)
        return
    say(f"{'A server' if given else 'The embedded database'}: {facts['place']}")
    if url is None:
        say("It is not running; any command that needs it starts it.")
        return
    say(f"PostgreSQL {facts['postgres']}, schema version {facts['schema']}")
    say(f"{counted(facts['encounters'], 'encounter')}, {counted(facts['events'], 'event')}")


def _without_password(url: str) -> str:
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    known = conninfo_to_dict(url)
    return make_conninfo(**{key: str(value) for key, value in known.items() if key != "password"})


def start() -> None:
    """Other commands start it when they need it.

    Example: combatlog db start
    """
    EmbeddedPostgres(data_folder()).start()
    say(f"The embedded database in {data_folder()} is running.")


def stop() -> None:
    """Example: combatlog db stop"""
    stopped = EmbeddedPostgres(data_folder()).stop()
    say("The embedded database is stopped." if stopped else "The embedded database was not running.")


def path() -> None:
    """Example: combatlog db path"""
    typer.echo(data_folder())


def print_roles(apply: bool = flag("Run the script instead of printing it.")) -> None:
    """One role can only append and read, the other can only read.

    Example: combatlog db roles | psql "$COMBATLOG_DATABASE_URL"
    """
    if not apply:
        typer.echo(schema.script(), nl=False)
        return
    with connected(locate(CommandSettings.database)) as conn:
        schema.apply_roles(conn)
        works = schema.usable_writer(conn) is not None
        user = conn.info.user
    say(f"{schema.WRITER} can append and read; {schema.READER} can only read.")
    if works:
        say(f"From now on, combatlog works as {schema.WRITER}.")
    else:
        say(f"combatlog works as {user} until the creator of the roles runs: GRANT {schema.WRITER} TO {user}")


def upgrade() -> None:
    """Example: combatlog db backup before.jsonl && combatlog db upgrade"""
    before, after = upgrade_ledger(locate(CommandSettings.database))
    done = "is up to date, with" if before == after else f"was upgraded from schema version {before} to"
    say(f"The ledger {done} schema version {after}.")


def distribute(
    shards: int = option(
        "Number of shards, which is also the largest number of workers it can use.", default=32, min=1, max=1024
    ),
    dry_run: bool = flag("Show what would be done; change nothing."),
    yes: bool = flag("Do not ask."),
    as_json: bool = JSON,
) -> None:
    """Run it on the coordinator, with a new or an existing ledger; it is all or nothing. The data of an encounter goes
    to one worker, everything else to every node. Afterwards, commands can connect to any node. It cannot be undone;
    make a backup first.

    Examples:
    combatlog --database postgresql://me@coordinator/combatlog db distribute --dry-run
    combatlog --database postgresql://me@coordinator/combatlog db distribute --shards 64 --yes
    """
    url = locate(CommandSettings.database)
    found = examine_cluster(url)
    if not dry_run:
        if not yes:
            workers = sum(1 for node in found.nodes if node.number)
            typer.confirm(f"Distribute the ledger to {workers} workers? It cannot be undone.", abort=True, err=True)
        found = distribute_ledger(url, shards=shards)
    if as_json:
        print_json(found.to_json(shards))
        return
    _print_cluster(found, shards, dry_run)


def _print_cluster(found: Cluster, shards: int, dry_run: bool) -> None:
    verb = "would be distributed" if dry_run else "is distributed"
    say(f"The ledger {verb} in {shards} shards, with Citus {found.citus}.")
    rows = [(node.number, f"{node.host}:{node.port}", node.shards) for node in found.nodes]
    print_table(("node", "address", "shards"), rows)
    if not dry_run:
        say("Commands work through any of these nodes now.")


def backup(
    file: Path = argument("File to write; must not exist yet."),
    seeds: bool = flag("Include the secret seeds of committed dice; keep such a file secret."),
) -> None:
    """It can be restored into any PostgreSQL. Damaged events are marked and listed, and the exit status is 1. Without
    --seeds, fights with committed dice cannot be continued from the backup.

    Example: combatlog db backup ledger-2026-11-16.jsonl
    """
    with progress_bar("events") as progress:
        events, damaged = back_up(locate(CommandSettings.database), file, seeds=seeds, progress=progress)
    say(f"Wrote {counted(events, 'event')} to {file}. `combatlog db restore {file}` puts them into an empty ledger.")
    for damage in damaged:
        say(f"Event {damage.seq} of encounter {damage.encounter} is damaged: {clean(damage.why)}.", "red")
    if damaged:
        say(f"{counted(len(damaged), 'event')} not as recorded, and marked so in the file.", "bold red")
        raise typer.Exit(1)


def restore(
    file: Path = argument("File written by `combatlog db backup`."),
    damaged: bool = flag("Also restore events that the backup marks as damaged."),
) -> None:
    """All or nothing; every hash is checked. A backup with damaged events is refused without --damaged.

    Example: combatlog --database postgresql://me@new-server/combatlog db restore ledger-2026-11-16.jsonl
    """
    with progress_bar("bytes") as progress:
        events = restore_backup(locate(CommandSettings.database), file, damaged=damaged, progress=progress)
    say(f"Restored {counted(events, 'event')}. `combatlog verify --all` resolves every declaration again.")
