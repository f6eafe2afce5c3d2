"""Commands of the GM that hurt and heal by the rules."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.completion import complete_actor, complete_damage, complete_pool
from cli.context import ActorArg, ByOpt, CommandOpt, DiceOpt, EncounterArg, JsonOpt, open_fight, read_dice
from cli.declare import show

app = typer.Typer()

AlsoOpt = Annotated[
    list[str] | None, typer.Option("--also", help="Somebody else; repeatable.", autocompletion=complete_actor)
]


@app.command()
def hurt(
    encounter: EncounterArg,
    actor: ActorArg,
    amount: Annotated[int, typer.Argument(min=1, max=9999, help="Points of damage.")],
    kind: Annotated[
        str | None,
        typer.Argument(metavar="[TYPE]", help="Type of damage, such as fire.", autocompletion=complete_damage),
    ] = None,
    also: AlsoOpt = None,
    reason: Annotated[str, typer.Option(help="What hurts; recorded with it.")] = "",
    dice: DiceOpt = None,
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Deal damage as the GM, by the rules.

    Resistances, concentration, falling and dying count, unlike with `combatlog rule --set`.

    Examples:
    combatlog hurt "Bridge ambush" rurik 6 fire --reason "the floor burns"
    combatlog hurt "Bridge ambush" rurik 3 --also osric --dice 14
    """
    with open_fight(encounter) as fight:
        faces = read_dice(dice)
        whom = [actor, *(also or [])]
        show(fight.hurt(whom, amount, kind, reason=reason, dice=faces, by=by, command_id=command_id), as_json)


@app.command()
def heal(
    encounter: EncounterArg,
    actor: ActorArg,
    amount: Annotated[int, typer.Argument(min=1, max=9999, help="Points that are healed.")],
    pool: Annotated[
        str | None,
        typer.Argument(metavar="[POOL]", help="What is healed, if there are several.", autocompletion=complete_pool),
    ] = None,
    also: AlsoOpt = None,
    reason: Annotated[str, typer.Option(help="What heals; recorded with it.")] = "",
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Heal as the GM, by the rules.

    Nobody gets more than the maximum, and whoever had fallen wakes up.

    Examples:
    combatlog heal "Bridge ambush" rurik 7 --reason "a potion"
    combatlog heal "Gate" bor 2 vit
    """
    with open_fight(encounter) as fight:
        whom = [actor, *(also or [])]
        show(fight.heal(whom, amount, pool, reason=reason, by=by, command_id=command_id), as_json)
