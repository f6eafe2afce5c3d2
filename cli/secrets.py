"""Commands that decide what players get to see."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.completion import complete_actor
from cli.context import (
    ByOpt,
    CommandOpt,
    DiceOpt,
    EncounterArg,
    JsonOpt,
    SecretOpt,
    open_fight,
    read_dice,
)
from cli.declare import show

app = typer.Typer()

WhoArg = Annotated[
    list[str],
    typer.Argument(
        metavar="COMBATANT", help="Combatants: names, or the beginnings of them.", autocompletion=complete_actor
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


@app.command()
def roll(
    encounter: EncounterArg,
    notation: Annotated[str, typer.Argument(metavar="DICE", help="What to roll, such as 1d20+3.")],
    purpose: Annotated[str, typer.Option("--for", help="What it is for.")] = "roll",
    of: Annotated[
        str | None, typer.Option("--of", help="Whose roll it is; default: the GM's.", autocompletion=complete_actor)
    ] = None,
    secret: SecretOpt = False,
    dice: DiceOpt = None,
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Roll dice for something that the rules do not ask for.

    Everybody sees the roll, unless it is secret.

    Examples:
    combatlog roll "Bridge ambush" 1d20+3 --for perception --of mira --secret
    combatlog roll "Bridge ambush" 1d100 --for "wild magic"
    """
    with open_fight(encounter) as fight:
        faces = read_dice(dice)
        outcome = fight.roll(notation, purpose, who=of, secret=secret, dice=faces, by=by, command_id=command_id)
        show(outcome, as_json, faces)


@app.command()
def note(
    encounter: EncounterArg,
    text: Annotated[str, typer.Argument(help="What to note.")],
    about: Annotated[
        str | None, typer.Option("--about", help="Combatant that it is about.", autocompletion=complete_actor)
    ] = None,
    secret: SecretOpt = False,
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Note something in the log, for everybody or for the GM alone.

    It is possible at any moment, even when the fight is over.

    Examples:
    combatlog note "Bridge ambush" "The bridge creaks."
    combatlog note "Bridge ambush" "Grak waits until they cross." --secret
    """
    with open_fight(encounter) as fight:
        show(fight.note(text, about=about, secret=secret, by=by, command_id=command_id), as_json)
