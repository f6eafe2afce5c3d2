"""Commands for shared dice: sitting down with a chain of secrets, and revealing its links."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import typer

import combatlog
from cli.context import open_fight
from cli.options import BY, COMMAND, DICE, ENCOUNTER, JSON, argument, flag, option
from cli.readers import read_dice
from cli.recording import show as show_outcome
from cli.recording import shows

if TYPE_CHECKING:
    from combatlog import Outcome, RecordedFight
    from combatlog.view import View
    from projections.links import SharedDice

app = typer.Typer(help="Dice that host and players decide together: --dice shared.", no_args_is_help=True)


@app.command()
def sit(
    encounter: str = ENCOUNTER,
    combatants: list[str] = argument("combatants", "Whom you play; repeatable.", metavar="COMBATANT"),
    by: str | None = BY,
    as_json: bool = JSON,
) -> None:
    """Sit down as a player, with a new chain of secrets.

    The chain is kept on this machine, in a file that only you can read: in COMBATLOG_CHAINS, or with your other data.
    Whenever a roll needs a link of it, the commands that you give here reveal it. Sitting down again replaces it.

    Examples:
    combatlog dice sit "Bridge ambush" rurik
    combatlog dice sit "Bridge ambush" rurik mira --by Anna
    """

    with open_fight(encounter) as fight:
        show_outcome(combatlog.Keeper().sit(fight, *combatants, by=by), as_json)


@app.command()
def link(
    encounter: str = ENCOUNTER,
    secret: str | None = option("secret", "Link to reveal; default: from the chain that is kept here.", metavar="HEX"),
    withhold: bool = flag("withhold", "Record that the player does not reveal one, and roll without."),
    dice: str | None = DICE,
    by: str | None = BY,
    command_id: UUID | None = COMMAND,
    as_json: bool = JSON,
) -> None:
    """Reveal the link that a roll waits for.

    With --withhold, record that the player refuses. A roll without the player's link follows from the host's alone, or
    is made with real dice: --withhold --dice 14. `combatlog verify` lists it.

    Examples:
    combatlog dice link "Bridge ambush"
    combatlog dice link "Bridge ambush" --withhold --by gm
    combatlog dice link "Bridge ambush" --withhold --dice 14
    """
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
        show_outcome(outcome, as_json, faces)


def _revealed(fight: RecordedFight, party: str, by: str | None) -> Outcome:
    from combatlog.rules.engine.outcome import joined

    outcomes = combatlog.Keeper().answer(fight, by=by)
    if not outcomes:
        sentence = f"The roll waits for {party}'s player, whose chain is not kept here."
        raise combatlog.Problem("chain/not-here", sentence, who=party)
    return joined(outcomes)


@shows(app, "findings.print_shared_dice")
def show(view: View) -> SharedDice:
    """Show who has sat down, and which roll waits for a link.

    Compare the anchor with your own: if somebody else has sat down in your place, it differs.

    Examples:
    combatlog dice show "Bridge ambush"
    combatlog dice show "Bridge ambush" --as rurik --json
    """
    return view.shared_dice()


@app.command()
def chain(
    file: Path = argument("file", "File of the chain; it is made if there is none."),
    roll: str | None = option("roll", "Reveal a link for this roll: its `binding`.", "--for", metavar="HEX"),
) -> None:
    """Make a chain for playing over HTTP.

    Prints its anchor or, with --for, a link of it. A roll is known by its `binding`, the hash of the host's link. The
    same roll always gets the same link, and no link is ever revealed for a second roll.

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
