"""The preview of an area."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from cli.context import open_fight
from cli.options import ACTOR, ENCOUNTER, JSON, SEAT, argument
from cli.readers import read_position
from cli.render.text import console, print_json, say
from projections.text import and_list, clean

if TYPE_CHECKING:
    from projections.battle import Battle
    from rules.engine.aiming import Aim, Caught

app = typer.Typer()


@app.command()
def aim(
    encounter: str = ENCOUNTER,
    actor: str = ACTOR,
    action: str = argument("action", "Spell or other area."),
    at: str = argument("at", "Square to aim at.", metavar="COLUMN,ROW"),
    seat: str = SEAT,
    as_json: bool = JSON,
) -> None:
    """Show whom an area would catch, on the map.

    Nothing is declared. Squares of the area are marked; friends in it are named first.

    Example: combatlog aim "Bridge ambush" mira fireball 7,4
    """
    place = read_position(at, "COLUMN,ROW")
    assert place is not None
    with open_fight(encounter) as fight:
        view = fight.seen_by(seat)
        found = view.aim(actor, action, place)
        if as_json:
            print_json(found.model_dump(mode="json"))
        else:
            _show(view.battle, found)


def _show(battle: Battle, found: Aim) -> None:
    from cli.render.map import draw_map

    for line in draw_map(battle, area=found.squares):
        console().print(line)
    if found.friends:
        say(f"Friends in it: {_names(found.friends)}", "bold red")
    foes = [one for one in found.caught if not one.friend]
    say(f"Foes in it: {_names(foes)}" if foes else "No foe is in it.", "bold green" if foes else "dim")


def _names(caught: list[Caught]) -> str:
    return and_list([clean(one.name) for one in caught])
