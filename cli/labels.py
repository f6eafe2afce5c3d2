"""The command that labels a fight."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.context import CommandOpt, EncounterArg, JsonOpt, open_fight
from cli.declare import show

app = typer.Typer()


@app.command()
def label(
    encounter: EncounterArg,
    labels: Annotated[
        list[str],
        typer.Argument(
            help="Label: practice, archived, or a tag of your own; repeatable.",
            autocompletion=lambda: ["practice", "archived"],
        ),
    ],
    remove: Annotated[bool, typer.Option("--remove", help="Take these labels off.")] = False,
    reason: Annotated[str | None, typer.Option(help="Why; recorded with the label.")] = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Label a fight, even one that is closed.

    Statistics across fights leave out practice and archived fights, and `combatlog list` leaves out archived ones.
    Nothing is deleted: --remove or `combatlog undo` brings a fight back.

    Examples:
    combatlog label "Bridge ambush" practice
    combatlog label "Bridge ambush" archived --remove
    """
    with open_fight(encounter) as fight:
        outcome = fight.label(
            *([] if remove else labels), remove=labels if remove else (), reason=reason, command_id=command_id
        )
        show(outcome, as_json)
