"""The command that declares at an earlier point what was forgotten."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.completion import complete_action, complete_actor, complete_weapon
from cli.context import (
    ActorArg,
    CommandOpt,
    DiceOpt,
    EncounterArg,
    JsonOpt,
    read_dice,
    read_position,
    read_values,
)
from cli.option_completion import complete_option, complete_reply
from cli.planning import (
    ByOpt,
    DryOpt,
    ImpossibleOpt,
    PlanSeatOpt,
    ReasonOpt,
    YesOpt,
    check_impossible,
    correct,
    read_replies,
)

app = typer.Typer()


@app.command()
def insert(
    encounter: EncounterArg,
    actor: ActorArg,
    action: Annotated[str, typer.Argument(help="Action, as in `combatlog do`.", autocompletion=complete_action)],
    before: Annotated[
        int | None, typer.Option("--before", min=1, help="Declare it before the declaration of this event.")
    ] = None,
    after: Annotated[
        int | None, typer.Option("--after", min=1, help="Declare it after the declaration of this event.")
    ] = None,
    target: Annotated[
        list[str] | None, typer.Option("--target", "-t", help="Target; repeatable.", autocompletion=complete_actor)
    ] = None,
    to: Annotated[str | None, typer.Option(help="Destination.")] = None,
    weapon: Annotated[str | None, typer.Option("--with", help="Weapon to use.", autocompletion=complete_weapon)] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="Option of the action; repeatable.", autocompletion=complete_option),
    ] = None,
    reply: Annotated[
        list[str] | None,
        typer.Option(
            "--reply",
            help="Answer to a reaction, COMBATANT=REACTION or =pass; SEQ:COMBATANT=REACTION in a later declaration. "
            "Repeatable.",
            autocompletion=complete_reply,
        ),
    ] = None,
    reason: ReasonOpt = "forgotten",
    by: ByOpt = "gm",
    impossible: ImpossibleOpt = "stop",
    dice: DiceOpt = None,
    dry_run: DryOpt = False,
    yes: YesOpt = False,
    command_id: CommandOpt = None,
    seat: PlanSeatOpt = "gm",
    as_json: JsonOpt = False,
) -> None:
    """Declare at an earlier point what was forgotten.

    Shows the plan first. Later declarations are resolved again with the dice that were rolled for them. What the GM
    and the clock do is declared by gm: `gm rule`, `gm join`.

    Examples:
    combatlog insert "Bridge ambush" --before 34 osric dodge --reason "he said so"
    combatlog insert "Bridge ambush" --after 33 mira bless --target rurik --target osric --dry-run
    combatlog insert "Bridge ambush" --after 20 gm rule --target snig -o set="{hp: 5}" -o reason="the trap hurt him"
    """
    from combatlog.messages.corrections import Insert
    from combatlog.messages.message import message

    if (before is None) == (after is None):
        raise typer.BadParameter("give one of --before and --after.")
    check_impossible(impossible)
    replies, later = read_replies(reply or [])
    place, options, faces = read_position(to, "--to"), read_values(option or [], "--option"), read_dice(dice)

    said = message(
        Insert,
        who=actor,
        action=action,
        before=before,
        after=after,
        targets=target,
        to=place,
        weapon=weapon,
        options=options,
        replies=replies,
        reason=reason,
        impossible=impossible,
        later_replies=later,
        dice=faces,
        by=by,
    )
    correct(encounter, said, dry_run=dry_run, yes=yes, command_id=command_id, seat=seat, as_json=as_json)
