"""Commands about creatures: browse them, show one, and weigh up a fight."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import combatlog
from cli.completion import (
    complete_creature,
    complete_creature_type,
    complete_side,
)
from cli.context import open_fight
from cli.options import EncounterArg, JsonOpt, RulesetOpt
from cli.render.text import present

PackOpt = Annotated[list[Path] | None, typer.Option(help="Folder of a pack to look in as well; repeatable.")]


class ListByDefault(TyperGroup):
    """`creatures dragon` is short for `creatures list dragon`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        is_named = bool(args) and (args[0] in self.commands or args[0] == "--help")
        return super().parse_args(ctx, args if is_named else ["list", *args])


app = typer.Typer(
    cls=ListByDefault,
    help="Browse creatures and show their stat blocks.",
    invoke_without_command=True,
)
fight_app = typer.Typer()


def _challenge(text: str) -> tuple[float, float]:
    """`3`, `1/4`, `1..3`, `5..` or `..2`."""
    low, dots, high = text.partition("..")
    try:
        first = _number(low) if low else 0.0
        return (first, (_number(high) if high else 30.0) if dots else first)
    except (ValueError, ZeroDivisionError) as error:
        raise typer.BadParameter("Write a challenge rating like 3 or 1/4, or a range like 1..3.") from error


def _number(text: str) -> float:
    above, slash, below = text.partition("/")
    return int(above) / int(below) if slash else float(text)


@app.command("list")
def list_creatures(
    search: Annotated[
        str | None, typer.Argument(help="A part of the name; default: all.", autocompletion=complete_creature)
    ] = None,
    cr: Annotated[str | None, typer.Option(metavar="NUMBER", help="Challenge rating, such as 1/4 or 1..3.")] = None,
    type: Annotated[
        str | None,
        typer.Option(metavar="TYPE", help="Creature type, such as undead.", autocompletion=complete_creature_type),
    ] = None,
    pack: PackOpt = None,
    ruleset: RulesetOpt = "dnd5e",
    as_json: JsonOpt = False,
) -> None:
    """List creatures by challenge rating; `list` can be left out.

    They are those of the ruleset, of packs, and of the SRD if it is installed.

    Examples:
    combatlog creatures list dragon
    combatlog creatures list --cr 1..3 --type undead
    combatlog creatures list ghoul --pack ./frost --json
    """
    from cli.render.creatures import print_creatures

    wanted = _challenge(cr) if cr is not None else None
    found = combatlog.creatures(search, cr=wanted, type=type, packs=pack or (), ruleset=ruleset)
    present(as_json, lambda: [asdict(one) for one in found], lambda: print_creatures(found))


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="Creature, by id or name.", autocompletion=complete_creature)],
    pack: PackOpt = None,
    ruleset: RulesetOpt = "dnd5e",
    as_json: JsonOpt = False,
) -> None:
    """Show a creature's stat block.

    It ends with what is left to the GM, and with the licence and the origin of the data.

    Examples:
    combatlog creatures show adult-red-dragon
    combatlog creatures show "Snow Ghoul" --pack ./frost
    """
    from cli.render.creatures import print_card

    card = combatlog.creature(name, packs=pack or (), ruleset=ruleset)
    present(as_json, card.to_json, lambda: print_card(card))


@fight_app.command()
def difficulty(
    encounter: EncounterArg,
    side: Annotated[
        str, typer.Option(help="Whose characters it is hard for.", autocompletion=complete_side)
    ] = "heroes",
    as_json: JsonOpt = False,
) -> None:
    """Say how hard a fight is for the characters.

    The experience points of the foes are compared with thresholds by the characters' levels. Foes whose sheets say
    nothing about experience points are left out, and named.

    Examples:
    combatlog difficulty "Dragon's lair"
    combatlog difficulty "Dragon's lair" --side guards --json
    """
    from cli.render.creatures import print_difficulty

    with open_fight(encounter) as fight:
        found = fight.seen_by().difficulty(side)
    present(as_json, lambda: asdict(found), lambda: print_difficulty(found))
