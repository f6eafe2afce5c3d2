"""The command that gives people seats at a fight, for those who take part over a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.completion import complete_actor
from cli.context import Settings, open_fight
from cli.options import EncounterArg, JsonOpt
from cli.render.text import print_json, say
from projections.text import and_list, clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from combatlog import HeldSeat, Invitation

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
        print_json({**made.seat.as_data(), "token": made.token, "link": link})
        return
    say(f"A seat for {_someone(made.seat)}, until {made.seat.expires_at:%Y-%m-%d}.", "bold")
    say(f"  link   {link}")
    say(f"  token  {made.token}")
    say("Neither is shown again. Whoever has it has the seat.", "dim")


def _show_list(seats: Sequence[HeldSeat], as_json: bool) -> None:
    if as_json:
        print_json([one.as_data() for one in seats])
        return
    for one in seats:
        say(f"{str(one.id)[:8]}  {described(one)}, {_standing(one)}")
    if not seats:
        say("Nobody has a seat yet. `combatlog seat --help` shows how to give one.", "dim")


def _show_revoked(seat: HeldSeat, as_json: bool) -> None:
    print_json([seat.as_data()]) if as_json else say(f"Revoked: {whose(seat)}.")


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
    from datetime import UTC, datetime

    if seat.revoked_at is not None:
        return f"revoked on {seat.revoked_at:%Y-%m-%d}"
    return f"{'expired' if seat.expires_at <= datetime.now(UTC) else 'until'} {seat.expires_at:%Y-%m-%d}"
