"""The commands that give people seats at a fight over a network, and that send what happens in it to an address."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from cli.completion import complete_actor
from cli.context import Settings, open_fight
from cli.options import EncounterArg, JsonOpt, SeatOpt
from cli.render.text import print_json, say
from projections.text import and_list, clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from combatlog import HeldSeat, Invitation
    from combatlog.webhooks import NewWebhook, Webhook

app = typer.Typer()
DEFAULT_URL = "http://127.0.0.1:8321"


@app.command()
def seat(
    encounter: EncounterArg,
    gm: Annotated[bool, typer.Option("--gm", help="A seat for a game master, who sees and does everything.")] = False,
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            metavar="NAMES",
            help="A seat for the player of these combatants: rurik,mira.",
            autocompletion=complete_actor,
        ),
    ] = None,
    spectator: Annotated[bool, typer.Option("--spectator", help="A seat for somebody who watches.")] = False,
    auditor: Annotated[
        bool, typer.Option("--auditor", help="A seat for somebody who may read and verify everything.")
    ] = False,
    delay: Annotated[
        int,
        typer.Option(
            "--delay", min=0, metavar="SECONDS", help="With --spectator: delay everything by this many seconds."
        ),
    ] = 0,
    name: Annotated[
        str | None, typer.Option("--name", help="The person who sits there; recorded with what they do.")
    ] = None,
    days: Annotated[int, typer.Option("--days", min=1, help="How long the seat lasts.")] = 30,
    revoke: Annotated[
        str | None, typer.Option("--revoke", metavar="SEAT", help="Revoke this seat, by its id or the beginning of it.")
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            "--url",
            envvar="COMBATLOG_SERVER_URL",
            help=f"Where `combatlog serve` runs; default: what --server says, or {DEFAULT_URL}.",
        ),
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Give somebody a seat, list the seats, or revoke one.

    A seat has a secret token, which is shown once: send the link to the person it is for. Without a role, this lists
    the seats. `combatlog serve` lets people take part.

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
            _show_revoked(seats.revoke(revoke, fight), as_json)
        elif not chosen:
            _show_list(seats.list(fight), as_json)
        else:
            made = seats.invite(chosen[0], fight, name=name, delay=delay, days=days)
            _show_invitation(made, url or _service(), as_json)


def _service() -> str:
    return Settings.server.url if Settings.server is not None else DEFAULT_URL


def link_to(url: str, token: str) -> str:
    """Opening it sits down: the browser gets a cookie."""
    return f"{url.rstrip('/')}/join?token={token}"


def _show_invitation(made: Invitation, url: str, as_json: bool) -> None:
    link = link_to(url, made.token)
    if as_json:
        print_json({**made.seat.to_json(), "token": made.token, "link": link})
        return
    say(f"A seat for {_someone(made.seat)}, until {made.seat.expires_at:%Y-%m-%d}.", "bold")
    say(f"  link   {link}")
    say(f"  token  {made.token}")
    say("Neither is shown again. Whoever has it has the seat.", "dim")


def _show_list(seats: Sequence[HeldSeat], as_json: bool) -> None:
    if as_json:
        print_json([one.to_json() for one in seats])
        return
    for one in seats:
        say(f"{str(one.id)[:8]}  {described(one)}, {_standing(one)}")
    if not seats:
        say("Nobody has a seat yet. `combatlog seat --help` shows how to give one.", "dim")


def _show_revoked(seat: HeldSeat, as_json: bool) -> None:
    print_json([seat.to_json()]) if as_json else say(f"Revoked: {whose(seat)}.")


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


@app.command()
def webhook(
    encounter: EncounterArg,
    add: Annotated[str | None, typer.Option("--add", metavar="URL", help="Send what happens to this address.")] = None,
    seat: SeatOpt = "spectator",
    from_start: Annotated[
        bool, typer.Option("--from-start", help="With --add: from the first event on, not from now on.")
    ] = False,
    remove: Annotated[
        str | None,
        typer.Option("--remove", metavar="WEBHOOK", help="Remove this one, by its id or the beginning of it."),
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Send what happens in a fight to an address.

    `combatlog serve` delivers what the seat sees, signed, in order and at least once. Without --add or --remove, this
    lists the webhooks and how far each has got. docs/http.md shows how to check the signature.

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
            _show([webhooks.remove(remove, fight)], "Removed: ", as_json)
        else:
            _show(webhooks.list(fight), "", as_json)


def _show_new(made: NewWebhook, as_json: bool) -> None:
    if as_json:
        print_json({**made.webhook.to_json(), "secret": made.secret})
        return
    say(_described(made.webhook), "bold")
    say(f"  secret  {made.secret}")
    say("It is not shown again. Deliveries are signed with it.", "dim")


def _show(webhooks: Sequence[Webhook], before: str, as_json: bool) -> None:
    if as_json:
        print_json([one.to_json() for one in webhooks])
        return
    for one in webhooks:
        say(f"{before}{_described(one)}")
    if not webhooks:
        say("This fight has no webhooks. `combatlog webhook --help` shows how to add one.", "dim")


def _described(webhook: Webhook) -> str:
    """`3f2a1b9c  https://example.org/hook, as a spectator, up to event 41`."""
    one = webhook.stored
    failing = f"; {one.failures} attempts failed: {one.problem}" if one.failures else ""
    whose = f"player of {', '.join(one.combatants)}" if one.role == "player" else one.role
    return clean(f"{str(one.id)[:8]}  {one.url}, as {whose}, up to event {one.delivered}{failing}")
