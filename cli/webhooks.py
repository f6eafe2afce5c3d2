"""The command for addresses that a service tells what happens in a fight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.context import open_fight
from cli.options import EncounterArg, JsonOpt, SeatOpt
from cli.render.text import print_json, say
from projections.text import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from combatlog.webhooks import NewWebhook, Webhook

app = typer.Typer()


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
        print_json({**made.webhook.as_data(), "secret": made.secret})
        return
    say(_described(made.webhook), "bold")
    say(f"  secret  {made.secret}")
    say("It is not shown again. Deliveries are signed with it.", "dim")


def _show(webhooks: Sequence[Webhook], before: str, as_json: bool) -> None:
    if as_json:
        print_json([one.as_data() for one in webhooks])
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
