"""The service that commands talk to, if one is chosen, and the token that `login` stores for it."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import combatlog
from cli.context import CommandSettings, home
from cli.options import argument
from cli.render.terminal import say
from ledger.errors import Problem

if TYPE_CHECKING:
    from combatlog import RemoteLedger

SERVER_VARIABLE = "COMBATLOG_SERVER"
TOKEN_VARIABLE = "COMBATLOG_TOKEN"  # noqa: S105 - the name of a variable
LOCAL_ONLY = {
    "serve": "`serve` starts a service for a local ledger, and --server names one that is already running; omit it.",
    "sql": "`sql` reads the tables of all fights, which no seat can see; run it on the machine of the service, "
    "or take the tables with you: combatlog export --all --format parquet",
    "db": "`db` starts, backs up and repairs the database behind the service; run it on the machine of the service, "
    "without --server.",
    "projections": "`projections` maintains the tables that statistics are read from, and the service keeps them "
    "current by itself; run it on the machine of the service, without --server.",
    "lake write": "`lake write` follows the database behind the service, to write only what is new; run it on the "
    "machine of the service, or take the fights with you: combatlog export --all --output fights.jsonl",
}
"""Commands and groups that need the database itself: why they do not work with --server, and what to do instead. Other
commands may refuse some options at a service. Those that only read files work as usual."""
_WHILE_TYPING = 1.0
"""Seconds that a service may take to answer a completion."""


@dataclass(frozen=True, slots=True)
class Server:
    url: str
    """Without a token."""
    token: str | None = field(repr=False)
    hurried: bool = False
    """Whether it is for a completion, which must not take long."""

    def connect(self) -> RemoteLedger:
        patience = combatlog.Patience(seconds=_WHILE_TYPING, answer_within=_WHILE_TYPING) if self.hurried else None
        return combatlog.connect(self.url, self.token or saved_token(self.url), patience=patience)


def chosen(server: str | None, token: str | None, token_file: Path | None, database: str | None) -> Server | None:
    """The service that the options or the environment name; None for a local ledger."""
    if server is not None and database is not None:
        raise typer.BadParameter("give --server or --database, not both.", param_hint="--server")
    named = server or (os.environ.get(SERVER_VARIABLE) if database is None else None)
    if not named:
        if token is not None or token_file is not None:
            raise typer.BadParameter("a token is for a service; name it with --server.", param_hint="--token")
        return None
    from combatlog.remote.protocol import Address

    address = Address.read(named)
    given = token or (read_token(token_file) if token_file is not None else None)
    return Server(address.url, given or address.token or os.environ.get(TOKEN_VARIABLE))


def read_token(file: Path) -> str:
    """The token in a file that only its owner can read."""

    try:
        check_private(file)
        return file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise Problem("file/unusable", f"{file} cannot be read: {why}.", path=str(file)) from error


def check_possible(ctx: Any) -> None:
    """Refuse a command that does not work with a service, before it does anything else."""
    if CommandSettings.server is None:
        return
    group = ctx.parent if ctx.parent.parent is not None else ctx
    why = LOCAL_ONLY.get(group.info_name) or LOCAL_ONLY.get(f"{group.info_name} {ctx.info_name}")
    asks_a_lake = group is ctx and ctx.params.get("lake") is not None  # a lake does not need the service
    if why is not None and not asks_a_lake:
        from combatlog.remote.http_client import local_only

        raise local_only(why)


def notice_when_completing() -> None:
    """During completion, the options before the command are not processed, so find the service among the words here."""
    words = os.environ.get("_TYPER_COMPLETE_ARGS", os.environ.get("COMP_WORDS", ""))
    if not words:
        return
    typed = words.split("\n") if "\n" in words else words.split()
    given = {name: _value(typed, name) for name in ("--server", "--token", "--token-file", "--database")}
    file = given["--token-file"]
    try:
        found = chosen(given["--server"], given["--token"], Path(file) if file else None, given["--database"])
    except (Problem, typer.BadParameter):
        sys.exit(0)
    CommandSettings.server = Server(found.url, found.token, hurried=True) if found is not None else None


def _value(typed: list[str], option: str) -> str | None:
    for place, word in enumerate(typed):
        if word == option and place + 1 < len(typed):
            return typed[place + 1].strip("'\"")
        if word.startswith(f"{option}="):
            return word.partition("=")[2].strip("'\"")
    return None


_FILE = "logins.json"
_PRIVATE = 0o600


def login(url: str = argument("Where the service runs, or the link of an invitation.")) -> None:
    """Asks for the token, or reads it from standard input. It is saved in a file that only you can read; `combatlog
    logout` deletes it.

    Examples:
    combatlog login https://combat.example.org
    combatlog login https://combat.example.org < token.txt
    """
    from cli.sharing import described
    from combatlog.remote.protocol import Address

    address = Address.read(url)
    token = address.token or _asked()
    with combatlog.connect(address.url, token) as ledger:
        held = ledger.seat
    _keep({**_kept(), address.url: token})
    say(f"Your seat: {described(held)}, until {held.expires_at:%Y-%m-%d}.", "bold green")
    say(f"Use it with: combatlog --server {address.url} COMMAND", "dim")


def logout(url: str = argument("Where the service runs.")) -> None:
    """You keep the seat until it is revoked.

    Example: combatlog logout https://combat.example.org
    """
    from combatlog.remote.protocol import Address

    address, kept = Address.read(url), _kept()
    if address.url not in kept:
        raise Problem("login/none", f"No token is kept for {address.url}.", url=address.url, available=list(kept))
    _keep({known: token for known, token in kept.items() if known != address.url})
    say(f"The token for {address.url} was deleted.")


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
    return home() / _FILE


def _kept() -> dict[str, str]:
    """Tokens by address. A broken file counts as none; `combatlog login` writes it again."""
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
    """Write a new file and move it there, so that others can never read it and it is never half written."""
    file = _file()
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f"{_FILE}.{os.getpid()}")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE), "w", encoding="utf-8") as written:
        json.dump(tokens, written, indent=2, sort_keys=True)
    beside.replace(file)


def check_private(file: Path) -> None:
    """Refuse a secret that others can read, as ssh does with keys."""
    if os.name == "posix" and file.stat().st_mode & 0o077:
        raise Problem(
            "login/readable", f"Others can read {file}, so its token is not secret.", path=str(file), needed="600"
        )
