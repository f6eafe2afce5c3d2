"""Commands that change what a fight goes on with: the order of turns, and what combatants do with reactions."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.completion import complete_actor
from cli.context import (
    ActorArg,
    ByOpt,
    CommandOpt,
    DiceOpt,
    EncounterArg,
    JsonOpt,
    open_fight,
    read_dice,
    read_numbers,
    read_pairs,
)
from cli.declare import show
from cli.option_completion import complete_policy

app = typer.Typer()


@app.command()
def initiative(
    encounter: EncounterArg,
    values: Annotated[
        list[str],
        typer.Argument(metavar="WHO=NUMBER", help="Who, and the new initiative.", autocompletion=complete_actor),
    ],
    reason: Annotated[str, typer.Option(help="Why; recorded with it.")] = "",
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Set or correct the initiative of combatants.

    Those who are named get a new place in the order of turns. The turn in progress goes on.

    Example: combatlog initiative "Bridge ambush" rurik=17 snig=12 --reason "misread"
    """
    from combatlog.messages.commands import SetInitiative
    from combatlog.messages.message import message

    numbers = read_numbers(values, "WHO=NUMBER")
    with open_fight(encounter) as fight:
        said = message(SetInitiative, values=numbers, reason=reason, by=by)
        show(fight.send(said, command_id=command_id), as_json)


@app.command()
def reactions(
    encounter: EncounterArg,
    actor: ActorArg,
    settings: Annotated[
        list[str],
        typer.Argument(
            metavar="REACTION=WHEN",
            help="When it uses a reaction: ask, always, never or 'when useful'. * names all others.",
            autocompletion=complete_policy,
        ),
    ],
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Change when a combatant uses its reactions.

    It counts from the next reaction that is offered.

    Examples:
    combatlog reactions "Bridge ambush" osric protection=always
    combatlog reactions "Bridge ambush" snig "*=never"
    """
    from combatlog.messages.commands import SetReactions
    from combatlog.messages.message import message

    policies = read_pairs(settings, "REACTION=WHEN")
    with open_fight(encounter) as fight:
        said = message(SetReactions, who=actor, policies=policies, by=by)
        show(fight.send(said, command_id=command_id), as_json)


@app.command("time-up")
def time_up(
    encounter: EncounterArg, dice: DiceOpt = None, command_id: CommandOpt = None, as_json: JsonOpt = False
) -> None:
    """Go on without whoever did not answer in time.

    Only in fights that were opened with --option reaction_time=SECONDS. Whoever may react and does not answer lets it
    pass, or does what is useful if the fight has --option time_up="when useful". Every other command does this by
    itself; only where dice are rolled at the table they have to be given here.

    Examples:
    combatlog time-up "Bridge ambush"
    combatlog time-up "Bridge ambush" --dice 15,8
    """
    from combatlog.messages.commands import TimeUp
    from combatlog.messages.message import message

    faces = read_dice(dice)
    with open_fight(encounter) as fight:
        show(fight.send(message(TimeUp, dice=faces), command_id=command_id), as_json, faces)
