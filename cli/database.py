"""Commands for the database itself."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from cli.context import JsonOpt, Settings

app = typer.Typer(
    help="The database: where it is, whether it runs, start and stop, backup and upgrade.", no_args_is_help=True
)


def _server_url() -> str | None:
    from ledger.database import URL_VARIABLE

    return Settings.database or os.environ.get(URL_VARIABLE)


@app.command()
def status(as_json: JsonOpt = False) -> None:
    """Say which database is used, whether it answers, and what is in it."""
    import combatlog
    from cli.render.text import print_json, say
    from ledger.database import Embedded, data_folder

    given = _server_url()
    url = given or Embedded(data_folder()).running_url()
    facts: dict[str, object] = {
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
    say(f"{facts['database']} database: {facts['place']}")
    if url is None:
        say("It is not running; any command starts it, or `combatlog db start`.")
        return
    say(f"PostgreSQL {facts['postgres']}, schema version {facts['schema']}")
    say(f"{facts['encounters']} encounters, {facts['events']} events")


def _without_password(url: str) -> str:
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    known = conninfo_to_dict(url)
    return make_conninfo(**{key: str(value) for key, value in known.items() if key != "password"})


@app.command()
def start() -> None:
    """Start the embedded database; any command does so by itself."""
    from cli.render.text import say
    from ledger.database import Embedded, data_folder

    Embedded(data_folder()).start()
    say(f"The embedded database in {data_folder()} runs.")


@app.command()
def stop() -> None:
    """Stop the embedded database; what is recorded stays."""
    from cli.render.text import say
    from ledger.database import Embedded, data_folder

    stopped = Embedded(data_folder()).stop()
    say("The embedded database is stopped." if stopped else "The embedded database was not running.")


@app.command()
def path() -> None:
    """Print the folder of the embedded database."""
    from ledger.database import data_folder

    typer.echo(data_folder())


@app.command("roles")
def print_roles(
    apply: Annotated[bool, typer.Option("--apply", help="Run the script instead of printing it.")] = False,
) -> None:
    """Print (or apply) the script for a role that can only append and read, and one that can only read.

    Example: combatlog db roles | psql "$COMBATLOG_DATABASE_URL"
    """
    from cli.render.text import say
    from ledger import roles
    from ledger.database import locate
    from ledger.upkeep import connected

    if not apply:
        typer.echo(roles.script(), nl=False)
        return
    with connected(locate(Settings.database)) as conn:
        roles.apply_roles(conn)
        works = roles.usable_writer(conn) is not None
        user = conn.info.user
    said = f"{roles.WRITER} can append and read, {roles.READER} can read; the tool"
    if works:
        say(f"{said} works as {roles.WRITER} from now on.")
    else:
        say(f"{said} goes on as {user}, until whoever made the roles says GRANT {roles.WRITER} TO {user}.")


@app.command()
def upgrade() -> None:
    """Bring the tables of an older ledger up to this version, all or nothing.

    Example: combatlog db backup before.jsonl && combatlog db upgrade
    """
    from cli.render.text import say
    from ledger.database import locate
    from ledger.upkeep import upgrade_ledger

    before, after = upgrade_ledger(locate(Settings.database))
    said = "is up to date" if before == after else f"was upgraded from schema version {before}"
    say(f"The ledger {said}: schema version {after}.")


@app.command()
def backup(file: Annotated[Path, typer.Argument(help="The file to write; it must not be there yet.")]) -> None:
    """Write every event of the ledger, verified, to a file that any PostgreSQL can be restored from.

    Example: combatlog db backup ledger-2026-11-16.jsonl
    """
    from cli.render.text import say
    from ledger.database import locate
    from ledger.upkeep import back_up

    events = back_up(locate(Settings.database), file)
    say(f"{events} events are in {file}; `combatlog db restore {file}` puts them into an empty ledger.")


@app.command()
def restore(file: Annotated[Path, typer.Argument(help="A file that `combatlog db backup` wrote.")]) -> None:
    """Put a backup into an empty ledger, all or nothing; every hash is checked on the way.

    Example: combatlog --database postgresql://me@new-server/combatlog db restore ledger-2026-11-16.jsonl
    """
    from cli.render.text import say
    from ledger.database import locate
    from ledger.upkeep import restore_backup

    events = restore_backup(locate(Settings.database), file)
    say(f"{events} events restored; `combatlog verify --all` resolves every declaration again.")
