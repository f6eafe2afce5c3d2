"""Commands for playing one fight together: seats, webhooks, the service and shared dice."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import typer

import combatlog
from cli.command import shows
from cli.context import CommandSettings, open_fight
from cli.options import BY, COMMAND, DICE, ENCOUNTER, JSON, argument, flag, option, options, read_dice, seat_option
from cli.render.terminal import present, print_json, say
from ledger.errors import Problem
from projections.story.text import and_list, clean

if TYPE_CHECKING:
    from combatlog import HeldSeat, Invitation, Outcome, RecordedFight
    from combatlog.view import View
    from combatlog.webhooks import Webhook, WebhookWithSecret
    from projections.battle.dice import SharedDice

DEFAULT_URL = "http://127.0.0.1:8321"


def seat(
    encounter: str = ENCOUNTER,
    gm: bool = flag("A seat for a game master, who sees and does everything."),
    player: str | None = option("A seat for the player of these combatants: rurik,mira.", metavar="NAMES"),
    spectator: bool = flag("A seat for a spectator."),
    auditor: bool = flag("A seat for an auditor, who may read and verify everything."),
    delay: int = option(
        "With --spectator: delay everything by this many seconds.", default=0, min=0, metavar="SECONDS"
    ),
    name: str | None = option("Name of the person, which is recorded with what they do."),
    days: int = option("How long the seat lasts.", default=30, min=1),
    revoke: str | None = option("Revoke this seat, by its id or the beginning of it.", metavar="SEAT"),
    url: str | None = option(
        f"Where `combatlog serve` runs; default: what --server says, or {DEFAULT_URL}.", envvar="COMBATLOG_SERVER_URL"
    ),
    as_json: bool = JSON,
) -> None:
    """A seat has a secret token, which is shown once: send the link to the person it is for. Without a role, the seats
    are listed. `combatlog serve` starts the service that people connect to.

    Examples:
    combatlog seat "Bridge ambush" --player rurik,mira --name Anna
    combatlog seat "Bridge ambush" --spectator --delay 60
    combatlog seat "Bridge ambush"
    combatlog seat "Bridge ambush" --revoke 3f2a
    """
    roles = {"gm": gm, f"player:{player}": player is not None, "spectator": spectator, "auditor": auditor}
    chosen = [role for role, is_given in roles.items() if is_given]
    if len(chosen) + (revoke is not None) > 1:
        raise typer.BadParameter("give only one of --gm, --player, --spectator, --auditor and --revoke.")
    with open_fight(encounter) as fight:
        seats = fight.ledger.seats
        if revoke is not None:
            seat = seats.revoke(revoke, fight)
            present(as_json, lambda: [seat.to_json()], lambda: say(f"Revoked: {whose(seat)}."))
        elif not chosen:
            none = "There are no seats yet. `combatlog seat --help` shows how to add one."
            _show_all(
                seats.list(fight), lambda one: f"{str(one.id)[:8]}  {described(one)}, {_standing(one)}", none, as_json
            )
        else:
            made = seats.invite(chosen[0], fight, name=name, delay=delay, days=days)
            service = url or (CommandSettings.server.url if CommandSettings.server is not None else DEFAULT_URL)
            _show_invitation(made, service, as_json)


def link_to(url: str, token: str) -> str:
    """A link that signs the browser in, with a cookie."""
    return f"{url.rstrip('/')}/join?token={token}"


def _show_invitation(made: Invitation, url: str, as_json: bool) -> None:
    link = link_to(url, made.token)
    if as_json:
        print_json({**made.seat.to_json(), "token": made.token, "link": link})
        return
    say(f"A seat for {_someone(made.seat)}, until {made.seat.expires_at:%Y-%m-%d}.", "bold")
    say(f"  link   {link}")
    say(f"  token  {made.token}")
    say("Neither is shown again. Anyone who has one of them can use the seat.", "dim")


def _show_all(entries: Sequence[Any], line: Callable[[Any], str], none: str, as_json: bool) -> None:
    if as_json:
        print_json([one.to_json() for one in entries])
        return
    for one in entries:
        say(line(one))
    if not entries:
        say(none, "dim")


def described(seat: HeldSeat) -> str:
    """`Anna, player of rurik and mira`."""
    said = f"{seat.name}, " if seat.name else ""
    return clean(f"{said}{_role(seat)}{_where(seat)}")


def whose(seat: HeldSeat) -> str:
    """`the seat of Anna, player of rurik and mira`, or `the GM's seat at all fights`."""
    if seat.name is not None:
        return f"the seat of {described(seat)}"
    if seat.seat.combatants:
        return f"the seat of the {described(seat)}"
    return f"the {_role(seat)}'s seat{_where(seat)}"


def _someone(seat: HeldSeat) -> str:
    """`Anna, player of rurik and mira`, or `an auditor`."""
    if seat.name is not None:
        return described(seat)
    article = "the" if seat.seat.combatants else "an" if seat.seat.role.value == "auditor" else "a"
    return f"{article} {described(seat)}"


def _role(seat: HeldSeat) -> str:
    role = seat.seat.role.value
    return {"gm": "GM", "player": f"player of {and_list(sorted(seat.seat.combatants))}"}.get(role, role)


def _where(seat: HeldSeat) -> str:
    at = "" if seat.encounter is not None else " at all fights"
    return f"{at}, with a delay of {seat.delay} seconds" if seat.delay else at


def _standing(seat: HeldSeat) -> str:
    if seat.revoked_at is not None:
        return f"revoked on {seat.revoked_at:%Y-%m-%d}"
    return f"{'expired' if seat.expires_at <= datetime.now(UTC) else 'until'} {seat.expires_at:%Y-%m-%d}"


def webhook(
    encounter: str = ENCOUNTER,
    add: str | None = option("Send events to this address.", metavar="URL"),
    seat: str = seat_option("spectator"),
    from_start: bool = flag("With --add: begin with the first event instead of the next one."),
    remove: str | None = option("Remove this one, by its id or the beginning of it.", metavar="WEBHOOK"),
    as_json: bool = JSON,
) -> None:
    """`combatlog serve` delivers what the seat sees, signed, in order and at least once. Without --add or --remove, the
    webhooks are listed with how far each has got. docs/http.md shows how to check the signature.

    Examples:
    combatlog webhook "Bridge ambush" --add https://example.org/hook
    combatlog webhook "Bridge ambush" --add https://example.org/hook --as gm --from-start
    combatlog webhook "Bridge ambush"
    combatlog webhook "Bridge ambush" --remove 3f2a
    """
    if add is not None and remove is not None:
        raise typer.BadParameter("give only one of --add and --remove.")
    with open_fight(encounter) as fight:
        webhooks = fight.ledger.webhooks
        if add is not None:
            _show_new(webhooks.add(fight, add, seat, from_start=from_start), as_json)
        elif remove is not None:
            removed = webhooks.remove(remove, fight)
            _show_all([removed], lambda one: f"Removed: {_described(one)}", "", as_json)
        else:
            none = "This fight has no webhooks. `combatlog webhook --help` shows how to add one."
            _show_all(webhooks.list(fight), _described, none, as_json)


def _show_new(made: WebhookWithSecret, as_json: bool) -> None:
    if as_json:
        print_json({**made.webhook.to_json(), "secret": made.secret})
        return
    say(_described(made.webhook), "bold")
    say(f"  secret  {made.secret}")
    say("It is not shown again. Deliveries are signed with it.", "dim")


def _described(webhook: Webhook) -> str:
    """`3f2a1b9c  https://example.org/hook, as a spectator, up to event 41`."""
    one = webhook.stored
    failing = f"; {one.failures} attempts failed: {one.problem}" if one.failures else ""
    whose = f"player of {', '.join(one.combatants)}" if one.role == "player" else one.role
    return clean(f"{str(one.id)[:8]}  {one.url}, as {whose}, up to event {one.delivered}{failing}")


def _networks(given: list[str] | None) -> list[str] | None:
    for one in given or ():
        try:
            ip_network(one, strict=False)
        except ValueError as error:
            raise typer.BadParameter(f"{one!r} is not a network such as 10.1.0.0/16.") from error
    return given


def serve(
    host: str = option("Address to listen on; the default is this machine only.", default="127.0.0.1"),
    port: int = option("Port to listen on.", default=8321, min=1, max=65535),
    workers: int = option("Processes that share the work.", default=1, min=1, max=64),
    read_only: bool = flag("Refuse everything that would record something."),
    webhook_network: list[str] | None = options(
        "Private network that webhooks may reach: 10.1.0.0/16; repeatable.", metavar="CIDR", callback=_networks
    ),
    webhook_ca: Path | None = option(
        "Certificate of your own authority, in PEM, that webhooks trust in addition.", metavar="FILE"
    ),
) -> None:
    """Prints a link with a token for the GM; `combatlog seat` gives seats to others. Without a token, only the health
    check, the API description and pages without data are available. docs/http.md documents the service. ^C stops it.

    Examples:
    combatlog serve
    combatlog serve --host 0.0.0.0 --port 80 --workers 4
    """

    if missing := [
        name for name in ("fastapi", "uvicorn", "prometheus_client") if importlib.util.find_spec(name) is None
    ]:
        raise Problem("serve/not-installed", "The service is not installed with this combatlog.", needed=missing)
    from combatlog.service.settings import Settings as ServiceSettings
    from combatlog.service.workers import check, gm_token
    from combatlog.service.workers import serve as run

    settings = ServiceSettings.published()
    settings = replace(
        settings,
        webhook_authority=str(webhook_ca) if webhook_ca is not None else settings.webhook_authority,
        database=CommandSettings.database or settings.database,
        read_only=read_only or settings.read_only,
        webhook_networks=tuple(webhook_network or settings.webhook_networks),
    )
    check(settings)

    def announce() -> None:
        address = f"http://{_reached_at(host)}:{port}"
        say(f"The service listens on {address}. For the GM:", "bold")
        say(f"  {link_to(address, gm_token(settings.database))}")
        say("Anyone who has the link can do everything. ^C stops the service.", "dim")
        sys.stdout.flush()  # a program may be waiting for it at the other end of a pipe

    run(settings, host, port, workers, announce)


def _reached_at(host: str) -> str:
    """The host for a link. An address that means all interfaces cannot be opened, so it becomes localhost."""
    if host in ("0.0.0.0", "::"):  # noqa: S104 - the user asked for it
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def sit(
    encounter: str = ENCOUNTER,
    combatants: list[str] = argument("Combatant that you play; repeatable.", metavar="COMBATANT"),
    by: str | None = BY,
    as_json: bool = JSON,
) -> None:
    """The chain is kept on this machine, in a file that only you can read: in COMBATLOG_CHAINS, or with your other
    data. When a roll needs a link of it, your next command here reveals it. Running this again replaces the chain.

    Examples:
    combatlog dice sit "Bridge ambush" rurik
    combatlog dice sit "Bridge ambush" rurik mira --by Anna
    """

    from cli.send_message import show

    with open_fight(encounter) as fight:
        show(combatlog.Keeper().sit(fight, *combatants, by=by), as_json)


def link(
    encounter: str = ENCOUNTER,
    secret: str | None = option("Link to reveal; default: from the chain that is kept here.", metavar="HEX"),
    withhold: bool = flag("Record that the player refuses to reveal one, and roll without it."),
    dice: str | None = DICE,
    by: str | None = BY,
    command_id: UUID | None = COMMAND,
    as_json: bool = JSON,
) -> None:
    """With --withhold, record that the player refuses. The roll then depends on the host's link alone, or is made with
    real dice: --withhold --dice 14. `combatlog verify` lists it.

    Examples:
    combatlog dice link "Bridge ambush"
    combatlog dice link "Bridge ambush" --withhold --by gm
    combatlog dice link "Bridge ambush" --withhold --dice 14
    """
    from cli.send_message import show
    from combatlog.messages.commands import GiveLink
    from combatlog.messages.message import message

    faces = read_dice(dice)
    if secret is not None and withhold:
        raise typer.BadParameter("give --secret or --withhold, not both.")
    if faces is not None and not withhold:
        raise typer.BadParameter("real dice take the place of a link that is withheld; add --withhold.")
    with open_fight(encounter) as fight:
        party = fight.seen_by().waits_for_link()
        if withhold:
            outcome = fight.send(message(GiveLink, who=party, dice=faces, by=by), command_id=command_id)
        elif secret is not None:
            outcome = fight.send(message(GiveLink, who=party, secret=secret.lower(), by=by), command_id=command_id)
        else:
            outcome = _revealed(fight, party, by)
        show(outcome, as_json, faces)


def _revealed(fight: RecordedFight, party: str, by: str | None) -> Outcome:
    from combatlog.rules.engine.resolution.referee import joined

    outcomes = combatlog.Keeper().answer(fight, by=by)
    if not outcomes:
        sentence = f"The roll waits for {party}'s player, whose chain is not kept here."
        raise combatlog.Problem("chain/not-here", sentence, who=party)
    return joined(outcomes)


def print_shared_dice(dice: SharedDice) -> None:
    """Who has joined, and which roll waits for a link."""
    for name, party in dice["parties"].items():
        say(f"{clean(name)} plays {clean(and_list(party['combatants']))}")
        say(f"  anchor     {party['anchor']}", "dim")
        say(f"  last link  {party['last'] if party['last'] != party['anchor'] else 'none yet'}", "dim")
    if not dice["parties"]:
        say("No player has joined with a chain.", "dim")
    if (waiting := dice["waiting"]) is not None:
        asked = clean(waiting["party"])
        say(f"A roll waits for a link of {asked}'s player: `combatlog dice link` gives it.", "magenta")


@shows(print_shared_dice)
def show(view: View) -> SharedDice:
    """Compare the anchor with your own: it differs if someone else has joined in your place.

    Examples:
    combatlog dice show "Bridge ambush"
    combatlog dice show "Bridge ambush" --as rurik --json
    """
    return view.shared_dice()


def chain(
    file: Path = argument("File of the chain; created if it does not exist."),
    roll: str | None = option("Reveal a link for this roll: its `binding`.", "--for", metavar="HEX"),
) -> None:
    """Prints the anchor of the chain or, with --for, a link. A roll is identified by its `binding`, the hash of the
    host's link. The same roll always gets the same link, and no link is revealed for a second roll.

    Examples:
    combatlog dice chain anna.json
    combatlog dice chain anna.json --for 5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9
    """

    kept = combatlog.ChainFile(file)
    if roll is not None:
        typer.echo(kept.reveal(roll.lower()))
        return
    if not file.exists():
        kept.keep(combatlog.Chain.new())
    typer.echo(kept.read().anchor)
