"""Commands that change a fight: each is one declaration, or the answer to a window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.context import (
    ActorArg,
    ByOpt,
    CommandOpt,
    DiceOpt,
    EncounterArg,
    JsonOpt,
    PackOpt,
    complete_action,
    complete_sheet,
    open_fight,
    open_ledger,
    read_dice,
    read_numbers,
    read_pairs,
    read_position,
    read_reaction,
    read_values,
)

if TYPE_CHECKING:
    from combatlog import Outcome

app = typer.Typer()


def show(outcome: Outcome | None, as_json: bool) -> None:
    """What a command led to: events, and the window that waits."""
    assert outcome is not None
    from cli.render.log import print_log
    from cli.render.state import print_window
    from cli.render.text import print_json, say

    if as_json:
        print_json([event.model_dump(mode="json", exclude_none=True) for event in outcome.events])
        return
    if outcome.repeated:
        say("This command was carried out before; nothing was recorded.", "dim")
    print_log(outcome.events)
    if outcome.window is not None:
        print_window(outcome.state)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="A name for the encounter; it must not be taken.")],
    ruleset: Annotated[str, typer.Option(help="The rules to play by.")] = "dnd5e",
    dice: Annotated[
        str, typer.Option(help="Where faces come from: random, committed, seed:N, or table (given with --dice).")
    ] = "random",
    map_file: Annotated[
        Path | None, typer.Option("--map", help="A text file: . floor, # wall, ~ difficult; one line a row.")
    ] = None,
    library: Annotated[
        Path | None, typer.Option(help="A JSON file with abilities of your own, for rulesets that have a library.")
    ] = None,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="An optional rule, NAME=VALUE.")] = None,
    pack: PackOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Open an encounter. Packs that it is opened with are recorded with it: `join` finds their sheets by name.

    Examples:
    combatlog new "Bridge ambush" --dice table --map bridge.txt
    combatlog new "Frozen hall" --pack ./frost
    """
    options = read_values(option or [], "--option")
    if library is not None:
        from rules.skirmish.checking import read_library

        options["library"] = read_library(library)
    with open_ledger() as ledger:
        fight = ledger.new(
            name, ruleset, dice=dice, map=map_file, options=options, packs=pack or (), command_id=command_id
        )
        show(fight.outcome, as_json)


@app.command()
def join(
    encounter: EncounterArg,
    sheet: Annotated[
        str,
        typer.Argument(
            help="A sheet by name, shipped or of a pack, or a YAML or JSON file.", autocompletion=complete_sheet
        ),
    ],
    name: Annotated[str | None, typer.Option("--as", help="What the combatant is called.")] = None,
    side: Annotated[str, typer.Option(help="Whom it fights with.")] = "heroes",
    at: Annotated[str | None, typer.Option(help="Where it stands: COLUMN,ROW.")] = None,
    controller: Annotated[str | None, typer.Option(help="Who answers for it: player or gm.")] = None,
    overrides: Annotated[
        list[str] | None, typer.Option("--set", help="A field of the sheet that differs, NAME=VALUE.")
    ] = None,
    reaction: Annotated[
        list[str] | None,
        typer.Option("--reaction", help="A setting, NAME=ask|always|never|'when useful'; * for all."),
    ] = None,
    pack: PackOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Add a combatant.

    Examples:
    combatlog join "Bridge ambush" goblin --as Snig --side foes --at 5,1
    combatlog join "Frozen hall" young_frost_dragon --side foes --at 9,3 --pack ./frost
    """
    is_file = Path(sheet).suffix in (".yaml", ".yml", ".json")
    place = read_position(at, "--at")
    differing = read_values(overrides or [], "--set")
    settings = read_pairs(reaction or [], "--reaction")
    with open_fight(encounter) as fight:
        outcome = fight.join(
            Path(sheet) if is_file else sheet,
            name,
            place,
            side=side,
            controller=controller,
            reactions=settings,
            overrides=differing,
            packs=pack or (),
            command_id=command_id,
        )
        show(outcome, as_json)


@app.command()
def start(
    encounter: EncounterArg, dice: DiceOpt = None, command_id: CommandOpt = None, as_json: JsonOpt = False
) -> None:
    """Start the fight: initiative, the first round, the first turn.

    Example: combatlog start "Bridge ambush" --dice 12,7,15
    """
    with open_fight(encounter) as fight:
        show(fight.start(dice=read_dice(dice), command_id=command_id), as_json)


@app.command()
def do(
    encounter: EncounterArg,
    actor: ActorArg,
    action: Annotated[str, typer.Argument(help="What it does.", autocompletion=complete_action)],
    target: Annotated[list[str] | None, typer.Option("--target", "-t", help="At whom; several times if so.")] = None,
    to: Annotated[str | None, typer.Option(help="Where to: COLUMN,ROW.")] = None,
    weapon: Annotated[str | None, typer.Option("--with", help="With which weapon.")] = None,
    dice: DiceOpt = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="Whatever else the action takes, NAME=VALUE.")
    ] = None,
    reply: Annotated[
        list[str] | None,
        typer.Option("--reply", help="An answer known beforehand, REACTOR=REACTION or REACTOR=pass."),
    ] = None,
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Declare an action.

    Examples:
    combatlog do "Bridge ambush" snig move --to 2,1
    combatlog do "Bridge ambush" snig strike --target rurik --dice 15
    """
    place = read_position(to, "--to")
    options = read_values(option or [], "--option")
    replies = {reactor: read_reaction(answer) for reactor, answer in read_pairs(reply or [], "--reply").items()}
    with open_fight(encounter) as fight:
        outcome = fight.do(
            actor,
            action,
            target=target or (),
            to=place,
            weapon=weapon,
            options=options,
            dice=read_dice(dice),
            replies=replies,
            by=by,
            command_id=command_id,
        )
        show(outcome, as_json)


@app.command()
def react(
    encounter: EncounterArg,
    reactor: ActorArg,
    reaction: Annotated[str, typer.Argument(help="The reaction, or `pass`.")],
    dice: DiceOpt = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="Whatever else the reaction takes, NAME=VALUE.")
    ] = None,
    by: ByOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Answer the open window; what waited for the answer goes on.

    Example: combatlog react "Bridge ambush" osric protection --dice 15,8
    """
    options = read_values(option or [], "--option")
    with open_fight(encounter) as fight:
        outcome = fight.react(
            reactor, read_reaction(reaction), options=options, dice=read_dice(dice), by=by, command_id=command_id
        )
        show(outcome, as_json)


@app.command("end-turn")
def end_turn(
    encounter: EncounterArg,
    actor: Annotated[str, typer.Argument(help="Whose turn ends, to be sure; the GM ends any.")] = "gm",
    dice: DiceOpt = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """End the current turn; the next one begins.

    Example: combatlog end-turn "Bridge ambush" snig
    """
    with open_fight(encounter) as fight:
        show(fight.end_turn(actor, dice=read_dice(dice), command_id=command_id), as_json)


@app.command()
def leave(
    encounter: EncounterArg,
    actor: ActorArg,
    why: Annotated[str, typer.Option(help="Why it leaves.")] = "left the fight",
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Take a combatant out of the fight.

    Example: combatlog leave "Bridge ambush" snig --why "fled into the reeds"
    """
    with open_fight(encounter) as fight:
        show(fight.leave(actor, why=why, command_id=command_id), as_json)


@app.command()
def close(
    encounter: EncounterArg,
    why: Annotated[str, typer.Option(help="How it ended.")] = "the fight is over",
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Close an encounter; nothing more is declared in it.

    Example: combatlog close "Bridge ambush" --why "the goblins fled"
    """
    with open_fight(encounter) as fight:
        show(fight.close(why=why, command_id=command_id), as_json)


@app.command()
def rule(
    encounter: EncounterArg,
    reason: Annotated[str, typer.Option(help="Why; it is recorded with the ruling.")],
    subject: Annotated[str | None, typer.Argument(help="The combatant it is about.")] = None,
    values: Annotated[list[str] | None, typer.Option("--set", help="A value, NAME=NUMBER: hp=12, action=1.")] = None,
    add: Annotated[list[str] | None, typer.Option(help="A condition that holds from now on.")] = None,
    remove: Annotated[list[str] | None, typer.Option(help="A condition that ends.")] = None,
    to: Annotated[str | None, typer.Option(help="Where it stands now: COLUMN,ROW.")] = None,
    note: Annotated[str | None, typer.Option(help="Anything else, in words.")] = None,
    answers: Annotated[int | None, typer.Option(min=1, help="The event that asked for a person's resolution.")] = None,
    command_id: CommandOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Overrule: set a value, a condition or a place. Possible at any moment, also while a window waits.

    Example: combatlog rule "Bridge ambush" rurik --set hp=9 --reason "the bridge gave way under him"
    """
    numbers = read_numbers(values or [], "--set")
    place = read_position(to, "--to")
    with open_fight(encounter) as fight:
        outcome = fight.rule(
            subject,
            reason=reason,
            set=numbers,
            add=add or [],
            remove=remove or [],
            to=place,
            note=note,
            answers=answers,
            command_id=command_id,
        )
        show(outcome, as_json)
