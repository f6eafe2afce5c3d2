"""Keeping the token of a seat, so that it need not be typed, and nobody can read it in a list of processes."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from cli.render.text import say
from ledger.database import home_folder
from ledger.errors import Problem

app = typer.Typer()
_FILE = "logins.json"
_PRIVATE = 0o600


@app.command()
def login(
    url: Annotated[str, typer.Argument(help="Where the service runs, or the link of an invitation.")],
) -> None:
    """Keep the token of your seat at a service, for --server.

    It asks for the token, or reads it from standard input. It is kept in a file that only you can read;
    `combatlog logout` forgets it.

    Examples:
    combatlog login https://combat.example.org
    combatlog login https://combat.example.org < token.txt
    """
    import combatlog
    from cli.seats import described
    from combatlog.remote.address import Address

    address = Address.read(url)
    token = address.token or _asked()
    with combatlog.connect(address.url, token) as ledger:
        held = ledger.seat
    _keep({**_kept(), address.url: token})
    say(f"Your seat: {described(held)}, until {held.expires_at:%Y-%m-%d}.", "bold green")
    say(f"Use it with: combatlog --server {address.url} COMMAND", "dim")


@app.command()
def logout(
    url: Annotated[str, typer.Argument(help="Where the service runs.")],
) -> None:
    """Forget the token of your seat at a service. The seat stays yours until it is revoked.

    Example: combatlog logout https://combat.example.org
    """
    from combatlog.remote.address import Address

    address, kept = Address.read(url), _kept()
    if address.url not in kept:
        raise Problem("login/none", f"No token is kept for {address.url}.", url=address.url, available=list(kept))
    _keep({known: token for known, token in kept.items() if known != address.url})
    say(f"The token for {address.url} is forgotten.")


def _asked() -> str:
    if sys.stdin.isatty():
        return str(typer.prompt("Token", hide_input=True)).strip()
    token = sys.stdin.readline().strip()
    if not token:
        raise typer.BadParameter("there is no token on standard input.", param_hint="URL")
    return token


def saved_token(url: str) -> str | None:
    return _kept().get(url)


def _file() -> Path:
    return home_folder() / _FILE


def _kept() -> dict[str, str]:
    """Tokens by address. A file that somebody broke is as good as none: `combatlog login` writes it again."""
    file = _file()
    if not file.exists():
        return {}
    check_private(file)
    try:
        known = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(url): str(token) for url, token in known.items()} if isinstance(known, dict) else {}


def _keep(tokens: dict[str, str]) -> None:
    """Written beside the file and moved there, so that it is never readable for others, nor half written."""
    file = _file()
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f"{_FILE}.{os.getpid()}")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE), "w", encoding="utf-8") as written:
        json.dump(tokens, written, indent=2, sort_keys=True)
    beside.replace(file)


def check_private(file: Path) -> None:
    """As ssh does with keys: a secret that others can read is none."""
    if os.name == "posix" and file.stat().st_mode & 0o077:
        raise Problem(
            "login/readable", f"Others can read {file}, so what it holds is no secret.", path=str(file), needed="600"
        )
