"""Commands that decide what players get to see."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.completion import complete_actor
from cli.context import ByOpt, CommandOpt, EncounterArg, JsonOpt, open_fight
from cli.declare import show

app = typer.Typer()

WhoArg = Annotated[
    list[str],
    typer.Argument(
        metavar="COMBATANT...", help="Combatants: names, or the beginnings of them.", autocompletion=complete_actor
    ),
]


@app.command()
def reveal(
    encounter: EncounterArg,
    who: WhoArg,
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Let the players see combatants that joined with --hidden.

    What they did until then stays unseen. `combatlog watch --as players` shows what players see.

    Example: combatlog reveal "Bridge ambush" ogre
    """
    with open_fight(encounter) as fight:
        show(fight.reveal(*who, by=by, command_id=command_id), as_json)


@app.command()
def conceal(
    encounter: EncounterArg,
    who: WhoArg,
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Keep combatants from the players' eyes, with all they do.

    The rules take no notice: who can be attacked does not change. `combatlog reveal` ends it.

    Example: combatlog conceal "Bridge ambush" ogre
    """
    with open_fight(encounter) as fight:
        show(fight.conceal(*who, by=by, command_id=command_id), as_json)
