"""The command that lets people take part over a network."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

import typer

from cli.context import Settings
from cli.options import flag, option, options
from cli.render.text import say
from ledger.errors import Problem

app = typer.Typer()


def _networks(given: list[str] | None) -> list[str] | None:
    for one in given or ():
        try:
            ip_network(one, strict=False)
        except ValueError as error:
            raise typer.BadParameter(f"{one!r} is not a network such as 10.1.0.0/16.") from error
    return given


@app.command()
def serve(
    host: str = option("host", "Address to listen on; the default is this machine only.", default="127.0.0.1"),
    port: int = option("port", "Port to listen on.", default=8321, min=1, max=65535),
    workers: int = option("workers", "Processes that share the work.", default=1, min=1, max=64),
    read_only: bool = flag("read_only", "Refuse everything that would record something."),
    webhook_network: list[str] | None = options(
        "webhook_network",
        "Private network that webhooks may reach: 10.1.0.0/16; repeatable.",
        metavar="CIDR",
        callback=_networks,
    ),
    webhook_ca: Path | None = option(
        "webhook_ca", "Certificate of your own authority, in PEM, that webhooks trust as well.", metavar="FILE"
    ),
) -> None:
    """Let people, bots and tools take part over HTTP.

    It prints a link with a token for the GM. `combatlog seat` gives seats to others. Without a token, nobody gets more
    than the service's health, its description and pages without data. docs/http.md documents it. ^C stops it.

    Examples:
    combatlog serve
    combatlog serve --host 0.0.0.0 --port 80 --workers 4
    """
    from cli.seats import link_to

    if missing := [
        name for name in ("fastapi", "uvicorn", "prometheus_client") if importlib.util.find_spec(name) is None
    ]:
        raise Problem("serve/not-installed", "The service is not installed with this combatlog.", needed=missing)
    from service.running import check, gm_token
    from service.running import serve as run
    from service.settings import Settings as ServiceSettings

    settings = ServiceSettings.published()
    if webhook_ca is not None:
        settings = replace(settings, webhook_authority=str(webhook_ca))
    settings = replace(
        settings,
        database=Settings.database or settings.database,
        read_only=read_only or settings.read_only,
        webhook_networks=tuple(webhook_network or settings.webhook_networks),
    )
    check(settings)

    def announce() -> None:
        address = f"http://{_reached_at(host)}:{port}"
        say(f"The service listens on {address}. For the GM:", "bold")
        say(f"  {link_to(address, gm_token(settings.database))}")
        say("Whoever has the link can do everything. ^C stops the service.", "dim")
        sys.stdout.flush()  # somebody may be waiting for it at the other end of a pipe

    run(settings, host, port, workers, announce)


def _reached_at(host: str) -> str:
    """How an address is written in a link; those that stand for all addresses are no place to go to."""
    if host in ("0.0.0.0", "::"):  # noqa: S104 - it is what somebody asked for
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
