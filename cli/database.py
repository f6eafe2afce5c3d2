"""Commands for the database itself."""

from __future__ import annotations

import os

import typer

from cli.context import JsonOpt, Settings

app = typer.Typer(help="The database: where it is, whether it runs, start and stop.", no_args_is_help=True)


def _server_url() -> str | None:
    from ledger.database import URL_VARIABLE

    return Settings.database or os.environ.get(URL_VARIABLE)


@app.command()
def status(as_json: JsonOpt = False) -> None:
    """Say which database is used, whether it answers, and what is in it."""
    from cli.render.text import print_json, say
    from ledger.database import Embedded, data_folder
    from ledger.store import Ledger

    given = _server_url()
    url = given or Embedded(data_folder()).running_url()
    facts: dict[str, object] = {
        "database": "server" if given else "embedded",
        "place": _without_password(given) if given else str(data_folder()),
        "running": url is not None,
    }
    if url is not None:
        with Ledger.open(url) as ledger:
            facts |= ledger.facts()
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
