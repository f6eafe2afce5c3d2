"""Commands that let combatants rest between fights."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.completion import complete_actor
from cli.context import ByOpt, CommandOpt, DiceOpt, EncounterArg, JsonOpt, open_fight, read_dice, read_numbers
from cli.declare import show

app = typer.Typer(help="Rest between fights: hit points, slots and uses come back.", no_args_is_help=True)

RestingArg = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[COMBATANT]",
        help="Who rests; default: everybody whom a player controls, except the dead.",
        autocompletion=complete_actor,
    ),
]


@app.command()
def short(
    encounter: EncounterArg,
    who: RestingArg = None,
    hit_dice: Annotated[
        list[str] | None,
        typer.Option(
            "--hit-dice",
            metavar="NUMBER",
            help="Hit dice that each spends, or NAME=NUMBER; repeatable.",
            autocompletion=complete_actor,
        ),
    ] = None,
    dice: DiceOpt = None,
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Take a short rest, in a fight that is over or has not started.

    `combatlog join --from` then brings the rested to the next fight.

    Examples:
    combatlog rest short "Bridge ambush"
    combatlog rest short "Bridge ambush" rurik osric --hit-dice rurik=2 --dice 7,4
    """
    faces = read_dice(dice)
    spent = _hit_dice(hit_dice or [])
    with open_fight(encounter) as fight:
        outcome = fight.rest("short", *(who or ()), hit_dice=spent, dice=faces, by=by, command_id=command_id)
        show(outcome, as_json, faces)


@app.command()
def long(
    encounter: EncounterArg,
    who: RestingArg = None,
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Take a long rest, in a fight that is over or has not started.

    `combatlog join --from` then brings the rested to the next fight.

    Examples:
    combatlog rest long "Bridge ambush"
    combatlog rest long "Bridge ambush" rurik osric
    """
    with open_fight(encounter) as fight:
        show(fight.rest("long", *(who or ()), by=by, command_id=command_id), as_json)


def _hit_dice(said: list[str]) -> int | dict[str, int]:
    """A number for each, or numbers by name."""
    if len(said) == 1 and said[0].isdecimal() and len(said[0]) < 4:
        return int(said[0])
    return read_numbers(said, "--hit-dice")
